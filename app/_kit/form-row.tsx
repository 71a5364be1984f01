import { createContext, type ReactNode, use, useState } from 'react';
import { type Control, type ControllerFieldState, type FieldError, type FieldValues, useFormState } from 'react-hook-form';

/** Whether the form was submitted since the current row was added; null outside of rows. */
const SubmittedSinceContext = createContext<boolean | null>(null);

interface FormRowProps<Values extends FieldValues> {
  control: Control<Values>;
  children: ReactNode;
}

/**
 * A row of a growing list. react-hook-form validates a list when a row is added; the new row shows no errors until it was
 * focused.
 */
export function FormRow<Values extends FieldValues>({ control, children }: FormRowProps<Values>) {
  const { submitCount } = useFormState({ control });
  const [before] = useState(submitCount);
  return <SubmittedSinceContext value={submitCount > before}>{children}</SubmittedSinceContext>;
}

/** The error that a field shows: in a new row, none before it was left or submitted, or the server refused it. */
export function useShownError({ error, isTouched }: Pick<ControllerFieldState, 'error' | 'isTouched'>): FieldError | undefined {
  const isSubmitted = use(SubmittedSinceContext);
  return isSubmitted === null || isSubmitted || isTouched || error?.type === 'server' ? error : undefined;
}
