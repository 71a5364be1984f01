import type { HttpRequest } from './http-message';

/**
 * What pages of other sites may read (the Fetch standard's CORS protocol). No cookie means anything where this is used, so any site may ask,
 * and credentials of the browser are never allowed: a caller brings its own key.
 */

/** Headers of answers that a page may see beyond the few that it always may. */
const exposed = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** For every answer, so that one kept by a cache serves all. */
export const openToAll: Readonly<Record<string, string>> = { 'Access-Control-Allow-Origin': '*' };

/** For answers to a page of another site: what of their headers it may see. */
export function exposedHeaders({ headers }: Pick<HttpRequest, 'headers'>): Record<string, string> {
  return headers.has('origin') ? { 'Access-Control-Expose-Headers': exposed } : {};
}

/** True where a browser asks whether a page may send a request at all. */
export function isPreflight({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

/** Seconds that a browser remembers the answer; none does for longer than two hours. */
const maximumAge = '7200';

/**
 * The headers that answer a preflight.
 *
 * @param allow the methods of the path, as `Allow` has them
 * @param requestHeaders what a request may carry beyond what every page may send
 */
export function preflightHeaders(allow: string, requestHeaders: readonly string[]): Record<string, string> {
  return {
    ...openToAll,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': requestHeaders.join(', '),
    'Access-Control-Max-Age': maximumAge,
  };
}
