'use client';

import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { type AuditSearch, auditInput } from '../search-params';

/** The audit log, page after page. A page may have few entries, or none, and still a next one. */
export function useAudit(search: AuditSearch) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = auditInput(search);
  const optionsAt = (before: string | null) =>
    trpc.audit.list.queryOptions({ ...input, ...(before ? { before } : {}) }, { staleTime: 0 });
  const firstPage = queryClient.getQueryState(optionsAt(null).queryKey);
  const query = useInfiniteQuery({
    queryKey: [...trpc.audit.list.queryKey(input), 'pages'],
    queryFn: ({ pageParam }) => queryClient.fetchQuery(optionsAt(pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // What the server prefetched.
    ...(firstPage?.data
      ? { initialData: { pages: [firstPage.data], pageParams: [null] }, initialDataUpdatedAt: firstPage.dataUpdatedAt }
      : {}),
    placeholderData: keepPreviousData,
    // What was done a moment ago on another page has to be here.
    refetchOnMount: 'always',
  });
  const { pages } = query.data ?? {};
  const entries = useMemo(() => {
    const byId = new Map(pages?.flatMap((page) => page.entries).map((entry) => [entry.id, entry]));
    return [...byId.values()];
  }, [pages]);
  return {
    entries,
    isLoaded: pages !== undefined,
    /** True while these are still the entries of another search. */
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasFailedToLoadMore: query.isFetchNextPageError,
    loadMore: () => void query.fetchNextPage(),
    /** A failure only where there is nothing to show in its place. */
    error: pages === undefined && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  };
}
