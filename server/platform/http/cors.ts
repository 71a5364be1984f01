import type { HttpRequest } from './http-message';

/**
 * CORS headers (the Fetch standard). Cookies have no effect on these routes, so any origin is allowed, but never with the
 * browser's credentials: callers send their own key.
 */

/** Response headers that a page may read beyond the safelisted ones. */
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

/** On every response, so that a cached one is valid for all origins. */
export const openToAll: Readonly<Record<string, string>> = { 'Access-Control-Allow-Origin': '*' };

/** For responses to cross-origin requests: the readable headers. */
export function exposedHeaders({ headers }: Pick<HttpRequest, 'headers'>): Record<string, string> {
  return headers.has('origin') ? { 'Access-Control-Expose-Headers': exposed } : {};
}

/** True for a CORS preflight request. */
export function isPreflight({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

/** Seconds that browsers cache the preflight; none does for longer than two hours. */
const maximumAge = '7200';

/**
 * The headers that answer a preflight.
 * @param allow the allowed methods, as in `Allow`
 * @param requestHeaders request headers allowed beyond the safelisted ones
 */
export function preflightHeaders(allow: string, requestHeaders: readonly string[]): Record<string, string> {
  return {
    ...openToAll,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': requestHeaders.join(', '),
    'Access-Control-Max-Age': maximumAge,
  };
}
