import { useState } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { FormTextField } from './form-fields';

interface CodeFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** False for an account without an authenticator app: only recovery codes work. */
  hasApp?: boolean;
}

/** The second factor: a code of the authenticator app, or a recovery code if the app is lost. */
export function CodeField<Values extends FieldValues>({ control, name, hasApp = true }: CodeFieldProps<Values>) {
  const [isRecovery, setRecovery] = useState(!hasApp);
  const { field } = useController({ control, name });
  const toggle = () => {
    field.onChange('');
    setRecovery(!isRecovery);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <FormTextField
        key={isRecovery ? 'recovery' : 'app'}
        control={control}
        name={name}
        label={isRecovery ? 'Recovery code' : 'Authentication code'}
        description={
          isRecovery ? 'One of the ten codes you saved. Each works once.' : 'The six digits in your authenticator app.'
        }
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck="false"
        mono
        autoFocus
        isRequired
        className="w-full"
      />
      {hasApp && (
        <button type="button" onClick={toggle} className="text-label text-accent-text underline underline-offset-2">
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
      )}
    </div>
  );
}
