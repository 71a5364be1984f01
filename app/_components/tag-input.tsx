'use client';

import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import {
  type Control,
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  useController,
  useFormState,
} from 'react-hook-form';
import { fieldMessage } from './field-message';

interface FormTagInputProps<Values extends FieldValues> {
  control: Control<Values>;
  /** A field that holds a list of strings. */
  name: FieldPath<Values>;
  label: string;
  description?: string;
  placeholder?: string;
  /** Tags that are in use elsewhere, offered while typing. */
  suggestions?: readonly string[];
}

/** Splits what was typed or pasted into tags: by comma, semicolon or line; without blanks and repetitions. */
export function splitTags(text: string, present: readonly string[] = []): string[] {
  const tags: string[] = [];
  for (const part of text.split(/[,;\n\r\t]+/)) {
    const tag = part.trim();
    if (tag !== '' && !present.includes(tag) && !tags.includes(tag)) tags.push(tag);
  }
  return tags;
}

/** Enough of a tag to recognise it by. */
const shortened = (tag: string) => (tag.length > 24 ? `${tag.slice(0, 24)}…` : tag);

/** The first reason among those of the list and of its items, with the tag it is about. */
function firstReason(error: unknown, tags: readonly string[]): { about: string | null; reason: string } | undefined {
  const { message } = (error ?? {}) as FieldError;
  if (message) return { about: null, reason: message };
  const ofItems = Array.isArray(error) ? (error as (FieldError | undefined)[]) : [];
  for (const [index, tag] of tags.entries()) {
    const reason = ofItems[index]?.message;
    if (reason) return { about: tag, reason };
  }
  return undefined;
}

/** A list of short words. Enter or a comma adds one, Backspace in the empty field removes the last, leaving the field keeps what was typed. */
export function FormTagInput<Values extends FieldValues>(props: FormTagInputProps<Values>) {
  const { control, name, label, description, placeholder = 'Add a tag', suggestions = [] } = props;
  const { field } = useController({ control, name });
  // Reasons for single tags lie below the field's own path.
  const { errors } = useFormState({ control, name });
  const id = useId();
  const input = useRef<HTMLInputElement | null>(null);
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const tags: readonly string[] = field.value ?? [];
  const problem = firstReason(get(errors, name), tags);
  const message = problem && fieldMessage(problem.about === null ? label : `“${shortened(problem.about)}”`, problem.reason);

  const add = (added: readonly string[]) => {
    setText('');
    if (added.length === 0) return;
    field.onChange([...tags, ...added]);
    setAnnouncement(`Added ${added.join(', ')}`);
  };
  const removeAt = (index: number) => {
    field.onChange(tags.filter((_, position) => position !== index));
    setAnnouncement(`Removed ${tags[index]}`);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if ((event.key === 'Enter' && text.trim() !== '') || event.key === ',' || event.key === ';') {
      event.preventDefault();
      add(splitTags(text, tags));
    } else if (event.key === 'Enter') {
      event.preventDefault();
    } else if (event.key === 'Backspace' && text === '' && tags.length > 0) {
      removeAt(tags.length - 1);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\r\t]/.test(pasted)) return;
    event.preventDefault();
    add(splitTags(`${text}${pasted}`, tags));
  };

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="label w-fit">
        {label}
      </label>
      <div
        data-invalid={problem ? 'true' : undefined}
        className="flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border border-field-border bg-field px-2 py-1 focus-within:border-field-border-focus focus-within:ring-1 focus-within:ring-focus hover:not-focus-within:border-field-border-hover data-[invalid]:border-danger"
        // The field is bigger than the text in it: a click anywhere in it is meant for the text.
        onPointerDown={(event) => {
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          input.current?.focus();
        }}
      >
        {tags.length > 0 && (
          <ul aria-label={label} className="contents">
            {tags.map((tag, index) => (
              <li key={tag} className="inline-flex max-w-full items-center rounded-md bg-default text-label">
                <span className="truncate py-0.5 pl-2" title={tag}>
                  {tag}
                </span>
                <button
                  type="button"
                  aria-label={`Remove tag ${tag}`}
                  onClick={() => removeAt(index)}
                  className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-default-hover hover:text-foreground max-sm:size-8"
                >
                  <X aria-hidden className="size-3.5" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          id={id}
          ref={(element) => {
            input.current = element;
            field.ref(element);
          }}
          value={text}
          list={suggestions.length > 0 ? `${id}-suggestions` : undefined}
          placeholder={tags.length === 0 ? placeholder : ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-help`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            add(splitTags(text, tags));
            field.onBlur();
          }}
          className="h-6.5 min-w-12 [&::-webkit-calendar-picker-indicator]:hidden! flex-1 bg-transparent px-1 text-base outline-none placeholder:text-field-placeholder sm:text-sm"
        />
        {suggestions.length > 0 && (
          <datalist id={`${id}-suggestions`}>
            {suggestions
              .filter((suggestion) => !tags.includes(suggestion))
              .map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
          </datalist>
        )}
      </div>
      <p id={`${id}-help`} className={`text-label ${message ? 'text-danger-text' : 'text-muted'}`}>
        {message ?? description}
      </p>
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </div>
  );
}
