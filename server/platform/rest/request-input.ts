import { AppError, type FieldErrors, invalidFields } from '@/server/platform/errors';
import type { HttpRequest } from '../http/http-message';
import { type BodySource, mediaTypeOf, parseJson, readBytes, unparsable } from '../http/request-body';
import type { QueryKind, RestRoute } from './route-table';

/** Reads request input before schema validation. */

const defaultMaximumBodyBytes = 1024 * 1024;
const decimal = /^-?\d+(\.\d+)?$/;
const booleans: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

function readQueryValue(text: string, kind: QueryKind): unknown {
  if (kind === 'number' && decimal.test(text)) return Number(text);
  if (kind === 'boolean' && Object.hasOwn(booleans, text)) return booleans[text];
  return text;
}

/**
 * Converts query parameters to the types in the schema. Unknown parameters are ignored; repeated ones are an error, since
 * either choice would be a guess.
 */
export function readQuery(parameters: URLSearchParams, known: RestRoute['query']): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const problems: FieldErrors = {};
  for (const [name, text] of parameters) {
    const kind = known.get(name);
    if (kind === undefined) continue;
    if (Object.hasOwn(input, name)) problems[name] = 'is given more than once';
    input[name] = readQueryValue(text, kind);
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return input;
}

/** Refuses a query that is not UTF-8 (an encoded surrogate, say). Decoding silently replaces such bytes. */
function refuseMisencoded(sent: string, decoded: URLSearchParams): void {
  if (!sent.includes('%') || /\uFFFD|%EF%BF%BD/i.test(sent) || !decoded.toString().includes('%EF%BF%BD')) return;
  throw invalidFields({ query: 'has a percent sign that does not encode UTF-8' });
}

/** Percent-decodes the segments of a path. */
export function readPath(pathname: string): string[] {
  const segments = pathname.split('/').slice(1);
  if (!pathname.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    throw invalidFields({ path: 'has a percent sign that does not encode UTF-8' });
  }
}

/** False if there is certainly no body. */
function hasBody(request: BodySource): boolean {
  const length = request.headers.get('content-length');
  return length === null ? request.headers.has('transfer-encoding') : length !== '0';
}

function isJson(type: string, acceptsMergePatch: boolean): boolean {
  return type === 'application/json' || (acceptsMergePatch && type === mergePatchType);
}

export const mergePatchType = 'application/merge-patch+json';

function notAnObject(route: RestRoute): AppError {
  const message = 'Request body must be a JSON object';
  if (route.area?.noObject) return new AppError(route.area.noObject, message);
  return new AppError('invalid_request', message, { details: { fields: { body: 'must be a JSON object' } } });
}

/**
 * The body as an object; empty if the operation needs none.
 * @throws AppError unsupported_media_type, payload_too_large, or invalid if the body must be an object and is not
 */
export async function readBody(request: BodySource, route: RestRoute): Promise<Record<string, unknown>> {
  const required = route.takesBody && !route.rest.bodyOptional;
  if (!hasBody(request)) {
    if (required) throw notAnObject(route);
    return {};
  }
  const maximum = route.rest.maximumBodyBytes ?? defaultMaximumBodyBytes;
  const bytes = await readBytes(request, maximum);
  if (bytes.byteLength === 0 && !required) return {};
  if (!isJson(mediaTypeOf(request), route.rest.acceptsMergePatch ?? false)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  }
  const body = parseJson(bytes);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  if (route.takesBody || body === unparsable) throw notAnObject(route);
  return {};
}

export type Input = Record<string, unknown>;

interface InputSource {
  request: HttpRequest;
  query: URLSearchParams;
  /** The caller's. */
  identityId: string | undefined;
}

/**
 * The input of an operation, from path, query and body, unless the body is a file.
 * @throws AppError also for another identity, wherever it is named
 */
export async function readInput(source: InputSource, route: RestRoute, parameters: string[]): Promise<Input> {
  const { request, query, identityId: own } = source;
  refuseMisencoded(request.query, query);
  for (const identityId of query.getAll('identityId')) refuseOverride(own, identityId);
  const isGet = isRead(request.method);
  let sent: Input = {};
  if (!route.rest.upload && (!isGet || hasBody(request))) {
    // The body of a GET has no meaning (RFC 9110); it is read only because it must not name another identity either.
    const body = await readBody(request, route).catch((error: unknown): Input => {
      if (isGet) return {};
      throw error;
    });
    if (Object.hasOwn(body, 'identityId')) refuseOverride(own, body.identityId);
    if (!isGet) sent = body;
  }
  const input: Input = { ...sent, ...readQuery(query, route.query) };
  const names = route.segments.filter((segment) => segment.parameter);
  names.forEach(({ text }, index) => {
    input[text] = parameters[index];
  });
  return input;
}

/** A key acts only for its own identity; naming that one is allowed and has no effect (specification, "Authentication" 3). */
function refuseOverride(own: string | undefined, identityId: unknown): void {
  if (typeof identityId === 'string' && identityId.toLowerCase() === own) return;
  throw new AppError('identity_override', 'identityId does not match the API key');
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
