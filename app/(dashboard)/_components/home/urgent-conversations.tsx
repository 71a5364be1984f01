import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { Home } from '@/server/features/home/home.schema';
import { nameOf, statusLabels, subjectOf } from '../../inbox/_components/conversation-labels';
import { CardLink } from './card-link';

type UrgentConversation = Home['conversations']['urgent'][number];

/** The conversations to begin with: what failed, who has waited longest, what nobody has read. */
export function UrgentConversations({ urgent }: { urgent: readonly UrgentConversation[] }) {
  return (
    <SectionCard title="Conversations to begin with" flush actions={<CardLink href="/inbox">Open the inbox</CardLink>}>
      {urgent.length === 0 ? (
        <p className="px-5 py-6 text-muted">No conversation waits for you.</p>
      ) : (
        <ul>
          {urgent.map((conversation) => (
            <ConversationItem key={conversation.id} conversation={conversation} />
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function ConversationItem({ conversation }: { conversation: UrgentConversation }) {
  const { id, isRead, counterpart, status, lastMessageAt } = conversation;
  const name = nameOf(counterpart);
  const subject = subjectOf(conversation.subject);
  const { tone, label } = statusLabels[status];
  return (
    <li className="border-b border-separator last:border-b-0">
      <Link href={`/inbox/${id}`} prefetch={false} className="block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
        <span className="flex items-baseline gap-3">
          <span className={`min-w-0 flex-1 truncate ${isRead ? '' : 'font-semibold'}`} title={subject}>
            {subject}
          </span>
          <RelativeTime value={lastMessageAt} className="shrink-0 text-label text-muted" />
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-label text-muted" title={counterpart.email}>
            {name}
          </span>
          {!isRead && <StatusBadge tone="info">Unread</StatusBadge>}
          {(isRead || status !== 'pending') && <StatusBadge tone={tone}>{label}</StatusBadge>}
        </span>
      </Link>
    </li>
  );
}
