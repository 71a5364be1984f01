import type { FormEvent, ReactNode } from 'react';
import { Button } from './button';
import { FormError } from './form-error';
import { PendingButton } from './pending-button';
import type { FormFailure } from './use-form-errors';

interface DialogFormProps {
  children: ReactNode;
  /** The accessible name, if the dialog's title does not fit. */
  label?: string;
  /** A verb: "Create key". */
  submitLabel: string;
  tone?: 'danger';
  isPending: boolean;
  /** True while there is nothing to submit. */
  isDisabled?: boolean;
  failure: FormFailure | null;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
}

/** A form inside a `Dialog`, with its error and its two buttons at the foot. */
export function DialogForm(props: DialogFormProps) {
  const { children, label, submitLabel, tone, isPending, isDisabled = false, failure, onSubmit, onCancel } = props;
  return (
    <form method="post" onSubmit={onSubmit} noValidate aria-label={label} className="flex flex-col gap-4">
      {children}
      <FormError failure={failure} />
      <div className="mt-1 flex justify-end gap-2">
        <Button variant="secondary" onPress={onCancel} isDisabled={isPending}>
          Cancel
        </Button>
        <PendingButton type="submit" variant={tone ?? 'primary'} isPending={isPending} isDisabled={isDisabled}>
          {submitLabel}
        </PendingButton>
      </div>
    </form>
  );
}
