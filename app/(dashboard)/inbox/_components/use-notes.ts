import { useMemo } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { type ListPlace, listStart, placeAfter, usePages } from '@/app/_trpc/use-pages';

/** Notes of a page; a conversation rarely has more. */
const pageSize = 100;

/** The notes of a conversation, oldest first: the newest hundred, and earlier ones on request. */
export function useNotes(conversationId: string) {
  const trpc = useTRPC();
  const { items, lastPage, ...pages } = usePages({
    pageAt: (place: ListPlace) => trpc.conversations.notes.queryOptions({ conversationId, limit: pageSize, ...place }),
    first: listStart,
    next: placeAfter,
    items: 'notes',
  });
  const notes = useMemo(() => items.toReversed(), [items]);
  return { ...pages, notes, earlier: Math.max(0, (lastPage?.total ?? 0) - notes.length) };
}
