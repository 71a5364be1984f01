import { ChevronDown, UserRound } from 'lucide-react';
import { useRef } from 'react';
import { ChoiceMenu } from '@/app/_kit/choice-menu';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard } from '@/app/_kit/use-permission';
import type { Assignee } from '@/server/features/conversations/conversation.schema';
import { assigneeValue } from './assignee-choices';
import { AssigneeMark } from './assignee-mark';
import { useInbox } from './inbox-context';
import { inboxKeys } from './inbox-keys';
import { useAssigneeChoices } from './use-assignee-choices';

interface AssigneePickerProps {
  assignee: Assignee | null;
  onChange: (assignee: Assignee | null) => void;
}

/** Shows and changes who takes care of a conversation. */
export function AssigneePicker({ assignee, onChange }: AssigneePickerProps) {
  const choices = useAssigneeChoices();
  const trigger = useRef<HTMLButtonElement>(null);
  const guard = useGuard('conversations:write');
  const { selection } = useInbox();
  usePageKeys('Inbox', inboxKeys, selection.ids.size > 0 ? {} : { assign: guard(() => trigger.current?.click()) });
  const [key] = inboxKeys.assign.keys;
  const value = assigneeValue(assignee);
  const label = choices.find((choice) => choice.value === value)?.label ?? assignee?.name ?? 'Unassigned';
  return (
    <ChoiceMenu
      label="Assignee"
      choices={choices}
      value={value}
      onChange={(chosen) => onChange(choices.find((choice) => choice.value === chosen)?.assignee ?? null)}
      className="max-h-80 w-60"
    >
      <Dropdown.Trigger
        ref={trigger}
        aria-label={`Assignee: ${label}`}
        aria-keyshortcuts={key}
        title={`Assignee (${key})`}
        needs="conversations:write"
        className="flex h-7 min-w-0 items-center gap-1.5 rounded-md px-1 text-label text-muted hover:bg-surface-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
      >
        {assignee ? <AssigneeMark assignee={assignee} /> : <UserRound aria-hidden className="size-4 shrink-0" />}
        <span className="max-w-36 truncate">{label}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </Dropdown.Trigger>
    </ChoiceMenu>
  );
}
