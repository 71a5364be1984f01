import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import type { SendLater } from './composer-values';
import { laterChoices } from './later-times';
import { useLaterText } from './use-later-text';

const SendLaterDialog = onDemandComponent(() => import('./send-later-dialog').then((module) => module.SendLaterDialog));

interface SendLaterMenuProps {
  isDisabled: boolean;
  /** True for a reply, which the other side may make needless. */
  isReply: boolean;
  onChoose: (later: SendLater) => void;
}

/** Sends an email at a time that is chosen from a menu, or in a dialog. */
export function SendLaterMenu({ isDisabled, isReply, onChoose }: SendLaterMenuProps) {
  const textOf = useLaterText();
  const [isAsking, setIsAsking] = useState(false);
  const choices = laterChoices(new Date());
  const choose = (id: unknown) => {
    const choice = choices.find((each) => each.id === id);
    if (choice) onChoose({ sendAt: choice.time.toISOString(), cancelIfReply: true });
    else setIsAsking(true);
  };
  return (
    <>
      <Dropdown>
        <IconButton label="Send later" needs="conversations:send" isDisabled={isDisabled} className="-ml-2">
          <CalendarClock aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="top start" className="w-60">
          <Dropdown.Menu aria-label="Send later" onAction={choose}>
            {choices.map(({ id, label, time }) => (
              <Dropdown.Item key={id} id={id} textValue={label}>
                <span className="flex min-w-0 flex-col">
                  <Dropdown.Label>{label}</Dropdown.Label>
                  <span className="text-xs text-muted">{textOf(time)}</span>
                </span>
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="other" textValue="Choose date and time…">
              <Dropdown.Label>Choose date and time…</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isAsking && (
        <SendLaterDialog
          isReply={isReply}
          onClose={() => setIsAsking(false)}
          onChoose={(later) => {
            setIsAsking(false);
            onChoose(later);
          }}
        />
      )}
    </>
  );
}
