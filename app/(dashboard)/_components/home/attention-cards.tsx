import { Bot, CircleAlert, Gauge, Hourglass, type LucideIcon, Mail, MailX, SendHorizontal, ShieldAlert } from 'lucide-react';
import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { Home } from '@/server/features/home/home.schema';
import { nameOf, statusLabels, subjectOf } from '../../inbox/_components/conversation-labels';
import type { Attention, AttentionKind } from './attention';
import { CardLink } from './home-cards';

const icons: Record<AttentionKind, LucideIcon> = {
  waiting: Hourglass,
  open: Mail,
  failed: CircleAlert,
  mails: SendHorizontal,
  agents: Bot,
  addresses: MailX,
  quarantine: ShieldAlert,
  tokens: Gauge,
  executions: Gauge,
};

const tones: Record<Attention['tone'], string> = {
  plain: 'text-muted',
  warning: 'text-warning-text',
  danger: 'text-danger-text',
};

/** Everything that needs the owner's attention in one row, each with its count and a link to the matching list. */
export function AttentionStrip({ attention }: { attention: readonly Attention[] }) {
  return (
    <section aria-label="Needs attention now" className="mb-6 overflow-hidden rounded-lg border border-border bg-surface">
      <ul className="-mr-px -mb-px flex flex-wrap">
        {attention.map(({ kind, label, figure, tone, href }) => {
          const Icon = icons[kind];
          return (
            <li key={kind} className="min-w-[50%] flex-1 border-r border-b border-separator sm:min-w-36">
              <Link href={href} className="block px-4 py-3 -outline-offset-2 hover:bg-surface-hover sm:px-5 sm:py-4">
                <span className={`flex items-center gap-1.5 text-label ${tones[tone]}`}>
                  <Icon aria-hidden className="size-3.5 shrink-0" />
                  <span className="truncate">{label}</span>
                </span>
                <span className="mt-1 block text-display font-semibold tracking-tight">{figure}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type UrgentConversation = Home['conversations']['urgent'][number];

/** The most urgent conversations: failed ones, the longest waiting, open and unread ones. */
export function UrgentConversations({ urgent }: { urgent: readonly UrgentConversation[] }) {
  return (
    <SectionCard title="Needs your attention" flush actions={<CardLink href="/inbox">View inbox</CardLink>}>
      {urgent.length === 0 ? (
        <p className="px-5 py-6 text-muted">No conversations need you.</p>
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
