import Link from 'next/link';
import { type MouseEvent, useEffect, useRef } from 'react';
import { isPlainClick } from '@/app/_kit/plain-click';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { AssigneeMark } from './assignee-mark';
import { nameOf, statusLabels, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { LabelChips } from './label-chips';
import { SnoozeBadge } from './snooze-badge';
import { WaitingSince } from './waiting-since';

interface ConversationRowProps {
  conversation: ConversationRecord;
  isOpen: boolean;
  /** This browser has a draft of a reply to it. */
  hasDraft: boolean;
}

/** One conversation of the list; the whole row opens it. */
export function ConversationRow({ conversation, isOpen, hasDraft }: ConversationRowProps) {
  const { hrefOf, open, selection, search } = useInbox();
  const link = useRef<HTMLAnchorElement>(null);
  const { id, isRead, counterpart, messageCount, preview, assignee, labels, waitingSince } = conversation;
  const name = nameOf(counterpart);
  const subject = subjectOf(conversation.subject);
  const status = statusLabels[conversation.status];
  const isSelected = selection.ids.has(id);

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
    <li className="group relative border-b border-separator last:border-b-0">
      <span
        className={`absolute top-1.5 left-0 z-10 flex size-7 items-center justify-center sm:max-lg:left-2 ${
          selection.isSelecting ? '' : 'opacity-0 focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden'
        }`}
      >
        <input
          type="checkbox"
          aria-label={`Select ${name}: ${subject}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          className="size-4 accent-accent"
        />
      </span>
      <Link
        ref={link}
        href={hrefOf(id)}
        prefetch={false}
        aria-current={isOpen ? 'page' : undefined}
        onClick={follow}
        className={`relative block scroll-my-2 py-2.5 pr-4 pl-7 -outline-offset-2 sm:max-lg:pr-6 sm:max-lg:pl-9 ${
          isOpen || isSelected ? 'bg-accent-soft' : 'hover:bg-surface-hover'
        }`}
      >
        {!isRead && (
          <span
            className={`absolute top-4 left-2.5 size-2 rounded-full bg-accent group-has-[input:focus-visible]:opacity-0 sm:max-lg:left-4.5 ${
              selection.isSelecting ? 'opacity-0' : 'pointer-fine:group-hover:opacity-0'
            }`}
          >
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
          <span className="ml-auto shrink-0 text-xs text-muted">
            {search.sort === 'waiting' && waitingSince ? (
              <WaitingSince time={waitingSince} />
            ) : (
              <RelativeTime value={conversation.lastMessageAt} />
            )}
          </span>
        </span>
        <span className={`mt-0.5 block truncate text-label ${isRead ? '' : 'font-medium'}`} title={subject}>
          {subject}
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-label text-muted" title={preview}>
            {preview}
          </span>
          <LabelChips labels={labels} maximum={1} />
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
