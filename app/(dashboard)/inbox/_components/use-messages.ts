'use client';

import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { MessageList } from '@/server/features/conversations/message.schema';
import { messagesInput } from '../messages-input';

const messagesOf = (page: MessageList) => page.messages;

/** The messages of a conversation, oldest first: the newest hundred, and earlier ones when asked for. */
export function useMessages(conversationId: string) {
  const trpc = useTRPC();
  const input = messagesInput(conversationId);
  const { items, lastPage, ...pages } = usePages({
    queryKey: trpc.conversations.messages.queryKey(input),
    pageAt: (offset: number) => trpc.conversations.messages.queryOptions({ ...input, offset }),
    first: 0,
    next: ({ offset, messages, hasMore }) => (hasMore ? offset + messages.length : undefined),
    itemsOf: messagesOf,
  });
  const messages = useMemo(() => items.toReversed(), [items]);
  return {
    messages,
    isLoaded: pages.isLoaded,
    earlier: Math.max(0, (lastPage?.total ?? 0) - messages.length),
    hasEarlier: pages.hasMore,
    isLoadingEarlier: pages.isLoadingMore,
    hasFailedToLoadEarlier: pages.hasFailedToLoadMore,
    loadEarlier: pages.loadMore,
    error: pages.error,
    retry: pages.retry,
  };
}
