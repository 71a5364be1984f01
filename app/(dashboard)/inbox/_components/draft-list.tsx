import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import Link from 'next/link';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { isPlainClick } from '@/app/_kit/plain-click';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useTRPC } from '@/app/_trpc/client';
import type { ListedDraft } from '@/server/features/conversations/draft.schema';
import { draftsInput } from '../drafts-input';
import { nameOf, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';

/** The member's drafts: replies, and emails that have no conversation yet. */
export function DraftList() {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.drafts.list.queryOptions(draftsInput));
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load drafts" />;
  }
  if (!data) return null;
  if (data.drafts.length === 0) {
    return <EmptyState icon={Pencil} title="No drafts" description="Emails that you begin are kept here, on all your devices." />;
  }
  return (
    <>
      <ul aria-label="Drafts">
        {data.drafts.map((draft) => (
          <DraftRow key={draft.id} draft={draft} />
        ))}
      </ul>
      {data.hasMore && <p className="px-4 py-3 text-center text-label text-muted">Showing the newest.</p>}
    </>
  );
}

function DraftRow({ draft }: { draft: ListedDraft }) {
  const { hrefOf, newEmailHref, open, write, openId, openDraftId } = useInbox();
  const { id, conversationId, subject, preview, to, cc, bcc, updatedAt } = draft;
  const recipients = [...to, ...cc, ...bcc];
  const name = recipients.length === 0 ? 'No recipient' : recipients.map(nameOf).join(', ');
  const isOpen = conversationId === null ? openDraftId === id : openId === conversationId;
  return (
    <li className="border-b border-separator last:border-b-0">
      <Link
        href={conversationId === null ? newEmailHref({ draft: id }) : hrefOf(conversationId)}
        prefetch={false}
        aria-current={isOpen ? 'page' : undefined}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          if (conversationId === null) write({ draft: id });
          else open(conversationId);
        }}
        className={`block py-2.5 pr-4 pl-7 -outline-offset-2 sm:max-lg:pr-6 sm:max-lg:pl-9 ${
          isOpen ? 'bg-accent-soft' : 'hover:bg-surface-hover'
        }`}
      >
        <span className="flex items-baseline gap-2">
          <span className={`min-w-0 truncate ${recipients.length === 0 ? 'text-muted' : ''}`} title={name}>
            {name}
          </span>
          <RelativeTime value={updatedAt} className="ml-auto shrink-0 text-xs text-muted" />
        </span>
        <span className="mt-0.5 block truncate text-label" title={subjectOf(subject)}>
          {subjectOf(subject)}
        </span>
        <span className="mt-0.5 block truncate text-label text-muted">{preview}</span>
      </Link>
    </li>
  );
}
