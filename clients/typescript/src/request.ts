import type { CallOptions, ConditionalReadOptions, MergePatchOptions, UploadedFile } from './methods.js';
import type { Operation } from './operation.js';
import { randomUuid } from './uuid.js';

export type Input = Record<string, unknown>;
export type AnyOptions = CallOptions & Partial<ConditionalReadOptions> & MergePatchOptions;

/** What every attempt of a call sends; the key is made once, so that a repeated write is known as such. */
export interface PreparedRequest {
  url: string;
  init: { method: string; headers: Headers; body?: string | UploadedFile };
}

/**
 * The API's address from the installation's, with or without `/api/v1`.
 *
 * @throws TypeError that says what is wrong with `baseUrl`: no http(s) address, or one with a user, a query or a fragment
 */
export function apiAddress(baseUrl: string): string {
  const isAddress = typeof baseUrl === 'string' && /^https?:\/\/[^/]/i.test(baseUrl.trim()) && URL.canParse(baseUrl);
  if (!isAddress) throw new TypeError(`baseUrl must be an address such as https://desk.example, not ${shown(baseUrl)}.`);
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must hold no user or password; the key goes into apiKey.');
  if (url.search !== '' || url.hash !== '')
    throw new TypeError(`baseUrl must end with its path, without ${url.search || url.hash}.`);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api/v1') ? path : `${path}/api/v1`}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function pathOf(operation: Operation, input: Input): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    // A URL knows `..` as "one up", however it is encoded: the call would reach another operation.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`${operation.method} ${operation.path} needs "${name}".`);
    }
    return encodeURIComponent(String(value));
  });
}

function withoutPathParameters(operation: Operation, input: Input): Input {
  const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined));
}

function queryOf(input: Input): string {
  const parameters = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
  return parameters.size > 0 ? `?${parameters}` : '';
}

/** Address, headers and body of a call. @throws TypeError where an id for the path is missing */
export function prepareRequest(api: string, operation: Operation, input: Input, options: AnyOptions, common: HeadersInit) {
  const rest = withoutPathParameters(operation, input);
  const url = `${api}${pathOf(operation, input)}`;
  const headers = new Headers(common);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const request: PreparedRequest = { url, init: { method: operation.method, headers } };
  if (operation.method === 'GET') {
    request.url += queryOf(rest);
    if (options.ifNoneMatch) headers.set('If-None-Match', options.ifNoneMatch);
    return request;
  }
  headers.set('Idempotency-Key', options.idempotencyKey ?? randomUuid());
  if (options.ifMatch) headers.set('If-Match', options.ifMatch);
  if (operation.upload) {
    const { file, ...query } = rest as Input & { file: UploadedFile };
    const named = typeof File !== 'undefined' && file instanceof File ? { filename: file.name } : {};
    request.url += queryOf({ ...named, ...query });
    headers.set('Content-Type', (file instanceof Blob && file.type) || 'application/octet-stream');
    request.init.body = file;
    return request;
  }
  if (Object.keys(rest).length > 0 || operation.method === 'PATCH') {
    headers.set('Content-Type', options.mergePatch && operation.mergePatch ? 'application/merge-patch+json' : 'application/json');
    request.init.body = JSON.stringify(rest);
  }
  return request;
}
