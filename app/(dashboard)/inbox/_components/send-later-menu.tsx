import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Switch } from '@/app/_kit/switch';
import type { SendLater } from './composer-values';
import { LaterMenu } from './later-menu';
import { laterChoices } from './later-times';

interface SendLaterMenuProps {
  isDisabled: boolean;
  /** True for a reply, which the other side may make needless. */
  isReply: boolean;
  onChoose: (later: SendLater) => void;
}

/** Sends an email at a time that is chosen from a menu, or in a dialog. */
export function SendLaterMenu({ isDisabled, isReply, onChoose }: SendLaterMenuProps) {
  const [cancelIfReply, setCancelIfReply] = useState(true);
  return (
    <LaterMenu
      label="Send later"
      choicesAt={laterChoices}
      submitLabel="Schedule"
      placement="top start"
      onChoose={(time, isOffered) => onChoose({ sendAt: time.toISOString(), cancelIfReply: isOffered || cancelIfReply })}
      fields={
        isReply && (
          <Switch label="Cancel it if they reply before" isSelected={cancelIfReply} onChange={setCancelIfReply}>
            <span>Cancel it if they reply before</span>
          </Switch>
        )
      }
    >
      <IconButton label="Send later" needs="conversations:send" isDisabled={isDisabled} className="-ml-2">
        <CalendarClock aria-hidden />
      </IconButton>
    </LaterMenu>
  );
}
