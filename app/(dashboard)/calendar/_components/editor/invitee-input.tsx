import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import { ContactOptions } from '../../../_components/contact-options';
import { useContactPicker } from '../../../_components/use-contact-picker';
import type { EventValues, InviteeValues } from './event-values';
import { parseInvitees, refusalReason } from './invitee-list';

interface InviteeInputProps {
  present: readonly InviteeValues[];
  onAdd: (added: readonly InviteeValues[]) => void;
  isFull: boolean;
}

/**
 * Adds invitees: typed, chosen from matching contacts, or pasted as a list. Invalid or repeated addresses stay in the field
 * with the reason.
 */
export function InviteeInput({ present, onAdd, isFull }: InviteeInputProps) {
  const { control } = useFormContext<EventValues>();
  const { field, fieldState } = useController({ control, name: 'inviteeText' });
  const id = useId();
  const text = field.value;
  const [refusal, setRefusal] = useState('');
  const typed = parseInvitees(text, present);
  const reason = refusal || (fieldState.error && text.trim() !== '' ? refusalReason(typed) : '');

  const type = (next: string) => {
    field.onChange(next);
    setRefusal('');
  };
  const add = (typed: string) => {
    const parsed = parseInvitees(typed, present);
    if (parsed.added.length > 0) onAdd(parsed.added);
    field.onChange(parsed.invalid.join(', '));
    setRefusal(refusalReason(parsed));
    picker.show(false);
  };
  const picker = useContactPicker({
    text,
    present,
    isName: typed.invalid.length > 0 && typed.added.length === 0,
    onChoose: ({ email, name }) => {
      onAdd([{ email, name, isOptional: false }]);
      type('');
    },
    onTake: () => add(text),
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || picker.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (text.trim() !== '') add(text);
    } else if ((event.key === ',' || event.key === ';') && !/"[^"]*$/.test(text) && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\r\t]/.test(pasted)) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };

  return (
    <div className="relative">
      <input
        id={id}
        ref={field.ref}
        {...picker.comboboxProps}
        aria-label="Add guests"
        aria-invalid={reason ? true : undefined}
        aria-describedby={`${id}-help`}
        value={text}
        disabled={isFull}
        placeholder="Name or email address"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          type(target.value);
          picker.show(true);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          picker.show(false);
          // Part of a name is incomplete; it is refused when the event is saved.
          if (text.includes('@')) add(text);
          field.onBlur();
        }}
        className="h-10 w-full rounded-md border border-field-border bg-field px-2.5 text-base outline-none placeholder:text-field-placeholder hover:border-field-border-hover focus:border-field-border-focus focus:ring-1 focus:ring-focus aria-invalid:border-danger aria-invalid:ring-danger sm:h-9 sm:text-sm"
      />
      <ContactOptions {...picker} className="top-10 sm:top-9" />
      <p id={`${id}-help`} className={`mt-1 text-label ${reason ? 'text-danger-text' : 'text-muted'}`}>
        {reason || (isFull ? `Up to ${eventLimits.invitees} guests.` : 'Press Enter to add. Paste several at once.')}
      </p>
    </div>
  );
}
