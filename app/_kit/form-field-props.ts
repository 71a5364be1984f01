import type { ReactNode } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';

/** What every field of a react-hook-form form takes. */
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
