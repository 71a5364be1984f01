'use client';

import { Description } from '@heroui/react/description';
import { FieldError } from '@heroui/react/field-error';
import { InputGroup } from '@heroui/react/input-group';
import { Label } from '@heroui/react/label';
import { TextArea } from '@heroui/react/textarea';
import { TextField } from '@heroui/react/textfield';
import { type ComponentProps, type ReactNode, type RefCallback, useEffect, useRef } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import type { FieldProps } from './form-field-props';

/**
 * The ref of a text input. What was typed, or filled in by a password manager, before React took over the page is in the input but
 * not in the form; it is taken over once.
 */
function useInputRef<Element extends HTMLInputElement | HTMLTextAreaElement>(field: {
  value: unknown;
  onChange: (value: string) => void;
  ref: (element: Element | null) => void;
}): RefCallback<Element> {
  const input = useRef<Element | null>(null);
  const latest = useRef(field);
  useEffect(() => {
    const { value, onChange } = latest.current;
    const typed = input.current?.value;
    if (input.current && typed && typed !== asShown(input.current, String(value ?? ''))) onChange(typed);
  }, []);
  return (element) => {
    input.current = element;
    field.ref(element);
  };
}

/** What such an input makes of a value by itself: one line has no line breaks, a text area only one kind of them. */
function asShown(input: HTMLInputElement | HTMLTextAreaElement, value: string): string {
  const other = input.cloneNode() as typeof input;
  other.value = value;
  return other.value;
}

type InputOptions = Pick<
  ComponentProps<typeof InputGroup.Input>,
  'type' | 'autoComplete' | 'autoFocus' | 'placeholder' | 'inputMode' | 'min' | 'max' | 'step' | 'spellCheck' | 'autoCapitalize'
>;

interface FormTextFieldProps<Values extends FieldValues> extends FieldProps<Values>, InputOptions {
  /** Called after the form has taken the new value. */
  onValueChange?: (value: string) => void;
  /** Shown inside the field's end, e.g. a button that reveals a password. */
  trailing?: ReactNode;
  /** For ids, handles and keys. */
  mono?: boolean;
}

/** A one-line text field of a react-hook-form form, with its error in words. */
export function FormTextField<Values extends FieldValues>(props: FormTextFieldProps<Values>) {
  const {
    control,
    name,
    label,
    description,
    isRequired,
    isDisabled,
    hideLabel,
    className,
    onValueChange,
    trailing,
    mono,
    ...input
  } = props;
  const { field, fieldState } = useController({ control, name });
  const inputRef = useInputRef<HTMLInputElement>(field);
  return (
    <TextField
      fullWidth
      className={className ?? ''}
      validationBehavior="aria"
      name={field.name}
      value={field.value ?? ''}
      onChange={(value) => {
        field.onChange(value);
        onValueChange?.(value);
      }}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
      isRequired={isRequired ?? false}
      isDisabled={isDisabled ?? false}
    >
      <Label className={hideLabel ? 'sr-only' : ''}>{label}</Label>
      {/* Not HeroUI's Input, which would bring its combo box along. */}
      <InputGroup fullWidth>
        <InputGroup.Input ref={inputRef} {...input} className={mono ? 'font-mono' : ''} />
        {trailing && <InputGroup.Suffix className="pr-0.5">{trailing}</InputGroup.Suffix>}
      </InputGroup>
      {description && <Description>{description}</Description>}
      <FieldError>{fieldMessage(label, fieldState.error?.message)}</FieldError>
    </TextField>
  );
}

interface FormTextAreaProps<Values extends FieldValues> extends FieldProps<Values> {
  /** The most characters, as people count them. Longer text is refused with a message, never cut. */
  maxLength?: number;
  /** Shows how many characters are used; needs `maxLength`. */
  counter?: boolean;
  rows?: number;
  placeholder?: string;
  mono?: boolean;
}

/** A multi-line text field, optionally with a live counter. */
export function FormTextArea<Values extends FieldValues>(props: FormTextAreaProps<Values>) {
  const {
    control,
    name,
    label,
    description,
    isRequired,
    isDisabled,
    hideLabel,
    className,
    maxLength,
    counter,
    rows = 4,
    placeholder,
    mono,
  } = props;
  const { field, fieldState } = useController({ control, name });
  const inputRef = useInputRef<HTMLTextAreaElement>(field);
  const text: string = field.value ?? '';
  const used = [...text].length;
  const isOver = maxLength !== undefined && used > maxLength;
  return (
    <TextField
      fullWidth
      className={className ?? ''}
      validationBehavior="aria"
      name={field.name}
      value={text}
      onChange={field.onChange}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid || isOver}
      isRequired={isRequired ?? false}
      isDisabled={isDisabled ?? false}
    >
      {/* A row with nothing to see in it would still take its gap. */}
      <div className={hideLabel && !counter ? 'contents' : 'flex items-baseline justify-between gap-4'}>
        <Label className={hideLabel ? 'sr-only' : ''}>{label}</Label>
        {counter && maxLength !== undefined && (
          <span className={`text-xs ${isOver ? 'font-medium text-danger-text' : 'text-muted'}`}>
            {used.toLocaleString('en')} / {maxLength.toLocaleString('en')}
            <span className="sr-only"> characters used</span>
          </span>
        )}
      </div>
      <TextArea
        ref={inputRef}
        rows={rows}
        placeholder={placeholder ?? ''}
        className={`resize-y ${mono ? 'font-mono text-label' : ''}`}
      />
      {description && <Description>{description}</Description>}
      <FieldError>
        {fieldMessage(label, fieldState.error?.message ?? (isOver ? `must have at most ${maxLength} characters` : undefined))}
      </FieldError>
    </TextField>
  );
}
