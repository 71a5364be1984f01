import { type ComponentProps, type ReactNode, type RefCallback, useEffect, useRef } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import { useShownError } from './form-row';
import { type FieldProps, TextField } from './text-field';

/**
 * The ref of a text input. Text that was typed, or filled in by a password manager, before hydration is in the input but not in
 * the form; it is taken over once.
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

/** How the browser normalises a value: a single-line input has no line breaks, a text area only one kind of them. */
function asShown(input: HTMLInputElement | HTMLTextAreaElement, value: string): string {
  const other = input.cloneNode() as typeof input;
  other.value = value;
  return other.value;
}

type InputOptions = Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'autoComplete'
  | 'autoFocus'
  | 'placeholder'
  | 'inputMode'
  | 'min'
  | 'max'
  | 'step'
  | 'spellCheck'
  | 'autoCapitalize'
  | 'list'
>;

interface FormTextFieldProps<Values extends FieldValues> extends FieldProps<Values>, InputOptions {
  /** Called after the form has the new value. */
  onValueChange?: (value: string) => void;
  /** Shown inside the field's end, e.g. a button that reveals a password. */
  trailing?: ReactNode;
  /** Monospaced, for ids, handles and keys. */
  mono?: boolean;
}

/** A one-line text field of a react-hook-form form, with its error message. */
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
  const shown = useShownError(fieldState);
  const isInvalid = shown !== undefined;
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      description={description}
      error={fieldMessage(label, shown?.message)}
      isInvalid={isInvalid}
      isRequired={isRequired}
      isDisabled={isDisabled}
      className={className}
    >
      {(controlProps) => (
        <div
          data-slot="input-group"
          data-invalid={isInvalid || undefined}
          className="input-group input-group--primary input-group--full-width"
        >
          <input
            type="text"
            {...input}
            {...controlProps}
            ref={inputRef}
            name={field.name}
            value={field.value ?? ''}
            onChange={(event) => {
              field.onChange(event.target.value);
              onValueChange?.(event.target.value);
            }}
            onBlur={field.onBlur}
            data-slot="input-group-input"
            className={`input-group__input ${mono ? 'font-mono' : ''}`}
          />
          {trailing && (
            <div data-slot="input-group-suffix" className="input-group__suffix pr-0.5">
              {trailing}
            </div>
          )}
        </div>
      )}
    </TextField>
  );
}

interface FormTextAreaProps<Values extends FieldValues> extends FieldProps<Values> {
  /** The maximum number of characters, as users count them. Longer text is refused with a message, never cut. */
  maxLength?: number;
  /** Shows how many characters are used; needs `maxLength`. */
  counter?: boolean;
  rows?: number;
  placeholder?: string;
  mono?: boolean;
  /** Further classes of the text area itself. */
  inputClassName?: string;
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
    inputClassName = '',
  } = props;
  const { field, fieldState } = useController({ control, name });
  const inputRef = useInputRef<HTMLTextAreaElement>(field);
  const text: string = field.value ?? '';
  const used = [...text].length;
  const isOver = maxLength !== undefined && used > maxLength;
  const shown = useShownError(fieldState);
  const isInvalid = shown !== undefined || isOver;
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      labelEnd={
        counter &&
        maxLength !== undefined && (
          <span className={`text-xs ${isOver ? 'font-medium text-danger-text' : 'text-muted'}`}>
            {used.toLocaleString('en')} / {maxLength.toLocaleString('en')}
            <span className="sr-only"> characters used</span>
          </span>
        )
      }
      description={description}
      error={fieldMessage(label, shown?.message ?? (isOver ? `must have at most ${maxLength} characters` : undefined))}
      isInvalid={isInvalid}
      isRequired={isRequired}
      isDisabled={isDisabled}
      className={className}
    >
      {(controlProps) => (
        <textarea
          {...controlProps}
          ref={inputRef}
          name={field.name}
          value={text}
          onChange={(event) => field.onChange(event.target.value)}
          onBlur={field.onBlur}
          rows={rows}
          placeholder={placeholder ?? ''}
          data-slot="textarea"
          data-invalid={isInvalid || undefined}
          className={`textarea textarea--primary resize-y ${mono ? 'font-mono text-label' : ''} ${inputClassName}`}
        />
      )}
    </TextField>
  );
}
