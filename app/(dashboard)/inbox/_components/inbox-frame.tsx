'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter, useSearchParams, useSelectedLayoutSegment } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useOptimistic, useRef } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useHeldKeys, usePageKeys } from '@/app/_kit/use-page-keys';
import { useTRPC } from '@/app/_trpc/client';
import { useLiveCounts } from '../../_components/use-live-counts';
import { draftsInput } from '../drafts-input';
import {
  inboxSearchParams,
  inboxSearchQuery,
  isNarrowed,
  type NewEmailStart,
  newEmailPath,
  newEmailSegment,
} from '../search-params';
import { neighbourOf } from './conversation-labels';
import { type Inbox, InboxContext } from './inbox-context';
import { inboxKeys, threadCommands } from './inbox-keys';
import { ListPane } from './list-pane';
import { NewEmailLink } from './new-email-link';
import { useSelection } from './selection';
import { useConversationList } from './use-conversation-list';

const FirstMailGuide = dynamic(() => import('./first-mail-guide').then((module) => module.FirstMailGuide));

/** List and thread side by side; on a phone, a page each. The list stays mounted while threads change. */
export function InboxFrame({ children }: { children: ReactNode }) {
  const inbox = useInboxState();
  const pulse = useLiveCounts();
  const { list, search, selection, openId, shownId } = inbox;
  useUnreadTitle(pulse?.unread ?? 0);
  usePageKeys('Inbox', inboxKeys, {
    next: () => inbox.walk(1),
    previous: () => inbox.walk(-1),
    ...(openId ? { close: inbox.close, select: () => selection.toggle(openId) } : {}),
    ...(selection.isSelecting ? { close: selection.clear } : {}),
  });
  useHeldKeys('Inbox', inboxKeys, threadCommands, openId === shownId ? null : (openId ?? 'list'));

  const trpc = useTRPC();
  const { data: drafts } = useQuery(trpc.drafts.list.queryOptions(draftsInput));
  const hasDrafts = search.view === 'drafts' || (drafts?.total ?? 0) > 0;
  const hasNothing = pulse !== undefined && pulse.inbox + pulse.archived + pulse.spam + pulse.trash === 0;
  if (hasNothing && !hasDrafts && openId === null && list.rows.length === 0 && !isNarrowed(search)) {
    return (
      <InboxContext value={inbox}>
        <PageHeader title="Inbox" primaryAction={<NewEmailLink size="md" />} />
        <FirstMailGuide />
      </InboxContext>
    );
  }
  return (
    <InboxContext value={inbox}>
      <div data-panes className="max-lg:-mx-4 max-lg:-mt-5 max-lg:sm:-mx-6 lg:flex lg:h-full">
        <section
          aria-label="Conversations"
          className={`flex min-w-0 flex-col lg:w-84 lg:shrink-0 lg:border-r lg:border-border min-[87.5rem]:w-90 ${shownId ? 'max-lg:hidden' : ''}`}
        >
          <ListPane unread={pulse?.unread ?? 0} snoozed={pulse?.snoozed ?? 0} />
        </section>
        <div className={`min-w-0 lg:flex-1 ${shownId ? '' : 'max-lg:hidden'}`}>{children}</div>
      </div>
    </InboxContext>
  );
}

/** The width from which list and thread are side by side; Tailwind's `lg`. */
const sideBySide = '(width >= 64rem)';

/** The shared state of list and thread, for `InboxFrame`. */
function useInboxState(): Inbox {
  const router = useRouter();
  const [search] = useQueryStates(inboxSearchParams);
  const list = useConversationList(search);
  const shownId = useSelectedLayoutSegment();
  const [openId, setOpenId] = useOptimistic(shownId);
  const openDraftId = useSearchParams().get('draft');
  const query = inboxSearchQuery(search);
  const listHref = `/inbox${query}`;
  const hrefOf = (id: string) => `/inbox/${id}${query}`;
  const newEmailHref = (start: NewEmailStart = {}) => newEmailPath(start, search);

  const ids = list.rows.map(({ id }) => id);
  const selection = useSelection(query, ids);
  const index = openId === null ? -1 : ids.indexOf(openId);
  const lastIndex = useRef(0);
  useEffect(() => {
    if (index !== -1) lastIndex.current = index;
  }, [index]);

  // On a phone, list and thread share the window's scroll position: a thread starts at its top, and the list is restored.
  const listScroll = useRef(0);
  const lastShownId = useRef(shownId);
  useLayoutEffect(() => {
    if (lastShownId.current === shownId) return;
    lastShownId.current = shownId;
    window.scrollTo(0, shownId === null ? listScroll.current : 0);
  }, [shownId]);

  const go = (id: string | null, href = id === null ? listHref : hrefOf(id)) => {
    if (shownId === null) listScroll.current = window.scrollY;
    leavePage(() =>
      startTransition(() => {
        // The list highlights the target while its thread is loading.
        setOpenId(id);
        router.push(href, { scroll: false });
      }),
    );
  };

  return {
    search,
    list,
    selection,
    openId,
    openDraftId,
    shownId,
    listHref,
    hrefOf,
    open: (id) => go(id),
    newEmailHref,
    write: (start) => go(newEmailSegment, newEmailHref(start)),
    close: () => go(null),
    walk: (step) => {
      const id = neighbourOf(ids, openId, lastIndex.current, step);
      if (id !== undefined) go(id);
      else if (step === 1 && list.hasMore) list.loadMore();
    },
    canWalk: (step) => (step === 1 && list.hasMore) || neighbourOf(ids, openId, lastIndex.current, step) !== undefined,
    openNext: (id) => {
      // Not of `openId`: another conversation may be loading.
      const next = neighbourOf(ids, id, lastIndex.current, 1) ?? neighbourOf(ids, id, lastIndex.current, -1);
      go(window.matchMedia(sideBySide).matches ? (next ?? null) : null);
    },
  };
}

const counted = /^\(\d+\) /;

/** Prefixes the page's title with the unread count, "(3) Inbox", also when Next.js changes the title. */
function useUnreadTitle(unread: number): void {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(counted, '');
      const title = unread > 0 && plain !== '' ? `(${unread}) ${plain}` : plain;
      if (title !== document.title) document.title = title;
    };
    write();
    // After navigation the title changes some time after the content.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(counted, '');
    };
  }, [unread]);
}
