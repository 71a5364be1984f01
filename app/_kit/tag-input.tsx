import { type KeyboardEvent, useId, useState } from 'react';
import {
  type Control,
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  useController,
  useFormState,
} from 'react-hook-form';
import { Chip } from './chip';
import { fieldMessage } from './field-message';
import { nextOption, OptionList, optionId } from './option-list';
import { useChipInput } from './use-chip-input';

interface FormTagInputProps<Values extends FieldValues> {
  control: Control<Values>;
  /** A field that holds a list of strings. */
  name: FieldPath<Values>;
  label: string;
  description?: string;
  placeholder?: string;
  /** Existing tags, suggested while typing. */
  suggestions?: readonly string[];
}

/** Splits typed or pasted text into tags: by comma, semicolon or line; without blanks and duplicates. */
export function splitTags(text: string, present: readonly string[] = []): string[] {
  const tags: string[] = [];
  for (const part of text.split(/[,;\n\r\t]+/)) {
    const tag = part.trim();
    if (tag !== '' && !present.includes(tag) && !tags.includes(tag)) tags.push(tag);
  }
  return tags;
}

/** How many suggestions are shown. */
const suggestionsShown = 8;

/** The suggestions that contain the typed text and are not chosen yet. */
export function matchingTags(text: string, suggestions: readonly string[], present: readonly string[]): string[] {
  const typed = text.trim().toLowerCase();
  return suggestions
    .filter((suggestion) => suggestion.toLowerCase().includes(typed) && !present.includes(suggestion))
    .slice(0, suggestionsShown);
}

/** Shortens a long tag for a message. */
const shortened = (tag: string) => (tag.length > 24 ? `${tag.slice(0, 24)}…` : tag);

/** The first error of the list and its items, with the affected tag. */
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

/**
 * A list of tags. Enter or a comma adds one, Backspace in the empty field removes the last, leaving the field adds the typed
 * text. Arrow keys go through the suggestions, and Enter takes the highlighted one.
 */
export function FormTagInput<Values extends FieldValues>(props: FormTagInputProps<Values>) {
  const { control, name, label, description, placeholder = 'Add a tag', suggestions = [] } = props;
  const { field } = useController({ control, name });
  // Errors of single tags have paths below the field's own.
  const { errors } = useFormState({ control, name });
  const id = useId();
  const listId = `${id}-suggestions`;
  const tags: readonly string[] = field.value ?? [];
  const problem = firstReason(get(errors, name), tags);
  const message = problem && fieldMessage(problem.about === null ? label : `“${shortened(problem.about)}”`, problem.reason);

  const [isListWanted, setListWanted] = useState(false);
  /** The highlighted suggestion; -1: none. */
  const [active, setActive] = useState(-1);
  const { input, text, announcement, add, removeAt, inputProps, onPointerDown } = useChipInput({
    chipCount: tags.length,
    onAdd: (text) => {
      const added = splitTags(text, tags);
      if (added.length > 0) field.onChange([...tags, ...added]);
      return added;
    },
    onRemove: (index) => {
      field.onChange(tags.filter((_, position) => position !== index));
      return tags[index] ?? '';
    },
    onBlur: field.onBlur,
  });
  const matching = matchingTags(text, suggestions, tags);
  const isListed = isListWanted && matching.length > 0;
  const show = (isWanted: boolean) => {
    setListWanted(isWanted);
    setActive(-1);
  };
  const choose = (tag: string) => {
    add(tag);
    show(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const highlighted = isListed ? matching[active] : undefined;
    if (step !== undefined && matching.length > 0) {
      event.preventDefault();
      setListWanted(true);
      setActive(isListed ? nextOption(active, step, matching.length) : 0);
    } else if (event.key === 'Escape' && isListed) {
      // Closes the list but not a dialog around it.
      event.stopPropagation();
      show(false);
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && highlighted !== undefined) {
      event.preventDefault();
      choose(highlighted);
    } else {
      inputProps.onKeyDown(event);
      if (event.key === 'Enter') show(false);
    }
  };

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="label w-fit">
        {label}
      </label>
      <div
        data-invalid={problem ? 'true' : undefined}
        className="relative flex min-h-10 flex-wrap items-center gap-1.5 rounded-md border border-field-border bg-field px-2 py-1 sm:min-h-9 focus-within:border-field-border-focus focus-within:ring-1 focus-within:ring-focus hover:not-focus-within:border-field-border-hover data-[invalid]:border-danger"
        onPointerDown={onPointerDown}
      >
        {tags.length > 0 && (
          <ul aria-label={label} className="contents">
            {tags.map((tag, index) => (
              <Chip key={tag} removeLabel={`Remove tag ${tag}`} onRemove={() => removeAt(index)}>
                <span className="truncate py-0.5 pl-2" title={tag}>
                  {tag}
                </span>
              </Chip>
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
          {...(suggestions.length > 0
            ? {
                role: 'combobox',
                'aria-autocomplete': 'list',
                'aria-expanded': isListed,
                'aria-controls': listId,
                'aria-activedescendant': isListed && active >= 0 ? optionId(listId, active) : undefined,
              }
            : {})}
          onChange={(event) => {
            inputProps.onChange(event);
            show(event.target.value.trim() !== '');
          }}
          onKeyDown={onKeyDown}
          onBlur={() => {
            show(false);
            inputProps.onBlur();
          }}
          placeholder={tags.length === 0 ? placeholder : ''}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-help`}
          className="h-6.5 min-w-12 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-field-placeholder sm:text-sm"
        />
        {suggestions.length > 0 && (
          <OptionList
            id={listId}
            label={`Suggested ${label.toLowerCase()}`}
            isOpen={isListed}
            active={active}
            options={matching.map((tag) => ({ key: tag, content: tag }))}
            onChoose={(index) => choose(matching[index] ?? '')}
            className="top-full"
          />
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
