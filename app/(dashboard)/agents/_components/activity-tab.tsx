'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { EmptyState } from '@/app/_components/empty-state';
import { ErrorState } from '@/app/_components/error-state';
import { LoadMore } from '@/app/_components/load-more';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { ExecutionTable } from './execution-table';

const refreshEvery = 30_000;

/** What the agent did, newest first, as programs have reported it. */
export function ActivityTab({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = useInfiniteQuery({
    queryKey: [...trpc.usage.executions.queryKey({ agentId }), 'pages'],
    queryFn: ({ pageParam }) => {
      const input = { agentId, ...(pageParam === null ? {} : { before: pageParam }) };
      return queryClient.fetchQuery(trpc.usage.executions.queryOptions(input, { staleTime: 0 }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: refreshEvery,
  });
  const executions = data?.pages.flatMap((page) => page.executions) ?? [];
  return (
    <section aria-label="Activity" className="overflow-hidden rounded-lg border border-border bg-surface">
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} title="The activity could not be loaded" />
        ) : (
          <SkeletonLines lines={8} label="Loading activity" />
        )
      ) : executions.length === 0 ? (
        <EmptyState
          icon={Activity}
          title="Nothing tracked yet"
          description="What runs this agent reports each execution, and it shows up here: what was done, for which task, and how it ended."
          apiHint="POST /usage/track"
        />
      ) : (
        <>
          <ExecutionTable executions={executions} />
          {hasNextPage && (
            <div className="border-t border-separator px-3 py-2">
              <LoadMore
                label="Show older"
                what="Older executions"
                isLoading={isFetchingNextPage}
                hasFailed={isFetchNextPageError}
                onLoadMore={() => void fetchNextPage()}
                variant="ghost"
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}
