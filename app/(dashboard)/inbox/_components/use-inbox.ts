'use client';

import { useRouter, useSelectedLayoutSegment } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { startTransition, useEffect, useLayoutEffect, useOptimistic, useRef } from 'react';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { inboxSearchParams, inboxSearchQuery } from '../search-params';
import { neighbourOf } from './conversation-words';
import type { Inbox } from './inbox-context';
import { useConversationList } from './use-conversation-list';

/** Where the window shows list and thread side by side; Tailwind's `lg`. */
const sideBySide = '(width >= 64rem)';

/** The state behind list and thread, for `InboxFrame`. */
export function useInboxState(): Inbox {
  const router = useRouter();
  const [search] = useQueryStates(inboxSearchParams);
  const list = useConversationList(search);
  const shownId = useSelectedLayoutSegment();
  const [openId, setOpenId] = useOptimistic(shownId);
  const query = inboxSearchQuery(search);
  const listHref = `/inbox${query}`;
  const hrefOf = (id: string) => `/inbox/${id}${query}`;

  const ids = list.rows.map(({ id }) => id);
  const index = openId === null ? -1 : ids.indexOf(openId);
  const lastIndex = useRef(0);
  useEffect(() => {
    if (index !== -1) lastIndex.current = index;
  }, [index]);

  // On a phone, list and thread scroll the window in turn: a thread begins at its top, and the list goes on where it was left.
  const listScroll = useRef(0);
  const lastShownId = useRef(shownId);
  useLayoutEffect(() => {
    if (lastShownId.current === shownId) return;
    lastShownId.current = shownId;
    window.scrollTo(0, shownId === null ? listScroll.current : 0);
  }, [shownId]);

  const go = (id: string | null) => {
    if (shownId === null) listScroll.current = window.scrollY;
    leavePage(() =>
      startTransition(() => {
        // The list shows where one is going while the thread is still on its way.
        setOpenId(id);
        router.push(id === null ? listHref : hrefOf(id), { scroll: false });
      }),
    );
  };

  return {
    search,
    list,
    openId,
    shownId,
    listHref,
    hrefOf,
    open: go,
    close: () => go(null),
    walk: (step) => {
      const id = neighbourOf(ids, openId, lastIndex.current, step);
      if (id !== undefined) go(id);
      else if (step === 1 && list.hasMore) list.loadMore();
    },
    goOn: () => {
      const next = neighbourOf(ids, openId, lastIndex.current, 1) ?? neighbourOf(ids, openId, lastIndex.current, -1);
      go(window.matchMedia(sideBySide).matches ? (next ?? null) : null);
    },
  };
}
