import { randomUUID } from 'node:crypto';
import type { RequestIds } from '../actor';

const validId = /^[A-Za-z0-9._:=+/-]{1,128}$/;

/** The caller's own request id if valid, else a new one (contract section 2). */
export function requestIdOf(header: string | null | undefined): string {
  return header && validId.test(header) ? header : randomUUID();
}

/** Set by our HTTP server on every request, overwriting any value from the client: an id that is always ours. */
export const ownRequestIdHeader = 'x-frontdesk-request-id';

/**
 * The ids of a request for the audit log. Response and log use an id chosen by the client; the audit log stores it separately
 * from ours, since two requests may use the same one.
 */
export function requestIdsOf(headers: { get(name: string): string | null }): RequestIds {
  const chosen = headers.get('x-request-id');
  const requestId = headers.get(ownRequestIdHeader) ?? randomUUID();
  return chosen === null || chosen === requestId ? { requestId } : { requestId, clientRequestId: requestIdOf(chosen) };
}
