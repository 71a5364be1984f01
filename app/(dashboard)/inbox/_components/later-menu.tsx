import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import type { LaterChoice } from './later-times';
import { useLaterText } from './use-later-text';

const LaterDialog = onDemandComponent(() => import('./later-dialog').then((module) => module.LaterDialog));

interface LaterMenuProps {
  label: string;
  /** Called when the menu opens. */
  choicesAt: (now: Date) => readonly LaterChoice[];
  /** Of the dialog for another time. */
  submitLabel: string;
  /** Further fields of the dialog. */
  fields?: ReactNode;
  placement: 'top start' | 'bottom start';
  /** @param isOffered true for one of the choices, false for a time of the dialog */
  onChoose: (time: Date, isOffered: boolean) => void;
  /** The button that opens it. */
  children: ReactNode;
}

/** A menu of times, with a dialog for another one. */
export function LaterMenu({ label, choicesAt, submitLabel, fields, placement, onChoose, children }: LaterMenuProps) {
  const textOf = useLaterText();
  const [isAsking, setIsAsking] = useState(false);
  const choices = choicesAt(new Date());
  const choose = (id: unknown) => {
    const choice = choices.find((each) => each.id === id);
    if (choice) onChoose(choice.time, true);
    else setIsAsking(true);
  };
  return (
    <>
      <Dropdown>
        {children}
        <Dropdown.Popover placement={placement} className="w-60">
          <Dropdown.Menu aria-label={label} onAction={choose}>
            {choices.map(({ id, label: name, time }) => (
              <Dropdown.Item key={id} id={id} textValue={name}>
                <span className="flex min-w-0 flex-col">
                  <Dropdown.Label>{name}</Dropdown.Label>
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
        <LaterDialog
          title={label}
          submitLabel={submitLabel}
          onClose={() => setIsAsking(false)}
          onChoose={(time) => {
            setIsAsking(false);
            onChoose(time, false);
          }}
        >
          {fields}
        </LaterDialog>
      )}
    </>
  );
}
