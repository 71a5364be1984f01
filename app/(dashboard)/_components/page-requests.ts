/**
 * Tracks the requests with which Next.js fetches the page behind a link. Next.js shows no progress, and on a failure replaces
 * the page by the browser's error page. Here the requests are observed, and retried until the server can be reached.
 */

export interface PageRequests {
  /** A page other than the one shown is loading. */
  isLoading: boolean;
  /** The last request did not reach the server and will be retried. */
  isUnreachable: boolean;
}

const idle: PageRequests = { isLoading: false, isUnreachable: false };
const retryMilliseconds = 3_000;

let current = idle;
const listeners = new Set<() => void>();

function update(changes: Partial<PageRequests>): void {
  const next = { ...current, ...changes };
  if (next.isLoading === current.isLoading && next.isUnreachable === current.isUnreachable) return;
  current = next;
  for (const listener of listeners) listener();
}

export const pageRequests = (): PageRequests => current;
export const noPageRequests = (): PageRequests => idle;

/** Subscribes to changes. @returns a function that unsubscribes */
export function followPageRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reports that the requested page is shown. */
export const pageArrived = () => update(idle);

/** The page address of a request; null for anything else, such as a prefetch. */
function requestedPage(input: RequestInfo | URL, init: RequestInit | undefined): URL | null {
  if (input instanceof Request || init?.headers === undefined) return null;
  const headers = new Headers(init.headers);
  if (headers.get('rsc') !== '1' || headers.has('next-router-prefetch') || headers.has('next-router-segment-prefetch'))
    return null;
  const url = new URL(input, window.location.href);
  url.searchParams.delete('_rsc');
  return url;
}

const isOtherPage = (url: URL) => url.pathname !== window.location.pathname || url.search !== window.location.search;

/** Resolves when a connection may be available again; immediately if the request is aborted. */
function nextTry(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, retryMilliseconds);
    function done() {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    window.addEventListener('online', done);
    signal?.addEventListener('abort', done);
  });
}

/** Starts tracking. @returns a function that stops it */
export function watchPageRequests(): () => void {
  const { fetch: original } = window;
  const watched: typeof fetch = async (input, init) => {
    const page = requestedPage(input, init);
    if (page === null) return original(input, init);
    if (isOtherPage(page)) update({ isLoading: true });
    for (;;) {
      try {
        const answer = await original(input, init);
        update({ isUnreachable: false });
        return answer;
      } catch (error) {
        if (init?.signal?.aborted) {
          update(idle);
          throw error;
        }
        update({ isUnreachable: true });
        await nextTry(init?.signal);
      }
    }
  };
  window.fetch = watched;
  return () => {
    if (window.fetch === watched) window.fetch = original;
    update(idle);
  };
}
