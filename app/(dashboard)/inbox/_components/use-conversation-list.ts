import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { type ListPlace, listStart, placeAfter, usePages } from '@/app/_trpc/use-pages';
import { belongsTo, type InboxSearch, listInput, pagesMaximum } from '../search-params';

/** The conversations of a search, page by page. While another search is loading, the current results stay. */
export function useConversationList(search: InboxSearch) {
  const trpc = useTRPC();
  const input = listInput(search);
  const { items, lastPage, ...pages } = usePages({
    pageAt: (position: ListPlace) => trpc.conversations.list.queryOptions({ ...input, ...position }),
    first: listStart,
    next: (last, { length }) => (length < pagesMaximum ? placeAfter(last) : undefined),
    items: 'conversations',
    keepsPrevious: true,
  });
  const { view, sort, q } = search;
  const rows = useMemo(() => items.filter((conversation) => belongsTo({ view, sort, q }, conversation)), [items, view, sort, q]);
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
