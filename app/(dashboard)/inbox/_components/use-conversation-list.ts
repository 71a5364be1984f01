'use client';

import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { belongsTo, type InboxSearch, listInput, pagesMaximum } from '../search-params';

/** The last part of the key of a query that holds the list's pages. */
export const pagesKey = 'pages';

/** The conversations of a search, page after page. While those of another search are on their way, the ones at hand stay. */
export function useConversationList(search: InboxSearch) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = listInput(search);
  const optionsAt = (offset: number) => trpc.conversations.list.queryOptions({ ...input, offset }, { staleTime: 0 });
  const firstPage = queryClient.getQueryState(optionsAt(0).queryKey);
  const query = useInfiniteQuery({
    queryKey: [...trpc.conversations.list.queryKey(input), pagesKey],
    queryFn: ({ pageParam }) => queryClient.fetchQuery(optionsAt(pageParam)),
    initialPageParam: 0,
    getNextPageParam: ({ offset, conversations, hasMore }, pages) =>
      hasMore && pages.length < pagesMaximum ? offset + conversations.length : undefined,
    // What the server prefetched.
    ...(firstPage?.data
      ? { initialData: { pages: [firstPage.data], pageParams: [0] }, initialDataUpdatedAt: firstPage.dataUpdatedAt }
      : {}),
    placeholderData: keepPreviousData,
  });
  const { pages } = query.data ?? {};
  const { view } = search;
  const rows = useMemo(() => {
    // A conversation that moved to the top between two requests stands on two pages.
    const byId = new Map(pages?.flatMap((page) => page.conversations).map((conversation) => [conversation.id, conversation]));
    return [...byId.values()].filter((conversation) => belongsTo(view, conversation));
  }, [pages, view]);
  const last = pages?.at(-1);
  return {
    rows,
    isLoaded: pages !== undefined,
    /** True while these are still the rows of what was asked before. */
    isStale: query.isPlaceholderData,
    /** How many match on the server. */
    total: last?.total ?? 0,
    totalIsExact: last?.totalIsExact ?? true,
    hasMore: query.hasNextPage,
    /** True where more match than the list fetches. */
    isCutOff: !query.hasNextPage && (last?.hasMore ?? false),
    isLoadingMore: query.isFetchingNextPage,
    hasFailedToLoadMore: query.isFetchNextPageError,
    loadMore: () => void query.fetchNextPage(),
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}

export type ConversationListState = ReturnType<typeof useConversationList>;
