'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { messagesInput } from '../messages-input';

/** The messages of a conversation, oldest first: the newest hundred, and earlier ones when asked for. */
export function useMessages(conversationId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = messagesInput(conversationId);
  const optionsAt = (offset: number) => trpc.conversations.messages.queryOptions({ ...input, offset }, { staleTime: 0 });
  const firstPage = queryClient.getQueryState(optionsAt(0).queryKey);
  const query = useInfiniteQuery({
    queryKey: [...trpc.conversations.messages.queryKey(input), 'pages'],
    queryFn: ({ pageParam }) => queryClient.fetchQuery(optionsAt(pageParam)),
    initialPageParam: 0,
    getNextPageParam: ({ offset, messages, hasMore }) => (hasMore ? offset + messages.length : undefined),
    // What the server prefetched.
    ...(firstPage?.data
      ? { initialData: { pages: [firstPage.data], pageParams: [0] }, initialDataUpdatedAt: firstPage.dataUpdatedAt }
      : {}),
  });
  const { pages } = query.data ?? {};
  const messages = useMemo(() => {
    // One that came in between two requests moves another one onto both pages.
    const byId = new Map(pages?.flatMap((page) => page.messages).map((message) => [message.id, message]));
    return [...byId.values()].reverse();
  }, [pages]);
  return {
    messages,
    isLoaded: pages !== undefined,
    earlier: Math.max(0, (pages?.at(-1)?.total ?? 0) - messages.length),
    hasEarlier: query.hasNextPage,
    isLoadingEarlier: query.isFetchingNextPage,
    hasFailedToLoadEarlier: query.isFetchNextPageError,
    loadEarlier: () => void query.fetchNextPage(),
    error: query.error,
    retry: () => void query.refetch(),
  };
}
