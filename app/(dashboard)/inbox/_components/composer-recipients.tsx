'use client';

import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { type Control, type FieldError, get, useController, useFormState } from 'react-hook-form';
import { fieldMessage } from '@/app/_components/field-message';
import type { MailAddressRecord } from '@/server/modules/conversations/message.schema';
import { isAddress, parseRecipients } from './composer-addresses';
import type { ComposerValues } from './composer-values';
import { nameOf } from './conversation-words';

interface ComposerRecipientsProps {
  control: Control<ComposerValues>;
  name: 'to' | 'cc';
  label: string;
  /** Stands at the field's end. */
  trailing?: ReactNode;
  autoFocus?: boolean;
}

/** The first reason among those of the list and of its chips; a chip's own reason names it. */
function firstMessage(error: unknown, label: string, chips: readonly MailAddressRecord[]): string | undefined {
  const { message, root } = (error ?? {}) as FieldError & { root?: FieldError };
  const ofList = message ?? root?.message;
  if (ofList) return fieldMessage(label, ofList);
  const ofChips = Array.isArray(error) ? (error as (FieldError & { email?: FieldError })[]) : [];
  for (const [index, chip] of chips.entries()) {
    const reason = ofChips[index]?.email?.message ?? ofChips[index]?.message;
    if (reason) return fieldMessage(`“${chip.email}”`, reason);
  }
  return undefined;
}

/**
 * Whom the reply goes to, as chips. Enter, a comma or leaving the field adds what is typed, a pasted list becomes several, Backspace
 * in the empty field removes the last. What is no address stays as a red chip that is mended by clicking it.
 */
export function ComposerRecipients({ control, name, label, trailing, autoFocus = false }: ComposerRecipientsProps) {
  const { field } = useController({ control, name });
  // Reasons for single chips lie below the field's own path.
  const { errors } = useFormState({ control, name });
  const id = useId();
  const input = useRef<HTMLInputElement | null>(null);
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const chips = field.value;
  const message = firstMessage(get(errors, name), label, chips);

  const add = (typed: string) => {
    setText('');
    const added = parseRecipients(typed, chips);
    if (added.length === 0) return;
    field.onChange([...chips, ...added]);
    setAnnouncement(`Added ${added.map(nameOf).join(', ')}`);
  };
  const removeAt = (index: number) => {
    const removed = chips[index];
    field.onChange(chips.filter((_, position) => position !== index));
    if (removed) setAnnouncement(`Removed ${nameOf(removed)}`);
    input.current?.focus();
  };
  const mend = (index: number) => {
    const wrong = chips[index]?.email ?? '';
    removeAt(index);
    setText(wrong);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      // Ctrl+Enter sends, together with what is typed here.
      if (!event.ctrlKey && !event.metaKey) event.preventDefault();
      add(text);
    } else if ((event.key === ',' || event.key === ';') && !/^\s*"[^"]*$/.test(text)) {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && chips.length > 0) {
      removeAt(chips.length - 1);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\r\t]/.test(pasted)) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };

  return (
    <div>
      <div
        data-invalid={message ? 'true' : undefined}
        className="flex min-h-9 items-start gap-2 rounded-md border border-field-border bg-field py-1 pr-1 pl-2.5 focus-within:border-field-border-focus focus-within:ring-1 focus-within:ring-focus hover:not-focus-within:border-field-border-hover data-[invalid]:border-danger"
      >
        <label htmlFor={id} className="flex h-6.5 items-center text-label text-muted max-sm:h-8">
          {label}
        </label>
        <div
          className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5"
          // The field is bigger than the text in it: a click anywhere in it is meant for the text.
          onPointerDown={(event) => {
            if (event.target !== event.currentTarget) return;
            event.preventDefault();
            input.current?.focus();
          }}
        >
          {chips.length > 0 && (
            <ul aria-label={label} className="contents">
              {chips.map((chip, index) => (
                <Chip key={chip.email} chip={chip} onRemove={() => removeAt(index)} onMend={() => mend(index)} />
              ))}
            </ul>
          )}
          <input
            id={id}
            ref={(element) => {
              input.current = element;
              field.ref(element);
            }}
            // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
            autoFocus={autoFocus}
            value={text}
            inputMode="email"
            placeholder={chips.length === 0 ? 'Add an address' : ''}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={message ? true : undefined}
            aria-describedby={message ? `${id}-help` : undefined}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => {
              add(text);
              field.onBlur();
            }}
            className="h-6.5 min-w-24 flex-1 bg-transparent text-base outline-none placeholder:text-field-placeholder sm:text-sm"
          />
        </div>
        {trailing}
      </div>
      {message && (
        <p id={`${id}-help`} className="mt-1 text-label text-danger-text">
          {message}
        </p>
      )}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </div>
  );
}

interface ChipProps {
  chip: MailAddressRecord;
  onRemove: () => void;
  onMend: () => void;
}

function Chip({ chip, onRemove, onMend }: ChipProps) {
  const isRight = isAddress(chip.email);
  const name = isRight ? nameOf(chip) : chip.email;
  return (
    <li
      className={`inline-flex max-w-full items-center rounded-md text-label ${isRight ? 'bg-default' : 'bg-danger-soft text-danger-text'}`}
    >
      {isRight ? (
        <span className="truncate py-0.5 pl-2" title={chip.displayName ? `${chip.displayName} <${chip.email}>` : chip.email}>
          {name}
        </span>
      ) : (
        <button
          type="button"
          onClick={onMend}
          title="Not an e-mail address. Click to mend it."
          className="truncate rounded-md py-0.5 pl-2"
        >
          {name}
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
        className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-default-hover hover:text-foreground max-sm:size-8"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
