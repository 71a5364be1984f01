'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams, useSelectedLayoutSegment } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useOptimistic, useRef } from 'react';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { CopyButton } from '@/app/_kit/copy-button';
import { ErrorState } from '@/app/_kit/error-state';
import { PageHeader } from '@/app/_kit/page-header';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useHeldKeys, usePageKeys } from '@/app/_kit/use-page-keys';
import { useTRPC } from '@/app/_trpc/client';
import type { MailSetup } from '@/server/features/mail/mail.schema';
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
import { httpCommand, smtpCommand } from './first-mail-commands';
import { type Inbox, InboxContext } from './inbox-context';
import { inboxKeys, threadCommands } from './inbox-keys';
import { ListPane } from './list-pane';
import { NewEmailLink } from './new-email-link';
import { useConversationList } from './use-conversation-list';

/** List and thread side by side; on a phone, a page each. The list stays mounted while threads change. */
export function InboxFrame({ children }: { children: ReactNode }) {
  const inbox = useInboxState();
  const pulse = useLiveCounts();
  const { list, search, openId, shownId } = inbox;
  useUnreadTitle(pulse?.unread ?? 0);
  usePageKeys('Inbox', inboxKeys, {
    next: () => inbox.walk(1),
    previous: () => inbox.walk(-1),
    ...(openId ? { close: inbox.close } : {}),
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
          <ListPane unread={pulse?.unread ?? 0} />
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

/** How to send the first mail: the address and the command. */
function FirstMailGuide() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.mail.setup.queryOptions({}));
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load addresses" />;
  }
  return (
    <SectionCard title="No emails yet" description="Emails to these addresses appear here.">
      {data ? <FirstMailCommands setup={data} /> : <SkeletonLines shape="text" lines={6} label="Loading the addresses" />}
    </SectionCard>
  );
}

function FirstMailCommands({ setup }: { setup: MailSetup }) {
  const [address] = setup.addresses;
  return (
    <div className="flex flex-col gap-5">
      {address === undefined ? (
        <p className="text-muted">This business has no email address yet. Add one in the business profile, or add an agent.</p>
      ) : (
        <>
          <ul aria-label="Addresses" className="flex flex-wrap gap-2">
            {setup.addresses.map((item) => (
              <li
                key={item}
                className="inline-flex max-w-full items-center rounded-md border border-border bg-background-secondary pl-2.5"
              >
                <span className="min-w-0 truncate font-mono text-label" title={item}>
                  {item}
                </span>
                <CopyButton value={item} label={`Copy ${item}`} size="sm" />
              </li>
            ))}
          </ul>
          <Commands setup={setup} address={address} />
        </>
      )}
    </div>
  );
}

function Commands({ setup, address }: { setup: MailSetup; address: string }) {
  const origin = useOrigin();
  const { smtpPort, acceptsHttp } = setup;
  if (smtpPort === null && !acceptsHttp) return <InboundNotConfigured />;
  // The address at which the viewer reaches the installation is only known after hydration.
  if (origin === '') return <SkeletonLines shape="text" lines={2} label="Loading the command" />;
  const host = new URL(origin).hostname;
  return (
    <div className="flex flex-col gap-4">
      {smtpPort !== null && (
        <CodeLine
          label="For developers: send a test email from a terminal"
          value={smtpCommand({ host, port: smtpPort, address })}
          copyLabel="Copy command"
        />
      )}
      {acceptsHttp && (
        <CodeLine
          label={smtpPort === null ? 'For developers: send a test email over HTTP, with INBOUND_SECRET' : 'Or over HTTP'}
          value={httpCommand({ origin, address })}
          copyLabel={smtpPort === null ? 'Copy command' : 'Copy HTTP command'}
        />
      )}
      <p className="text-label text-muted">It appears here within seconds.</p>
    </div>
  );
}

/** Shown if no mail can come in: which settings enable it. */
function InboundNotConfigured() {
  return (
    <div className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <p>Incoming email isn’t set up. Ask your administrator to set one of these and restart the server:</p>
      <ul className="mt-1 list-disc pl-5">
        <li>
          <code className="font-mono text-label">INBOUND_SMTP_PORT</code>, the port that other mail servers deliver to.
        </li>
        <li>
          <code className="font-mono text-label">INBOUND_SECRET</code>, for a mail provider that forwards messages over HTTP.
        </li>
      </ul>
    </div>
  );
}
