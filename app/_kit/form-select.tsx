'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import type { FormSelectProps } from './form-select-open';
import { onDemand } from './overlay/load-on-demand';

const opened = onDemand(() => import('./form-select-open'));

/**
 * One of a few values. What opens is fetched when it is about to be: until somebody comes to it, a button that looks the same stands
 * for the select.
 */
export function FormSelect<Values extends FieldValues>(props: FormSelectProps<Values>) {
  const [wanted, setWanted] = useState<'focused' | 'pressed' | null>(null);
  const loaded = opened.use(wanted !== null);
  if (loaded && wanted) return <loaded.OpenFormSelect {...props} isPressed={wanted === 'pressed'} />;
  return <ClosedFormSelect {...props} onWanted={setWanted} />;
}

interface ClosedFormSelectProps<Values extends FieldValues> extends FormSelectProps<Values> {
  onWanted: (how: 'focused' | 'pressed') => void;
}

const openingKeys = ['ArrowDown', 'ArrowUp'];

function ClosedFormSelect<Values extends FieldValues>(props: ClosedFormSelectProps<Values>) {
  const { control, name, label, description, isRequired = false, isDisabled = false, hideLabel, className = '', options } = props;
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const chosen = options.find(({ value }) => value === field.value);
  const isInvalid = fieldState.invalid;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!openingKeys.includes(event.key)) return;
    event.preventDefault();
    props.onWanted('pressed');
  };
  return (
    <div
      data-slot="select"
      data-invalid={isInvalid || undefined}
      data-required={isRequired || undefined}
      data-disabled={isDisabled || undefined}
      className={`select select--primary select--full-width ${className}`}
    >
      <span id={`${id}-label`} data-slot="label" className={`label ${hideLabel ? 'sr-only' : ''}`}>
        {label}
      </span>
      <button
        type="button"
        ref={field.ref}
        disabled={isDisabled}
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-labelledby={`${id}-value ${id}-label`}
        aria-describedby={description ? `${id}-description` : undefined}
        onPointerEnter={() => void opened.load().catch(() => undefined)}
        // Who comes by keys has the whole select before the next key; a press would be lost with the button it began on.
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) props.onWanted('focused');
        }}
        onBlur={field.onBlur}
        onClick={() => props.onWanted('pressed')}
        onKeyDown={onKeyDown}
        data-slot="select-trigger"
        className="select__trigger select__trigger--full-width"
      >
        <span id={`${id}-value`} data-slot="select-value" data-placeholder={chosen ? undefined : true} className="select__value">
          {chosen?.label ?? 'Select an item'}
        </span>
        <svg
          aria-hidden
          data-slot="select-default-indicator"
          className="select__indicator"
          fill="none"
          width={16}
          height={16}
          viewBox="0 0 16 16"
        >
          <path
            fill="currentColor"
            fillRule="evenodd"
            clipRule="evenodd"
            d="M2.97 5.47a.75.75 0 0 1 1.06 0L8 9.44l3.97-3.97a.75.75 0 1 1 1.06 1.06l-4.5 4.5a.75.75 0 0 1-1.06 0l-4.5-4.5a.75.75 0 0 1 0-1.06"
          />
        </svg>
      </button>
      {description && (
        <span id={`${id}-description`} data-slot="description" className="description">
          {description}
        </span>
      )}
      {isInvalid && (
        <span data-slot="field-error" data-visible className="field-error">
          {fieldMessage(label, fieldState.error?.message)}
        </span>
      )}
    </div>
  );
}
