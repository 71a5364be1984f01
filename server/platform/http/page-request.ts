import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, toAppError } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';

/** What becomes known of a request while Next.js makes its page. */
interface PageRequest {
  requestId: string;
  /** The outage that the page failed of. */
  outage: AppError | null;
}

function pageRequests(): AsyncLocalStorage<PageRequest> {
  return oncePerProcess('page-requests', () => new AsyncLocalStorage<PageRequest>());
}

/**
 * Lets Next.js answer. It knows one status for a page that failed, 500; where database or disk are away, this makes it the 503 that everything
 * else answers then.
 */
export function answerPage(
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

/** Called where a page failed, before its answer is sent. */
export function notePageFailure(error: unknown): void {
  const seen = toAppError(error);
  const pageRequest = pageRequests().getStore();
  if (pageRequest && seen.code === 'unavailable') pageRequest.outage = seen;
  const { digest } = error as { digest?: unknown };
  logFailure(error, { requestId: pageRequest?.requestId, digest }, 'a page failed', seen);
}
