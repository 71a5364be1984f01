import {
  Archive,
  ArchiveRestore,
  ChevronDown,
  ChevronUp,
  Inbox as InboxIcon,
  MailOpen,
  PanelRight,
  ShieldAlert,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ChoiceMenu } from '@/app/_kit/choice-menu';
import { HistoryLink } from '@/app/_kit/history-link';
import { IconButton } from '@/app/_kit/icon-button';
import { keysOf } from '@/app/_kit/keys-of';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { ConversationDetail, ConversationStatus, Presence } from '@/server/features/conversations/conversation.schema';
import { AssigneePicker } from './assignee-picker';
import { BackToList } from './back-to-list';
import { statusLabels, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { type InboxCommand, inboxKeys } from './inbox-keys';
import { LabelChips } from './label-chips';
import { LabelMenu } from './label-menu';
import { presenceLine } from './presence-labels';
import { SnoozeBadge } from './snooze-badge';
import { SnoozeMenu } from './snooze-menu';
import { ThreadMenu } from './thread-menu';
import type { ConversationActions } from './use-conversation-actions';
import { WaitingSince } from './waiting-since';

interface ThreadHeaderProps {
  conversation: ConversationDetail;
  actions: ConversationActions;
  /** What the other members do in it. */
  others: Presence['others'];
  isContextShown: boolean;
  onToggleContext: () => void;
}

/** The subject of the conversation, and its actions. */
export function ThreadHeader({ conversation, actions, others, isContextShown, onToggleContext }: ThreadHeaderProps) {
  const { isArchived, isSpam, isTrashed, restorableUntil, snoozedUntil, waitingSince } = conversation;
  const { selection } = useInbox();
  const subject = subjectOf(conversation.subject);
  const viewing = presenceLine(others, 'viewing');
  return (
    <header className="@container z-10 border-b border-border bg-background px-4 py-2.5 max-lg:sticky max-lg:top-14 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-1">
        <BackToList />
        <h1
          title={subject}
          className="min-w-0 flex-1 truncate text-base font-semibold tracking-tight @max-2xl:order-last @max-2xl:basis-full"
        >
          {subject}
        </h1>
        <WalkButtons />
        {!isTrashed && (
          <>
            <ActionButton
              command="archive"
              label={isArchived ? 'Move to inbox' : 'Archive'}
              icon={isArchived ? <InboxIcon aria-hidden /> : <Archive aria-hidden />}
              onPress={actions.toggleArchived}
            />
            {!isSpam && <SnoozeMenu hasKey={selection.ids.size === 0} onChoose={actions.snooze} />}
            <ActionButton
              command="spam"
              label={isSpam ? 'Not spam' : 'Mark as spam'}
              icon={isSpam ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
              onPress={actions.toggleSpam}
              className="max-sm:hidden"
            />
            <ActionButton
              command="unread"
              label="Mark as unread"
              icon={<MailOpen aria-hidden />}
              onPress={() => actions.markUnread()}
              className="max-sm:hidden"
            />
          </>
        )}
        <ActionButton
          command="trash"
          label={isTrashed ? 'Restore' : 'Move to trash'}
          icon={isTrashed ? <ArchiveRestore aria-hidden /> : <Trash2 aria-hidden />}
          onPress={actions.toggleTrashed}
        />
        <ThreadMenu conversation={conversation} actions={actions} onDetails={onToggleContext} />
        <IconButton label="Details" aria-expanded={isContextShown} onPress={onToggleContext} className="max-sm:hidden">
          <PanelRight aria-hidden />
        </IconButton>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <ConversationStatusMenu status={conversation.status} onChange={actions.changeStatus} />
        <AssigneePicker assignee={conversation.assignee} onChange={actions.assign} />
        <span className="flex min-w-0 items-center gap-1">
          <LabelMenu present={conversation.labels} hasKey={selection.ids.size === 0} onChange={actions.setLabel} />
          <LabelChips labels={conversation.labels} />
        </span>
        {isTrashed && <StatusBadge tone="warning">Trash</StatusBadge>}
        {restorableUntil && (
          <span className="text-xs text-muted">
            Will be deleted <RelativeTime value={restorableUntil} />
          </span>
        )}
        {snoozedUntil && <SnoozeBadge until={snoozedUntil} withTime />}
        {isArchived && !snoozedUntil && <StatusBadge tone="neutral">Archived</StatusBadge>}
        {isSpam && <StatusBadge tone="warning">Spam</StatusBadge>}
        {waitingSince && (
          <span className="text-xs text-muted">
            <WaitingSince time={waitingSince} />
          </span>
        )}
        {viewing && (
          <span title={viewing} className="min-w-0 flex-1 basis-16 truncate text-xs text-muted">
            {viewing}
          </span>
        )}
        <HistoryLink id={conversation.id} subject="this conversation" className="ml-auto" />
      </div>
    </header>
  );
}

interface ActionButtonProps {
  command: InboxCommand;
  label: string;
  icon: ReactNode;
  onPress: () => void;
  className?: string;
}

/** A button for an action that has a shortcut as well. */
function ActionButton({ command, label, icon, onPress, className = '' }: ActionButtonProps) {
  const [key] = inboxKeys[command].keys;
  return (
    <IconButton
      label={label}
      needs="conversations:write"
      hint={`${label} (${key})`}
      aria-keyshortcuts={key}
      onPress={onPress}
      className={className}
    >
      {icon}
    </IconButton>
  );
}

/** Open the conversations before and after this one in the list. */
function WalkButtons() {
  const { walk, canWalk } = useInbox();
  return (
    <>
      <IconButton
        label="Previous conversation"
        hint={`Previous conversation (${inboxKeys.previous.keys[0]})`}
        isDisabled={!canWalk(-1)}
        onPress={() => walk(-1)}
      >
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton
        label="Next conversation"
        hint={`Next conversation (${inboxKeys.next.keys[0]})`}
        isDisabled={!canWalk(1)}
        onPress={() => walk(1)}
      >
        <ChevronDown aria-hidden />
      </IconButton>
    </>
  );
}

interface ConversationStatusMenuProps {
  status: ConversationStatus;
  onChange: (status: ConversationStatus) => void;
}

const choices = keysOf(statusLabels).map((value) => ({ value, ...statusLabels[value] }));

/** Shows and changes the status of a conversation, with an explanation of each choice. */
function ConversationStatusMenu({ status, onChange }: ConversationStatusMenuProps) {
  const { label, tone } = statusLabels[status];
  return (
    <ChoiceMenu label="Status" choices={choices} value={status} onChange={onChange}>
      <Dropdown.Trigger
        aria-label={`Status: ${label}`}
        needs="conversations:write"
        className="flex h-7 items-center gap-1 rounded-md pr-1 hover:bg-surface-hover focus-visible:outline-2 focus-visible:outline-focus"
      >
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <ChevronDown aria-hidden className="size-3.5 text-muted" />
      </Dropdown.Trigger>
    </ChoiceMenu>
  );
}
