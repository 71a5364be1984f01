import { randomUUID } from 'node:crypto';
import type { RequestIds } from '../request-scope';

const sane = /^[A-Za-z0-9._:=+/-]{1,128}$/;

/** The caller's own request id where it is a sane one, else a new one (contract section 2). */
export function requestIdOf(header: string | null | undefined): string {
  return header && sane.test(header) ? header : randomUUID();
}

/** Set by our HTTP server on every request, over anything a client may have sent: an id that is ours for certain. */
export const ownRequestIdHeader = 'x-frontdesk-request-id';

/**
 * The ids of a request as changes note them. The answer and the log keep an id that the client chose; the audit log keeps it apart from
 * ours, since two requests may choose the same one.
 */
export function requestIdsOf(headers: { get(name: string): string | null }): RequestIds {
  const chosen = headers.get('x-request-id');
  const requestId = headers.get(ownRequestIdHeader) ?? randomUUID();
  return chosen === null || chosen === requestId ? { requestId } : { requestId, clientRequestId: requestIdOf(chosen) };
}
