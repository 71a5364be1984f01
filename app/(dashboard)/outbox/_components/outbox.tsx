'use client';

import { CircleAlert, Send } from 'lucide-react';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { keysOf } from '@/app/_kit/keys-of';
import { LoadMoreList } from '@/app/_kit/list-body';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { RelativeTime } from '@/app/_kit/relative-time';
import { Segments } from '@/app/_kit/segments';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { OutboxList, OutboxMailRecord } from '@/server/features/mail/mail.schema';
import type { OutboxStateName } from '@/server/features/outbox/outbox.schema';
import { useHydratedLiveCounts } from '../../_components/use-live-counts';
import { type OutboxSearch, openMail, outboxInput, outboxSearchParams, outboxSearchQuery } from '../search-params';
import { MailState } from './mail-state';
import {
  attemptsLine,
  countLabel,
  kindBefore,
  kindLabel,
  mailSubject,
  refreshMilliseconds,
  resendLabel,
  stateLabels,
} from './outbox-labels';
import { ResendButton } from './resend-button';

const MailSheet = onDemandComponent(() => import('./mail-sheet').then((file) => file.MailSheet));

const hasMoving = (page: OutboxList | undefined) => page !== undefined && page.counts.queued + page.counts.sending > 0;

/**
 * The emails of the outbox, loaded in pages. Refetched every five seconds while one is being sent, and when the live counts
 * change.
 */
function useOutbox(search: OutboxSearch) {
  const trpc = useTRPC();
  const live = useHydratedLiveCounts();
  const input = outboxInput(search);
  const { firstPage, ...pages } = useCursorPages({
    pageAt: (cursor) => trpc.mail.outbox.queryOptions({ ...input, ...cursor }),
    items: 'emails',
    keepsPrevious: true,
    news: live && `${live.version} ${live.waitingMails} ${live.failedMails}`,
    refetchInterval: (first) => (hasMoving(first) ? refreshMilliseconds : false),
  });
  return {
    ...pages,
    counts: firstPage?.counts,
    /** How many incoming messages could not be accepted. */
    quarantined: live?.quarantined ?? 0,
  };
}

const choices = [
  { value: null, label: 'All' },
  ...keysOf(stateLabels).map((state) => ({ value: state, label: stateLabels[state].label })),
];

/** Filters by state, each with its count; stored in the address. */
function OutboxFilters({ counts }: { counts: OutboxList['counts'] | undefined }) {
  const [search, setSearch] = useQueryStates(outboxSearchParams, { history: 'push' });
  const segments = choices.map(({ value, label }) => {
    const count = value !== null && counts ? counts[value] : 0;
    return { value, label, count: count > 0 ? countLabel(count) : null };
  });
  return <Segments label="Status" segments={segments} value={search.state} onChange={(state) => void setSearch({ state })} />;
}

/** All outgoing mail of the business, newest first. */
export function Outbox() {
  const [search, setSearch] = useQueryStates(outboxSearchParams, { history: 'push' });
  const outbox = useOutbox(search);
  const { items: emails, counts } = outbox;
  const open = openMail(search);
  const hasNotes = emails.some((mail) => resendLabel(mail) !== null);
  const columns = useMemo(() => outboxColumns(hasNotes), [hasNotes]);

  return (
    <>
      {emails.some(({ state, canSend }) => state === 'queued' && !canSend) && <WaitsBanner />}
      <LoadMoreList
        label="Sent & delivery"
        what="emails"
        more="more emails"
        reassurance="Sending isn’t affected."
        pages={outbox}
        header={
          <>
            <OutboxFilters counts={counts} />
            <QuarantineLink count={outbox.quarantined} />
          </>
        }
        empty={<NoMail state={search.state} onShowAll={() => void setSearch({ state: null })} />}
      >
        <DataTable
          label="Emails"
          columns={columns}
          rows={emails}
          rowHref={({ id }) => `/outbox${outboxSearchQuery({ ...search, mail: id })}`}
          onOpen={({ id }) => void setSearch({ mail: id })}
        />
      </LoadMoreList>
      {open && <MailSheet mailId={open} onClose={() => void setSearch({ mail: null })} />}
    </>
  );
}

/** Links to the quarantine unless it is empty. */
function QuarantineLink({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Link href="/quarantine" className="ml-auto text-label text-accent-text underline-offset-2 hover:underline">
      {count === 1 ? '1 blocked incoming message' : `${count} blocked incoming messages`}
    </Link>
  );
}

function WaitsBanner() {
  return (
    <div role="status" className="mb-4 flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>
        Outgoing email isn’t set up. Ask your administrator to set <code className="font-mono text-label">SMTP_URL</code>; queued
        emails are then sent.
      </p>
    </div>
  );
}

function NoMail({ state, onShowAll }: { state: OutboxStateName | null; onShowAll: () => void }) {
  if (state !== null) {
    return (
      <EmptyState
        icon={stateLabels[state].icon}
        title={`No ${stateLabels[state].label.toLowerCase()} emails`}
        action={
          <Button variant="secondary" onPress={onShowAll}>
            Show all emails
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Send}
      title="Nothing sent yet"
      description="Replies, invitations and reminders appear here with their delivery status."
      action={<ButtonLink href="/inbox">Go to inbox</ButtonLink>}
    />
  );
}

/**
 * The columns of the outbox: subject, recipients, sender, state and time.
 * @param hasNotes whether any mail has failed or waits, which needs a note besides the state
 */
function outboxColumns(hasNotes: boolean): readonly DataColumn<OutboxMailRecord>[] {
  const note: DataColumn<OutboxMailRecord> = {
    header: 'Details',
    phone: 'hidden',
    className: 'w-[16%] max-lg:hidden',
    cell: (mail) => <Note mail={mail} />,
  };
  return [
    {
      header: 'Subject',
      phone: 'title',
      cell: (mail) => <Subject mail={mail} />,
    },
    {
      header: 'To',
      phone: 'line',
      className: 'w-[18%]',
      cell: (mail) => <Recipients recipients={mail.recipients} />,
    },
    {
      header: 'From',
      phone: 'hidden',
      className: 'w-[16%] max-xl:hidden',
      cell: (mail) => (
        <span className="text-muted" title={`${mail.from.displayName ?? ''} <${mail.from.email}>`.trim()}>
          {mail.from.email}
        </span>
      ),
    },
    {
      header: 'Status',
      phone: 'line-end',
      className: 'md:w-30',
      cell: (mail) => <MailState mail={mail} />,
    },
    ...(hasNotes ? [note] : []),
    {
      header: 'When',
      phone: 'aside',
      className: 'md:w-26',
      cell: (mail) => <RelativeTime value={mail.sentAt ?? mail.createdAt} className="text-muted" />,
    },
  ];
}

/** The kind of mail as an icon and as text for screen readers, and its subject. */
function Subject({ mail }: { mail: OutboxMailRecord }) {
  const { icon: Icon } = kindLabel(mail.kind);
  const kind = kindBefore(mail);
  const subject = mailSubject(mail);
  return (
    <span title={kind + subject}>
      <Icon aria-hidden className="mr-2 inline size-3.5 align-[-2px] text-muted" />
      {kind && <span className="sr-only">{kind}</span>}
      {subject}
    </span>
  );
}

function Recipients({ recipients }: { recipients: readonly string[] }) {
  const [first = '(no recipients)', ...others] = recipients;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted">
      <span className="truncate" title={first}>
        {first}
      </span>
      {others.length > 0 && (
        <span className="shrink-0 text-xs" title={others.join('\n')}>
          +{others.length}
          <span className="sr-only"> more</span>
        </span>
      )}
    </span>
  );
}

/** One line of details about the state; the email's panel shows all of them. */
function Note({ mail }: { mail: OutboxMailRecord }) {
  if (mail.state !== 'failed' && mail.state !== 'queued') return null;
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1 truncate text-muted" title={mail.error ?? undefined}>
        {mail.state === 'failed' ? (mail.error ?? 'Unknown error') : <Attempts mail={mail} />}
      </span>
      {/* Above the link that spans the row. */}
      {mail.canSend && <ResendButton mail={mail} className="relative z-1 h-7! shrink-0 px-2! text-label" />}
    </span>
  );
}

function Attempts({ mail }: { mail: OutboxMailRecord }) {
  return (
    <>
      {attemptsLine(mail.attempts)}
      {mail.canSend && mail.dueAt !== null && (
        <>
          , next <RelativeTime value={mail.dueAt} />
        </>
      )}
    </>
  );
}
