/**
 * The requests by which Next.js fetches the page that a link leads to. Next.js shows nothing of them, and leaves the page for the
 * browser's own error page where one fails; here they are seen, and tried again until the server can be reached.
 */

export interface PageRequests {
  /** A page is on its way that is not the one shown. */
  isLoading: boolean;
  /** The last request did not reach the server and will be tried again. */
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

/** @returns how to stop */
export function followPageRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The page that was on its way is shown. */
export const pageArrived = () => update(idle);

/** The address of the page that a request is for; null for anything else, such as what is fetched ahead of a click. */
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

/** Resolves when there may be a connection again; at once where the request is given up. */
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

/** Begins to watch. @returns how to stop */
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
