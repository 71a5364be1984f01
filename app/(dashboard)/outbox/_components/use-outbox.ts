'use client';

import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { OutboxList } from '@/server/modules/mail/mail.schema';
import { useFramePulse } from '../../_components/use-frame-pulse';
import { type OutboxSearch, outboxInput } from '../search-params';

/** The last part of the key of a query that holds the outbox's pages. */
export const outboxPagesKey = 'pages';

const refreshMilliseconds = 5_000;

const isMoving = (page: OutboxList | undefined) => page !== undefined && page.counts.queued + page.counts.sending > 0;

/** The mails of the outbox, page after page. Asks again every five seconds while one is on its way, and when the pulse says so. */
export function useOutbox(search: OutboxSearch) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const pulse = useFramePulse();
  const input = outboxInput(search);
  const optionsAt = (before: string | null) =>
    trpc.mail.outbox.queryOptions({ ...input, ...(before ? { before } : {}) }, { staleTime: 0 });
  const firstPage = queryClient.getQueryState(optionsAt(null).queryKey);
  const query = useInfiniteQuery({
    queryKey: [...trpc.mail.outbox.queryKey(input), outboxPagesKey],
    queryFn: ({ pageParam }) => queryClient.fetchQuery(optionsAt(pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // What the server prefetched.
    ...(firstPage?.data
      ? { initialData: { pages: [firstPage.data], pageParams: [null] }, initialDataUpdatedAt: firstPage.dataUpdatedAt }
      : {}),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isMoving(state.data?.pages[0]) ? refreshMilliseconds : false),
    refetchIntervalInBackground: false,
  });
  const { refetch } = query;

  const news = pulse && `${pulse.version} ${pulse.waitingMails} ${pulse.failedMails}`;
  const lastNews = useRef(news);
  useEffect(() => {
    const previous = lastNews.current;
    lastNews.current = news;
    if (previous !== undefined && previous !== news) void refetch();
  }, [news, refetch]);

  const { pages } = query.data ?? {};
  const mails = useMemo(() => {
    // Between two requests the start of a page may have moved.
    const byId = new Map(pages?.flatMap((page) => page.mails).map((mail) => [mail.id, mail]));
    return [...byId.values()];
  }, [pages]);
  return {
    mails,
    counts: pages?.[0]?.counts,
    canSend: pages?.[0]?.canSend ?? true,
    /** How many messages that came in could not be taken in. */
    quarantined: pulse?.quarantined ?? 0,
    /** True while these are still the mails of another state. */
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasFailedToLoadMore: query.isFetchNextPageError,
    loadMore: () => void query.fetchNextPage(),
    /** A failure only where there is nothing to show in its place. */
    error: pages === undefined && !query.isFetching ? query.error : null,
    retry: () => void refetch(),
  };
}
