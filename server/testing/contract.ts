import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '@/server/platform/errors';
import { rest } from '@/server/registry';
import type { Answer } from './rest';

/** Checks responses against the OpenAPI document, independently of the implementation. */

export type JsonSchema = { readonly [keyword: string]: unknown };

interface Response {
  $ref?: string;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: JsonSchema;
}

export interface DocumentedOperation {
  /** Method and path. */
  name: string;
  method: string;
  /** Below /api/v1, with `{parameters}`. */
  path: string;
  parameters: Parameter[];
  /** Schema of the JSON body; null if there is none. */
  body: JsonSchema | null;
  responses: Record<string, Response>;
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

interface RawOperation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
}

export interface Contract {
  operations: readonly DocumentedOperation[];
  schemas: Readonly<Record<string, JsonSchema>>;
  validatorAt(pointer: string): ValidateFunction;
}

function operationOf(method: string, path: string, raw: RawOperation): DocumentedOperation {
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: (raw.parameters ?? []).filter((parameter): parameter is Parameter => 'schema' in parameter),
    body: raw.requestBody?.content['application/json']?.schema ?? null,
    responses: raw.responses,
  };
}

/** Reads the document. Needs the settings of `withFreshDatabase`. */
export function readContract(): Contract {
  const document = rest.document() as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => operationOf(method, path, raw)),
    ),
    schemas: document.components.schemas,
    validatorAt: (pointer) => {
      const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
      compiled.set(pointer, known);
      return known;
    },
  };
}

/** The JSON pointer of the schema of an operation's body in the document. */
export function bodyPointer({ path, method }: DocumentedOperation): string {
  return `${pointerTo(path, method)}/requestBody/content/application~1json/schema`;
}

function pointerTo(path: string, method: string): string {
  return `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}`;
}

function segmentsOf(pathname: string): string[] | null {
  try {
    return pathname.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The documented operation of a request. A path with fewer parameters takes precedence, whatever its methods. */
function operationAt(contract: Contract, method: string, pathname: string): DocumentedOperation | undefined {
  const sent = segmentsOf(pathname);
  const meant = method === 'HEAD' ? 'GET' : method;
  if (!sent) return undefined;
  const fits = ({ path }: DocumentedOperation) => {
    const segments = `/api/v1${path}`.split('/');
    return (
      segments.length === sent.length && segments.every((part, i) => (part.startsWith('{') ? sent[i] !== '' : part === sent[i]))
    );
  };
  const found = contract.operations.filter(fits).sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return found.find(({ path, method: its }) => path === found[0]?.path && its === meant);
}

/** The decompressed body as text. */
function plainText({ headers, bytes }: Answer): string {
  const encoding = bytes.length > 0 ? headers['content-encoding'] : undefined;
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return encoding === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString();
}

const blogNames: Record<number, string> = {
  400: 'ValidationError',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyMismatch',
};

/** Codes that only other transports use. */
const elsewhere: string[] = ['signed_out', 'cross_origin', 'unknown_recipient'];
const aboutTheCaller = [401, 403, 429, 500, 503];

/** Checks the error format of a path's part of the API (specification, "Errors"). */
function expectErrorForm(path: string, { status, headers }: Answer, body: Record<string, unknown>): void {
  const { code } = body;
  expect(elsewhere).not.toContain(code);
  const entry = errorTable[code as ErrorCode];
  expect([code, entry?.status]).toEqual([code, status]);
  // A replayed response has the request id of the first request.
  if (!headers['idempotent-replayed']) expect(body.requestId).toBe(headers['x-request-id']);
  const isCalendar = /^\/calendar(\/|$)/.test(path) && status !== 401;
  expect(body.success).toBe(isCalendar ? false : undefined);
  if (isCalendar && !aboutTheCaller.includes(status)) {
    expect(body.error).toEqual(expect.stringMatching(/./));
    return;
  }
  expect(body.message).toEqual(expect.stringMatching(/./));
  const isBlog = /^\/blog(\/|$)/.test(path) && !aboutTheCaller.includes(status);
  expect(body.error).toBe(isBlog ? blogNames[status] : entry?.title);
}

/** Checks the headers of every response. */
function expectHeaders({ headers }: Answer): void {
  expect(headers['x-request-id']).toEqual(expect.stringMatching(/./));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['cache-control'] ?? 'no-store').toMatch(/no-store|no-cache/);
  // Scripts of any site may read what a key may. A request that is refused before routing (for an invalid Host) has no such
  // header.
  expect(['*', undefined]).toContain(headers['access-control-allow-origin']);
  expect(headers['access-control-allow-credentials']).toBeUndefined();
}

const methodsWithoutOperation = [404, 405];

/**
 * Fails unless the document has the response: its status, type and body, and an error in the format of its area. A request
 * without an operation must be refused as not found, for its method, for its key, or for its path.
 *
 * @param pathname as sent, without the query
 * @returns the parsed JSON body; undefined if there is none
 */
export function expectDocumented(contract: Contract, method: string, pathname: string, answer: Answer): unknown {
  const { status, headers } = answer;
  expect(status, `${method} ${pathname}`).toBeLessThan(500);
  expectHeaders(answer);
  const text = plainText(answer);
  const isEmpty = method === 'HEAD' || status === 304 || status === 204;
  if (isEmpty) expect(text).toBe('');
  if (method === 'OPTIONS' && status === 204) return void expect(headers.allow).toContain('OPTIONS');
  const operation = operationAt(contract, method, pathname);
  if (operation) expect(Object.keys(operation.responses), `${operation.name} answers ${status}`).toContain(String(status));
  else expect([400, 401, 413, 429, ...methodsWithoutOperation], `${method} ${pathname}`).toContain(status);
  if (isEmpty) return undefined;
  const content = operation?.responses[status]?.content;
  if (content && !content['application/json']) return undefined;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  const own = operation && `${pointerTo(operation.path, operation.method)}/responses/${status}`;
  const response = operation?.responses[status]?.$ref?.slice(1) ?? own;
  const validate = contract.validatorAt(operation ? `${response}/content/application~1json/schema` : '/components/schemas/Error');
  expect([operation?.name, status, validate(body), validate.errors]).toEqual([operation?.name, status, true, null]);
  if (status >= 400) expectErrorForm(pathname.slice('/api/v1'.length), answer, body as Record<string, unknown>);
  return body;
}
