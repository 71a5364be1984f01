import { Toolbar } from '@heroui/react/toolbar';
import {
  Archive,
  ArchiveRestore,
  CircleCheck,
  Inbox as InboxIcon,
  Mail,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  Trash2,
  UserRound,
  X,
} from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { keysOf } from '@/app/_kit/keys-of';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard } from '@/app/_kit/use-permission';
import { assigneeValue } from './assignee-choices';
import { statusLabels } from './conversation-labels';
import { useInbox } from './inbox-context';
import { type InboxCommand, inboxKeys } from './inbox-keys';
import { LabelMenu } from './label-menu';
import { SnoozeMenu } from './snooze-menu';
import { useAssigneeChoices } from './use-assignee-choices';
import { useBulkActions } from './use-bulk-actions';

/** What can be done with the conversations that are chosen in the list. */
export function SelectionBar() {
  const { list, selection } = useInbox();
  const chosen = list.rows.filter(({ id }) => selection.ids.has(id));
  const actions = useBulkActions(chosen);
  const guard = useGuard('conversations:write');
  const isNone = chosen.length === 0;
  const [isAllArchived, isAllSpam, isAllTrashed] = (['isArchived', 'isSpam', 'isTrashed'] as const).map(
    (field) => !isNone && chosen.every((conversation) => conversation[field]),
  );
  const isSnoozable = chosen.every(({ isSpam, isTrashed }) => !isSpam && !isTrashed);
  const isAnyUnread = chosen.some(({ isRead }) => !isRead);
  const [first, ...others] = chosen;
  const common = (first?.labels ?? []).filter(({ id }) => others.every(({ labels }) => labels.some((label) => label.id === id)));
  const act = {
    archive: () => actions.setArchived(!isAllArchived),
    unread: () => actions.setRead(isAnyUnread),
    spam: () => actions.setSpam(!isAllSpam),
    trash: () => actions.setTrashed(!isAllTrashed),
  };
  usePageKeys(
    'Inbox',
    inboxKeys,
    isNone
      ? {}
      : {
          ...(isAllTrashed ? {} : { archive: guard(act.archive), unread: guard(act.unread), spam: guard(act.spam) }),
          trash: guard(act.trash),
        },
  );
  const button = (command: keyof typeof act, label: string, icon: ReactNode) => (
    <BulkButton command={command} label={label} icon={icon} isDisabled={isNone} onPress={act[command]} />
  );
  return (
    <div className="flex flex-wrap items-center gap-x-2 border-b border-separator bg-surface py-1 pr-1 pl-1.5 max-lg:sticky max-lg:top-14 max-lg:z-20 sm:max-lg:pr-3 sm:max-lg:pl-3.5 lg:sticky lg:top-0 lg:z-20">
      <input
        type="checkbox"
        aria-label="Select all conversations"
        ref={(input) => {
          if (input) input.indeterminate = !isNone && chosen.length < list.rows.length;
        }}
        checked={!isNone && chosen.length === list.rows.length}
        onChange={selection.toggleAll}
        className="size-4 shrink-0 accent-accent"
      />
      <p role="status" className="min-w-0 flex-1 truncate text-label">
        {chosen.length} selected
      </p>
      <IconButton label="End selection" hint="End selection (Esc)" onPress={selection.clear}>
        <X aria-hidden />
      </IconButton>
      <Toolbar aria-label="Selected conversations" className="-ml-2 flex basis-full items-center gap-0">
        {!isAllTrashed && (
          <>
            {button(
              'archive',
              isAllArchived ? 'Move to inbox' : 'Archive',
              isAllArchived ? <InboxIcon aria-hidden /> : <Archive aria-hidden />,
            )}
            {isSnoozable && !isNone && <SnoozeMenu onChoose={actions.snooze} />}
            {button(
              'unread',
              isAnyUnread ? 'Mark as read' : 'Mark as unread',
              isAnyUnread ? <MailOpen aria-hidden /> : <Mail aria-hidden />,
            )}
            {button(
              'spam',
              isAllSpam ? 'Not spam' : 'Mark as spam',
              isAllSpam ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />,
            )}
          </>
        )}
        {button(
          'trash',
          isAllTrashed ? 'Restore' : 'Move to trash',
          isAllTrashed ? <ArchiveRestore aria-hidden /> : <Trash2 aria-hidden />,
        )}
        {!isAllTrashed && <LabelMenu present={common} isDisabled={isNone} onChange={actions.setLabel} />}
        {!isAllTrashed && <AssignMenu isDisabled={isNone} onChoose={actions.assign} />}
        {!isAllTrashed && <StatusMenu isDisabled={isNone} onChoose={actions.changeStatus} />}
      </Toolbar>
    </div>
  );
}

interface BulkButtonProps {
  command: InboxCommand;
  label: string;
  icon: ReactNode;
  isDisabled: boolean;
  onPress: () => void;
}

function BulkButton({ command, label, icon, isDisabled, onPress }: BulkButtonProps) {
  const [key] = inboxKeys[command].keys;
  return (
    <IconButton
      label={label}
      hint={`${label} (${key})`}
      needs="conversations:write"
      aria-keyshortcuts={key}
      isDisabled={isDisabled}
      onPress={onPress}
    >
      {icon}
    </IconButton>
  );
}

type Actions = ReturnType<typeof useBulkActions>;

function AssignMenu({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: Actions['assign'] }) {
  const choices = useAssigneeChoices();
  const trigger = useRef<HTMLButtonElement>(null);
  const guard = useGuard('conversations:write');
  usePageKeys('Inbox', inboxKeys, isDisabled ? {} : { assign: guard(() => trigger.current?.click()) });
  const choose = (value: unknown) => onChoose(choices.find((choice) => choice.value === value)?.assignee ?? null);
  return (
    <Dropdown>
      <IconButton ref={trigger} label="Assign" hint="Assign (a)" needs="conversations:write" isDisabled={isDisabled}>
        <UserRound aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="max-h-80 w-60">
        <Dropdown.Menu aria-label="Assign" onAction={choose}>
          {choices.map(({ label, assignee }) => (
            <Dropdown.Item key={assigneeValue(assignee)} id={assigneeValue(assignee)} textValue={label}>
              <Dropdown.Label>{label}</Dropdown.Label>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}

function StatusMenu({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: Actions['changeStatus'] }) {
  return (
    <Dropdown>
      <IconButton label="Status" needs="conversations:write" isDisabled={isDisabled}>
        <CircleCheck aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-60">
        <Dropdown.Menu aria-label="Status" onAction={(status) => onChoose(status as keyof typeof statusLabels)}>
          {keysOf(statusLabels).map((status) => (
            <Dropdown.Item key={status} id={status} textValue={statusLabels[status].label}>
              <Dropdown.Label>{statusLabels[status].label}</Dropdown.Label>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
