import { AlarmClock } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard } from '@/app/_kit/use-permission';
import { inboxKeys } from './inbox-keys';
import { LaterMenu } from './later-menu';
import { snoozeChoices } from './later-times';

interface SnoozeMenuProps {
  /** False if its key is for another menu. */
  hasKey?: boolean;
  onChoose: (until: Date) => void;
}

/** Moves a conversation out of the inbox until a time. */
export function SnoozeMenu({ hasKey = true, onChoose }: SnoozeMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const guard = useGuard('conversations:write');
  usePageKeys('Inbox', inboxKeys, hasKey ? { snooze: guard(() => trigger.current?.click()) } : {});
  const [key] = inboxKeys.snooze.keys;
  return (
    <LaterMenu label="Snooze" choicesAt={snoozeChoices} submitLabel="Snooze" placement="bottom start" onChoose={onChoose}>
      <IconButton ref={trigger} label="Snooze" hint={`Snooze (${key})`} needs="conversations:write" aria-keyshortcuts={key}>
        <AlarmClock aria-hidden />
      </IconButton>
    </LaterMenu>
  );
}
