import type { ReactNode } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';

interface EmailFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  description?: ReactNode;
  /** Browsers may offer passkeys in it. */
  offersPasskeys?: boolean;
}

/** The email field of an account, named so that password managers recognise it. */
export function EmailField<Values extends FieldValues>({ offersPasskeys = false, ...props }: EmailFieldProps<Values>) {
  return (
    <FormTextField
      {...props}
      label="Email"
      type="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      inputMode="email"
      autoCapitalize="none"
      spellCheck="false"
      autoFocus
      isRequired
    />
  );
}
