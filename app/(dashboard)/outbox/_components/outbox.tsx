'use client';

import { CircleAlert, Send } from 'lucide-react';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { LoadMore } from '@/app/_kit/load-more';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import type { OutboxMailRecord, OutboxStateName } from '@/server/features/mail/mail.schema';
import { outboxSearchParams } from '../search-params';
import { outboxColumns } from './outbox-columns';
import { OutboxFilters } from './outbox-filters';
import { mailHref, resendLabel, stateWords } from './outbox-words';
import { useOutbox } from './use-outbox';

const rowId = (mail: OutboxMailRecord) => mail.id;

/** Every mail that leaves the business, newest first. */
export function Outbox() {
  const [search, setSearch] = useQueryStates(outboxSearchParams, { history: 'push' });
  const outbox = useOutbox(search);
  const { mails, counts, canSend } = outbox;
  const hasNotes = mails.some(({ state }) => resendLabel(state) !== null);
  const columns = useMemo(() => outboxColumns({ canSend, hasNotes }), [canSend, hasNotes]);
  const showAll = () => void setSearch({ state: null });

  return (
    <section aria-label="Outbox">
      {!canSend && <WaitsBanner />}
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <OutboxFilters counts={counts} />
        <QuarantineLink count={outbox.quarantined} />
      </div>
      <Surface isList>
        {outbox.error ? (
          <ErrorState
            error={outbox.error}
            onRetry={outbox.retry}
            title="The outbox could not be loaded"
            reassurance="Mail goes on being sent as before."
          />
        ) : !counts ? (
          <SkeletonLines lines={8} label="Loading the outbox" />
        ) : mails.length === 0 ? (
          <NoMail state={search.state} onShowAll={showAll} />
        ) : (
          <DataTable label="Mails" columns={columns} rows={mails} rowId={rowId} rowHref={mailHref} isStale={outbox.isStale} />
        )}
      </Surface>
      {outbox.hasMore && (
        <div className="mt-4">
          <LoadMore
            what="More mails"
            isLoading={outbox.isLoadingMore}
            hasFailed={outbox.hasFailedToLoadMore}
            onLoadMore={outbox.loadMore}
          />
        </div>
      )}
    </section>
  );
}

/** What came in and could not be taken in; said only where there is something. */
function QuarantineLink({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Link href="/quarantine" className="text-label text-accent-text underline-offset-2 hover:underline">
      {count === 1 ? '1 incoming message is' : `${count} incoming messages are`} in quarantine
    </Link>
  );
}

function WaitsBanner() {
  return (
    <div role="status" className="mb-4 flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>
        Mail waits here: this installation has no mail server to send through. Whoever runs it sets{' '}
        <code className="font-mono text-label">SMTP_URL</code>, and what waits is then sent.
      </p>
    </div>
  );
}

function NoMail({ state, onShowAll }: { state: OutboxStateName | null; onShowAll: () => void }) {
  if (state !== null) {
    return (
      <EmptyState
        icon={stateWords[state].icon}
        title={`No mail in state “${stateWords[state].label}”`}
        description="Mails in other states may be there."
        action={
          <Button variant="secondary" onPress={onShowAll}>
            Show all mails
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Send}
      title="No mail has been written yet"
      description="Replies, invitations and reminders stand here from the moment they are written, with what became of them."
      action={<ButtonLink href="/inbox">Open the inbox</ButtonLink>}
      apiHint="POST /conversations/{conversationId}/messages"
    />
  );
}
