'use client';

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { leaveSignedOut } from '@/app/_kit/unsaved-changes';
import type { AppRouter } from '@/server/registry';
import { explainedFetch } from './explained-fetch';
import { freshSignInLink } from './fresh-sign-in-link';
import { idempotencyHeaders, idempotencyLink } from './idempotency-link';
import { queryDefaults } from './query-defaults';

const { TRPCProvider: ContextProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

/**
 * Options of a mutation that changes a record only if it is still the one that was read (docs/adr/0012); else it fails with
 * `precondition_failed`: `client.customers.update.mutate(input, ifMatch(customer.updatedAt))`.
 *
 * @param version the record's `revision` where it has one, else its `updatedAt`
 */
export function ifMatch(version: string | number | null): { context: { ifMatch: string } } {
  return { context: { ifMatch: `"${version ?? ''}"` } };
}

/** What `ifMatch` said, as the header of its request. */
function ifMatchHeaders({ ifMatch }: { ifMatch?: unknown }): Record<string, string> {
  return typeof ifMatch === 'string' ? { 'if-match': ifMatch } : {};
}

/** A session that ended (another tab signed out, the password changed) leads to signing in and back to this page. */
function leaveWhenSignedOut(error: unknown): void {
  if (errorFacts(error).code !== 'signed_out') return;
  const here = `${window.location.pathname}${window.location.search}`;
  leaveSignedOut(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      ...queryDefaults,
      queries: {
        ...queryDefaults.queries,
        // What the server explained stays so; only an unreachable or overloaded server is worth another try.
        retry: (failures, error) => failures < 2 && ['unreachable', 'unavailable'].includes(errorFacts(error).code),
      },
    },
  });
}

let browserQueryClient: QueryClient | undefined;

/** One client for the whole visit in the browser, a fresh one for each request on the server. */
function getQueryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient();
  browserQueryClient ??= makeQueryClient();
  return browserQueryClient;
}

interface TRPCProviderProps {
  /** The identity these pages show; calls are refused for any other, even if another tab switched meanwhile. */
  identityId?: string | null;
  children: ReactNode;
}

/** Gives pages `useTRPC` and the query cache. */
export function TRPCProvider({ identityId = null, children }: TRPCProviderProps) {
  const queryClient = getQueryClient();
  const [trpcClient] = useState(() => {
    const url = '/api/trpc';
    const headers: Record<string, string> = identityId === null ? {} : { 'x-frontdesk-identity': identityId };
    return createTRPCClient<AppRouter>({
      links: [
        freshSignInLink,
        idempotencyLink(),
        splitLink({
          // Reads that a page begins with go together; a write is answered as soon as it is done, and may be as large as a picture.
          condition: ({ type }) => type === 'mutation',
          true: httpLink({
            url,
            fetch: explainedFetch,
            headers: ({ op: { context } }) => ({ ...headers, ...ifMatchHeaders(context), ...idempotencyHeaders(context) }),
          }),
          false: httpBatchLink({ url, fetch: explainedFetch, headers, maxURLLength: 4000 }),
        }),
      ],
    });
  });
  return (
    <QueryClientProvider client={queryClient}>
      <ContextProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </ContextProvider>
    </QueryClientProvider>
  );
}
