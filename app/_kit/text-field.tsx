import { type ReactNode, useId } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';

/** The props that connect a control with its label, description and error. */
export interface ControlProps {
  id: string;
  disabled: boolean;
  'aria-required': true | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface TextFieldProps {
  label: ReactNode;
  hideLabel?: boolean | undefined;
  /** Placed at the other end of the label's row. */
  labelEnd?: ReactNode;
  description?: ReactNode;
  /** The error, if `isInvalid`. */
  error?: ReactNode;
  isInvalid?: boolean;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  className?: string | undefined;
  /** Renders the control with the given props. */
  children: (props: ControlProps) => ReactNode;
}

/** HeroUI's text field styles around a native control: React Aria's would add to every page with a form. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, labelEnd, description, error, className = '', children } = props;
  const { isInvalid = false, isRequired = false, isDisabled = false } = props;
  const id = useId();
  const hasError = isInvalid && Boolean(error);
  const describedBy = [description ? `${id}-description` : '', hasError ? `${id}-error` : ''].filter(Boolean).join(' ');
  const labelElement = (
    <label htmlFor={id} data-slot="label" className={`label ${hideLabel ? 'sr-only' : ''}`}>
      {label}
    </label>
  );
  return (
    <div
      data-slot="textfield"
      data-invalid={isInvalid || undefined}
      data-required={isRequired || undefined}
      data-disabled={isDisabled || undefined}
      className={`textfield textfield--full-width ${className}`}
    >
      {labelEnd ? (
        <div className="flex items-baseline justify-between gap-4">
          {labelElement}
          {labelEnd}
        </div>
      ) : (
        labelElement
      )}
      {children({
        id,
        disabled: isDisabled,
        'aria-required': isRequired || undefined,
        'aria-invalid': isInvalid || undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {description && (
        <span id={`${id}-description`} data-slot="description" className="description">
          {description}
        </span>
      )}
      {hasError && (
        <span id={`${id}-error`} data-slot="field-error" data-visible className="field-error">
          {error}
        </span>
      )}
    </div>
  );
}

/** The common props of fields in a react-hook-form form. */
export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** Keeps the label for screen readers only, e.g. in a table of fields under one heading. */
  hideLabel?: boolean;
  className?: string;
}
