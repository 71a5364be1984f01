import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { type Control, type FieldError, get, useController, useFormState } from 'react-hook-form';
import { Chip } from '@/app/_kit/chip';
import { fieldMessage } from '@/app/_kit/field-message';
import { useChipInput } from '@/app/_kit/use-chip-input';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import { ContactOptions } from '../../_components/contact-options';
import { useContactPicker } from '../../_components/use-contact-picker';
import { isAddress, parseRecipients } from './composer-addresses';
import type { ComposerValues } from './composer-values';
import { addressText, nameOf } from './conversation-labels';

interface ComposerRecipientsProps {
  control: Control<ComposerValues>;
  name: 'to' | 'cc' | 'bcc';
  label: string;
  /** Placed at the field's end. */
  trailing?: ReactNode;
  autoFocus?: boolean;
}

/** The first error of the list and its chips; a chip's own error names it. */
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
 * The recipients of an email as chips. Enter, a comma or leaving the field adds the typed text, a pasted list becomes several
 * chips, and Backspace in the empty field removes the last one. An invalid address stays as a red chip that can be clicked to
 * edit it. Enter and Tab take the highlighted one of the matching contacts, which is the first while the text is no address.
 */
export function ComposerRecipients({ control, name, label, trailing, autoFocus = false }: ComposerRecipientsProps) {
  const { field } = useController({ control, name });
  // Errors of single chips have paths below the field's own.
  const { errors } = useFormState({ control, name });
  const id = useId();
  const chips = field.value;
  const message = firstMessage(get(errors, name), label, chips);

  const { input, text, setText, add, announcement, removeAt, inputProps, onPointerDown } = useChipInput({
    chipCount: chips.length,
    onAdd: (text) => {
      const added = parseRecipients(text, chips);
      if (added.length > 0) field.onChange([...chips, ...added]);
      return added.map(nameOf);
    },
    onRemove: (index) => {
      const removed = chips[index];
      field.onChange(chips.filter((_, position) => position !== index));
      return removed ? nameOf(removed) : '';
    },
    onBlur: field.onBlur,
    isQuoting: (text) => /^\s*"[^"]*$/.test(text),
  });
  const picker = useContactPicker({
    text,
    present: chips,
    isName: text.trim() !== '' && parseRecipients(text).every(({ email }) => !isAddress(email)),
    onChoose: ({ email, name }) => {
      field.onChange([...chips, { email, displayName: name || null }]);
      setText('');
    },
    onTake: () => add(text),
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!event.nativeEvent.isComposing && !picker.onKeyDown(event)) inputProps.onKeyDown(event);
  };
  const edit = (index: number) => {
    const wrong = chips[index]?.email ?? '';
    removeAt(index);
    setText(wrong);
  };

  return (
    <div>
      <div
        data-invalid={message ? 'true' : undefined}
        className="relative flex min-h-10 items-start gap-2 rounded-md border border-field-border bg-field py-1 pr-1 pl-2.5 sm:min-h-9 focus-within:border-field-border-focus focus-within:ring-1 focus-within:ring-focus hover:not-focus-within:border-field-border-hover data-[invalid]:border-danger"
      >
        <label htmlFor={id} className="flex h-6.5 items-center text-label text-muted max-sm:h-8">
          {label}
        </label>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5" onPointerDown={onPointerDown}>
          {chips.length > 0 && (
            <ul aria-label={label} className="contents">
              {chips.map((chip, index) => (
                <RecipientChip key={chip.email} chip={chip} onRemove={() => removeAt(index)} onEdit={() => edit(index)} />
              ))}
            </ul>
          )}
          <input
            {...inputProps}
            id={id}
            ref={(element) => {
              input.current = element;
              field.ref(element);
            }}
            // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
            autoFocus={autoFocus}
            inputMode="email"
            {...picker.comboboxProps}
            onChange={(event) => {
              inputProps.onChange(event);
              picker.show(true);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              picker.show(false);
              inputProps.onBlur();
            }}
            placeholder={chips.length === 0 ? 'Add recipient' : ''}
            aria-invalid={message ? true : undefined}
            aria-describedby={message ? `${id}-help` : undefined}
            className="h-6.5 min-w-24 flex-1 bg-transparent text-base outline-none placeholder:text-field-placeholder sm:text-sm"
          />
        </div>
        {trailing}
        <ContactOptions {...picker} className="top-full" />
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

interface RecipientChipProps {
  chip: MailAddressRecord;
  onRemove: () => void;
  onEdit: () => void;
}

function RecipientChip({ chip, onRemove, onEdit }: RecipientChipProps) {
  const isRight = isAddress(chip.email);
  const name = isRight ? nameOf(chip) : chip.email;
  return (
    <Chip removeLabel={`Remove ${name}`} onRemove={onRemove} isWrong={!isRight}>
      {isRight ? (
        <span className="truncate py-0.5 pl-2" title={addressText(chip)}>
          {name}
        </span>
      ) : (
        <button type="button" onClick={onEdit} title="Invalid email. Click to edit." className="truncate rounded-md py-0.5 pl-2">
          {name}
        </button>
      )}
    </Chip>
  );
}
