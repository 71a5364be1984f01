import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, toAppError } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';

/** State of a request while Next.js renders its page. */
interface PageRequest {
  requestId: string;
  /** The outage that made the page fail. */
  outage: AppError | null;
}

function pageRequests(): AsyncLocalStorage<PageRequest> {
  return oncePerProcess('page-requests', () => new AsyncLocalStorage<PageRequest>());
}

/**
 * Lets Next.js answer. Next.js always uses status 500 for a failed page; during an outage of database or disk this changes it
 * to 503, as everywhere else.
 */
export function handlePage(
  request: IncomingMessage,
  response: ServerResponse,
  pages: (request: IncomingMessage, response: ServerResponse) => unknown,
): unknown {
  const pageRequest: PageRequest = { requestId: String(request.headers['x-request-id']), outage: null };
  const writeHead = response.writeHead.bind(response) as (status: number, ...others: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...others: unknown[]): ServerResponse => {
    const { outage } = pageRequest;
    if (status !== 500 || !outage) return writeHead(status, ...others);
    for (const [name, value] of Object.entries(outage.headers)) response.setHeader(name, value);
    return writeHead(outage.status, ...others);
  };
  return pageRequests().run(pageRequest, () => pages(request, response));
}

/** Call it when a page failed, before its response is sent. */
export function recordPageFailure(error: unknown): void {
  const seen = toAppError(error);
  const pageRequest = pageRequests().getStore();
  if (pageRequest && seen.code === 'unavailable') pageRequest.outage = seen;
  const { digest } = error as { digest?: unknown };
  logFailure(error, { requestId: pageRequest?.requestId, digest }, 'a page failed', seen);
}
