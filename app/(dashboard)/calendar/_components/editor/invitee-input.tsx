import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { nextOption, OptionList, optionId } from '@/app/_kit/option-list';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import { ContactOption, useContactSuggestions } from '../../../_components/contact-suggestions';
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
  const listId = `${id}-list`;
  const text = field.value;
  const [refusal, setRefusal] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  /** The option chosen by keys (-1: none); null while none were pressed. */
  const [gone, setActive] = useState<number | null>(null);
  const { contacts, isSearching } = useContactSuggestions(text, present);
  const isListed = isOpen && contacts.length > 0;
  // A text that is not an address can only be the beginning of a contact, so Enter chooses the first one.
  const typed = parseInvitees(text, present);
  const isName = typed.invalid.length > 0 && typed.added.length === 0;
  const active = gone ?? (isListed && isName ? 0 : -1);
  /** Enter was pressed before the contacts were loaded. */
  const [isEnterPending, setIsEnterPending] = useState(false);
  const reason = refusal || (fieldState.error && text.trim() !== '' ? refusalReason(parseInvitees(text, present)) : '');

  const type = (next: string) => {
    field.onChange(next);
    setRefusal('');
    setActive(null);
    setIsEnterPending(false);
    setIsOpen(true);
  };
  const add = (typed: string) => {
    const parsed = parseInvitees(typed, present);
    if (parsed.added.length > 0) onAdd(parsed.added);
    field.onChange(parsed.invalid.join(', '));
    setRefusal(refusalReason(parsed));
    setIsOpen(false);
    setActive(null);
  };
  const choose = (index: number) => {
    const contact = contacts[index];
    if (!contact) return;
    onAdd([{ email: contact.email, name: contact.name, isOptional: false }]);
    type('');
    setIsOpen(false);
  };
  const addFirstOption = useEffectEvent(() => {
    setIsEnterPending(false);
    if (contacts.length > 0) choose(0);
    else add(text);
  });
  useEffect(() => {
    if (isEnterPending && !isSearching) addFirstOption();
  }, [isEnterPending, isSearching]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && contacts.length > 0) {
      event.preventDefault();
      setIsOpen(true);
      setActive(isListed ? nextOption(active, step, contacts.length) : 0);
    } else if (event.key === 'Escape' && isListed) {
      // Closes the list but not the panel.
      event.stopPropagation();
      setIsOpen(false);
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (isName && isSearching && gone === null) setIsEnterPending(true);
      else if (isListed && contacts[active]) choose(active);
      else if (text.trim() !== '') add(text);
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
        role="combobox"
        aria-label="Add guests"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={listId}
        aria-activedescendant={isListed && active >= 0 && active < contacts.length ? optionId(listId, active) : undefined}
        aria-invalid={reason ? true : undefined}
        aria-describedby={`${id}-help`}
        value={text}
        disabled={isFull}
        placeholder="Name or email address"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          setIsOpen(false);
          // Part of a name is incomplete; it is refused when the event is saved.
          if (text.includes('@')) add(text);
          field.onBlur();
        }}
        className="h-10 w-full rounded-md border border-field-border bg-field px-2.5 text-base outline-none placeholder:text-field-placeholder hover:border-field-border-hover focus:border-field-border-focus focus:ring-1 focus:ring-focus aria-invalid:border-danger aria-invalid:ring-danger sm:h-9 sm:text-sm"
      />
      <OptionList
        id={listId}
        label="Contacts"
        isOpen={isListed}
        active={active}
        options={contacts.map((contact) => ({ key: contact.email, content: <ContactOption contact={contact} /> }))}
        onChoose={choose}
        className="top-10 sm:top-9"
      />
      <p id={`${id}-help`} className={`mt-1 text-label ${reason ? 'text-danger-text' : 'text-muted'}`}>
        {reason || (isFull ? `Up to ${eventLimits.invitees} guests.` : 'Press Enter to add. Paste several at once.')}
      </p>
    </div>
  );
}
