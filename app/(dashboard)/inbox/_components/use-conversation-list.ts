'use client';

import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { ConversationList } from '@/server/features/conversations/conversation.schema';
import { belongsTo, type InboxSearch, listInput, pagesMaximum } from '../search-params';

const conversationsOf = (page: ConversationList) => page.conversations;

/** The conversations of a search, page by page. While another search is loading, the current results stay. */
export function useConversationList(search: InboxSearch) {
  const trpc = useTRPC();
  const input = listInput(search);
  const { items, lastPage, ...pages } = usePages({
    queryKey: trpc.conversations.list.queryKey(input),
    pageAt: (offset: number) => trpc.conversations.list.queryOptions({ ...input, offset }),
    first: 0,
    next: ({ offset, conversations, hasMore }, { length }) =>
      hasMore && length < pagesMaximum ? offset + conversations.length : undefined,
    itemsOf: conversationsOf,
    keepsPrevious: true,
  });
  const { view, q } = search;
  const rows = useMemo(() => items.filter((conversation) => belongsTo({ view, q }, conversation)), [items, view, q]);
  return {
    ...pages,
    rows,
    /** How many match on the server. */
    total: lastPage?.total ?? 0,
    totalIsExact: lastPage?.totalIsExact ?? true,
    /** True if more match than the list loads. */
    isCutOff: !pages.hasMore && (lastPage?.hasMore ?? false),
  };
}

export type ConversationListState = ReturnType<typeof useConversationList>;
