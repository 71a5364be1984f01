import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import Link from 'next/link';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { isPlainClick } from '@/app/_kit/plain-click';
import { useTRPC } from '@/app/_trpc/client';
import type { ScheduledEmail } from '@/server/features/conversations/scheduled.schema';
import { scheduledInput } from '../drafts-input';
import { nameOf, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { useLaterText } from './use-later-text';

/** The emails of the business that are sent later, the next one first. */
export function ScheduledList() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.scheduledEmails.list.queryOptions(scheduledInput));
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load scheduled emails" />;
  }
  if (!data) return null;
  if (data.emails.length === 0) {
    return (
      <EmptyState
        icon={CalendarClock}
        title="Nothing scheduled"
        description="Emails that are sent later wait here for their time."
      />
    );
  }
  return (
    <>
      <ul aria-label="Scheduled emails">
        {data.emails.map((email) => (
          <ScheduledRow key={email.id} email={email} />
        ))}
      </ul>
      {data.hasMore && <p className="px-4 py-3 text-center text-label text-muted">Showing the next 100.</p>}
    </>
  );
}

function ScheduledRow({ email }: { email: ScheduledEmail }) {
  const { hrefOf, open, openId } = useInbox();
  const textOf = useLaterText();
  const { conversationId, subject, preview, to, cc, bcc, sendAt, cancelIfReply } = email;
  const name = [...to, ...cc, ...bcc].map(nameOf).join(', ');
  return (
    <li className="border-b border-separator last:border-b-0">
      <Link
        href={hrefOf(conversationId)}
        prefetch={false}
        aria-current={openId === conversationId ? 'page' : undefined}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          open(conversationId);
        }}
        className={`block py-2.5 pr-4 pl-7 -outline-offset-2 sm:max-lg:pr-6 sm:max-lg:pl-9 ${
          openId === conversationId ? 'bg-accent-soft' : 'hover:bg-surface-hover'
        }`}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 truncate" title={name}>
            {name}
          </span>
          <time dateTime={sendAt} className="ml-auto shrink-0 text-xs text-muted">
            {textOf(sendAt)}
          </time>
        </span>
        <span className="mt-0.5 block truncate text-label" title={subjectOf(subject)}>
          {subjectOf(subject)}
        </span>
        <span className="mt-0.5 block truncate text-label text-muted">
          {cancelIfReply && 'Unless they reply · '}
          {preview}
        </span>
      </Link>
    </li>
  );
}
