import Link from 'next/link';
import { type MouseEvent, useEffect, useRef } from 'react';
import { isPlainClick } from '@/app/_kit/plain-click';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { AssigneeMark } from './assignee-mark';
import { nameOf, statusLabels, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { SnoozeBadge } from './snooze-badge';

interface ConversationRowProps {
  conversation: ConversationRecord;
  isOpen: boolean;
  /** This browser has a draft of a reply to it. */
  hasDraft: boolean;
}

/** One conversation of the list; the whole row opens it. */
export function ConversationRow({ conversation, isOpen, hasDraft }: ConversationRowProps) {
  const { hrefOf, open } = useInbox();
  const link = useRef<HTMLAnchorElement>(null);
  const { id, isRead, counterpart, messageCount, preview, assignee } = conversation;
  const name = nameOf(counterpart);
  const subject = subjectOf(conversation.subject);
  const status = statusLabels[conversation.status];

  useEffect(() => {
    if (!isOpen) return;
    link.current?.scrollIntoView({ block: 'nearest' });
    // Keyboard navigation continues from the open row.
    if (document.activeElement?.closest('[data-conversations]')) link.current?.focus({ preventScroll: true });
  }, [isOpen]);

  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    open(id);
  };

  return (
    <li className="border-b border-separator last:border-b-0">
      <Link
        ref={link}
        href={hrefOf(id)}
        prefetch={false}
        aria-current={isOpen ? 'page' : undefined}
        onClick={follow}
        className={`relative block scroll-my-2 py-2.5 pr-4 pl-7 -outline-offset-2 sm:max-lg:pr-6 sm:max-lg:pl-9 ${
          isOpen ? 'bg-accent-soft' : 'hover:bg-surface-hover'
        }`}
      >
        {!isRead && (
          <span className="absolute top-4 left-2.5 size-2 rounded-full bg-accent sm:max-lg:left-4.5">
            <span className="sr-only">Unread.</span>
          </span>
        )}
        <span className="flex items-baseline gap-2">
          <span className={`min-w-0 truncate ${isRead ? '' : 'font-semibold'}`} title={name}>
            {name}
          </span>
          {messageCount > 1 && (
            <span className="shrink-0 text-xs text-muted">
              {messageCount}
              <span className="sr-only"> messages</span>
            </span>
          )}
          <RelativeTime value={conversation.lastMessageAt} className="ml-auto shrink-0 text-xs text-muted" />
        </span>
        <span className={`mt-0.5 block truncate text-label ${isRead ? '' : 'font-medium'}`} title={subject}>
          {subject}
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-label text-muted" title={preview}>
            {preview}
          </span>
          {hasDraft && <StatusBadge tone="info">Draft</StatusBadge>}
          {conversation.isTrashed && <StatusBadge tone="neutral">Trash</StatusBadge>}
          {conversation.isSpam && <StatusBadge tone="warning">Spam</StatusBadge>}
          {conversation.snoozedUntil && <SnoozeBadge until={conversation.snoozedUntil} />}
          {conversation.isArchived && !conversation.snoozedUntil && <StatusBadge tone="neutral">Archived</StatusBadge>}
          <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
          {assignee && <AssigneeMark assignee={assignee} />}
        </span>
      </Link>
    </li>
  );
}
