'use client';

import { Activity } from 'lucide-react';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { LoadMore } from '@/app/_kit/load-more';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { ExecutionList } from '@/server/features/usage/usage.schema';
import { ExecutionTable } from './execution-table';

const refreshEvery = 30_000;

const executionsOf = (page: ExecutionList) => page.executions;

/** What the agent did, newest first, as programs have reported it. */
export function ActivityTab({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const {
    items: executions,
    isLoaded,
    error,
    hasMore,
    ...pages
  } = usePages({
    queryKey: trpc.usage.executions.queryKey({ agentId }),
    pageAt: (before: string | null) => trpc.usage.executions.queryOptions({ agentId, ...(before ? { before } : {}) }),
    first: null,
    next: (last) => last.next,
    itemsOf: executionsOf,
    refetchInterval: () => refreshEvery,
  });
  return (
    <section aria-label="Activity" className="overflow-hidden rounded-lg border border-border bg-surface">
      {!isLoaded ? (
        error ? (
          <ErrorState error={error} onRetry={pages.retry} title="The activity could not be loaded" />
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
          {hasMore && (
            <div className="border-t border-separator px-3 py-2">
              <LoadMore
                label="Show older"
                what="Older executions"
                isLoading={pages.isLoadingMore}
                hasFailed={pages.hasFailedToLoadMore}
                onLoadMore={pages.loadMore}
                variant="ghost"
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}
