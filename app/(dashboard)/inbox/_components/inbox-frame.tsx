'use client';

import { useRouter, useSelectedLayoutSegment } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useOptimistic, useRef } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useLiveCounts } from '../../_components/use-live-counts';
import { inboxSearchParams, inboxSearchQuery, isNarrowed } from '../search-params';
import { neighbourOf } from './conversation-words';
import { type Inbox, InboxContext } from './inbox-context';
import { ListPane } from './list-pane';
import { TryIt } from './try-it';
import { useConversationList } from './use-conversation-list';
import { useInboxKeys } from './use-inbox-keys';

/** List and thread side by side; on a phone a page each. The list stays as it is while threads come and go. */
export function InboxFrame({ children }: { children: ReactNode }) {
  const inbox = useInboxState();
  const pulse = useLiveCounts();
  const { list, search, openId, shownId } = inbox;
  useUnreadTitle(pulse?.unread ?? 0);
  useInboxKeys({ next: () => inbox.walk(1), previous: () => inbox.walk(-1), ...(openId ? { close: inbox.close } : {}) });

  const hasNothing = pulse !== undefined && pulse.inbox + pulse.archived + pulse.spam === 0;
  if (hasNothing && openId === null && list.rows.length === 0 && !isNarrowed(search)) return <EmptyInbox />;
  return (
    <InboxContext value={inbox}>
      <div data-panes className="max-lg:-mx-4 max-lg:-mt-5 max-lg:sm:-mx-6 lg:flex lg:h-full">
        <section
          aria-label="Conversations"
          className={`flex min-w-0 flex-col lg:w-76 lg:shrink-0 lg:border-r lg:border-border min-[87.5rem]:w-90 ${shownId ? 'max-lg:hidden' : ''}`}
        >
          <ListPane unread={pulse?.unread ?? 0} />
        </section>
        <div className={`min-w-0 lg:flex-1 ${shownId ? '' : 'max-lg:hidden'}`}>{children}</div>
      </div>
    </InboxContext>
  );
}

/** The inbox before the first mail: how to get one. */
function EmptyInbox() {
  return (
    <>
      <PageHeader title="Inbox" />
      <TryIt />
    </>
  );
}

/** Where the window shows list and thread side by side; Tailwind's `lg`. */
const sideBySide = '(width >= 64rem)';

/** The state behind list and thread, for `InboxFrame`. */
function useInboxState(): Inbox {
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

const counted = /^\(\d+\) /;

/** Puts how many are unread in front of the page's title, "(3) Inbox", also when the title changes by itself. */
function useUnreadTitle(unread: number): void {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(counted, '');
      const title = unread > 0 && plain !== '' ? `(${unread}) ${plain}` : plain;
      if (title !== document.title) document.title = title;
    };
    write();
    // A page that is gone to brings its title some time after its content.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(counted, '');
    };
  }, [unread]);
}
