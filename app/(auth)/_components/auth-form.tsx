import type { FormEvent, ReactNode } from 'react';
import { FormError } from '@/app/_kit/form-error';
import { SubmitButton } from '@/app/_kit/submit-button';
import type { FormFailure } from '@/app/_kit/use-form-errors';

interface AuthFormProps {
  submitLabel: string;
  isPending: boolean;
  failure: FormFailure | null;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
  /** Below the button. */
  after?: ReactNode;
}

/** The form on the card of a signed-out page: its fields, the error, and one button. */
export function AuthForm({ submitLabel, isPending, failure, onSubmit, children, after }: AuthFormProps) {
  return (
    <form method="post" onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {children}
      <FormError failure={failure} />
      <SubmitButton variant="primary" fullWidth isPending={isPending}>
        {submitLabel}
      </SubmitButton>
      {after}
    </form>
  );
}
