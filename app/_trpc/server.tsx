import 'server-only';

import { dehydrate, type FetchQueryOptions, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { headers } from 'next/headers';
import { cache, type ReactNode } from 'react';
import { clientAddressHeader } from '@/server/platform/http/client-address';
import { requestIdOf, requestIdsOf } from '@/server/platform/http/request-id';
import { pageServer } from '@/server/platform/trpc/page-server';
import type { TrpcContext } from '@/server/platform/trpc/trpc';
import type { AppRouter } from '@/server/registry';
import { queryDefaults } from './query-defaults';

/** The session of this request, read once however many components ask. */
export const currentSession = cache(async () => {
  const requestHeaders = await headers();
  return pageServer().readSession(requestHeaders.get('cookie'));
});

const contextOfRequest = cache(async (): Promise<TrpcContext> => {
  const requestHeaders = await headers();
  return pageServer().contextFor({
    request: {
      ids: requestIdsOf(requestHeaders),
      requestId: requestIdOf(requestHeaders.get('x-request-id')),
      clientAddress: requestHeaders.get(clientAddressHeader) ?? 'unknown',
    },
    cookies: requestHeaders.get('cookie'),
    response: { headers: new Headers() },
    identify: currentSession,
    identifyAgain: currentSession,
  });
});

/**
 * Where the event log ends as this page begins, from where the browser goes on: read before all data of the page, so that it misses no
 * change. Undefined for requests of the router, for those that are not signed in, and where the log can't be read.
 */
export const feedStart = cache(async (): Promise<string | undefined> => {
  const [session, requestHeaders] = await Promise.all([currentSession(), headers()]);
  if (!session?.identityId || !requestHeaders.get('accept')?.includes('text/html')) return undefined;
  const caller = pageServer<AppRouter>().router.createCaller(await contextOfRequest());
  const end = await caller.events.read({ after: 'now', wait: 0, limit: 1 }).catch(() => undefined);
  return end?.nextCursor;
});

const createContext = cache(async (): Promise<TrpcContext> => {
  await feedStart();
  return contextOfRequest();
});

/**
 * The query cache of this request, for a server component that needs a response itself: `serverQueryClient().fetchQuery(…)`.
 */
export const serverQueryClient = cache(
  () =>
    new QueryClient({
      // Rendering does not wait for retries; the browser retries automatically.
      defaultOptions: { queries: { ...queryDefaults.queries, retry: false } },
    }),
);

/** The procedures as query options for server components, called directly and as the signed-in person. */
export const trpc = createTRPCOptionsProxy<AppRouter>({
  ctx: createContext,
  // Read at each call: during the Next.js build there is no server.
  get router() {
    return pageServer<AppRouter>().router;
  },
  queryClient: serverQueryClient,
});

/**
 * Runs a query on the server and passes its response to the browser through `HydrateClient`. Never throws: after a failure the
 * browser queries again. Await it before rendering; a query still running is left out, since server and browser would then
 * disagree about whether there is data.
 */
export async function prefetch(options: { queryKey: readonly unknown[]; queryFn?: unknown }): Promise<void> {
  await serverQueryClient().prefetchQuery(options as FetchQueryOptions);
}

/** Passes prefetched queries to the client components inside. */
export function HydrateClient({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(serverQueryClient())}>{children}</HydrationBoundary>;
}
