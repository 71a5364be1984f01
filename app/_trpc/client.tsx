'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { TRPCLink } from '@trpc/client';
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import type { AppRouter } from '@/server/registry';
import { explainedFetch } from './explained-fetch';
import { askForFreshSignIn } from './fresh-sign-in-question';
import { idempotencyHeaders, idempotencyLink } from './idempotency-link';
import { queryDefaults } from './query-defaults';
import { reportingLink } from './reporting-link';
import { uploadLink } from './upload-link';

const { TRPCProvider: ContextProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export { useTRPC, useTRPCClient };

/**
 * Options of a mutation that changes a record only if it has not changed since it was read (docs/adr/0034); otherwise it fails
 * with `precondition_failed`: `client.customers.update.mutate(input, ifMatch(customer.revision))`.
 */
export function ifMatch(revision: number): { context: { ifMatch: string } } {
  return { context: { ifMatch: `"${revision}"` } };
}

/** Options of a query that is sent by itself, because it is answered late: the others of a batch would wait for it. */
export const alone = { context: { isAlone: true } } as const;

/** The request header for `ifMatch`. */
function ifMatchHeaders({ ifMatch }: { ifMatch?: unknown }): Record<string, string> {
  return typeof ifMatch === 'string' ? { 'if-match': ifMatch } : {};
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      ...queryDefaults,
      queries: {
        ...queryDefaults.queries,
        // Errors that the server explained are final; only an unreachable or overloaded server is retried.
        retry: (failures, error) => failures < 2 && ['unreachable', 'unavailable'].includes(errorFacts(error).code),
      },
    },
  });
}

let browserQueryClient: QueryClient | undefined;

/** One client for the whole visit in the browser, a new one for each request on the server. */
function getQueryClient(): QueryClient {
  if (typeof window === 'undefined') return makeQueryClient();
  browserQueryClient ??= makeQueryClient();
  return browserQueryClient;
}

interface TRPCProviderProps {
  /** The identity that these pages show; calls are refused for any other, even if another tab has switched. */
  identityId?: string | null;
  children: ReactNode;
}

/** Provides `useTRPC` and the query cache. */
export function TRPCProvider({ identityId = null, children }: TRPCProviderProps) {
  const queryClient = getQueryClient();
  const [trpcClient] = useState(() => {
    const url = '/api/trpc';
    const headers: Record<string, string> = identityId === null ? {} : { 'x-frontdesk-identity': identityId };
    const headersOf = (context: object) => ({ ...headers, ...ifMatchHeaders(context), ...idempotencyHeaders(context) });
    return createTRPCClient<AppRouter>({
      links: [
        reportingLink,
        freshSignInLink,
        idempotencyLink(),
        splitLink({
          condition: ({ context }) => context.file !== undefined,
          true: uploadLink(url, headersOf),
          // The reads that a page starts with are batched. A write is sent alone, so that its response is not delayed, and may
          // be as large as a picture.
          false: splitLink({
            condition: ({ type, context }) => type === 'mutation' || context.isAlone === true,
            true: httpLink({ url, fetch: explainedFetch, headers: ({ op: { context } }) => headersOf(context) }),
            false: httpBatchLink({ url, fetch: explainedFetch, headers, maxURLLength: 4000 }),
          }),
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

/**
 * Repeats a call that was refused because it needs a fresh sign-in, once the person has confirmed their identity. For the
 * caller it only takes longer; if the dialog is dismissed, the call fails with the server's refusal.
 */
const freshSignInLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let isOver = false;
      let running = next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (errorFacts(error).code !== 'fresh_sign_in_required') return observer.error(error);
          void askForFreshSignIn().then((isConfirmed) => {
            if (isOver) return;
            if (isConfirmed) running = next(op).subscribe(observer);
            else observer.error(error);
          });
        },
      });
      return () => {
        isOver = true;
        running.unsubscribe();
      };
    });
