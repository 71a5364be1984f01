import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { hasPasskeySupport } from '@/app/_kit/passkey-client';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { AuthForm } from '../../_components/auth-form';
import type { SecondFactorMethod } from '../../_components/sign-in-requests';
import { PasskeyButton } from './passkey-button';

interface SecondStepProps {
  methods: readonly SecondFactorMethod[];
  /** Where a code is typed. */
  codeField: ReactNode;
  failure: FormFailure | null;
  isPending: boolean;
  isAsking: boolean;
  onPasskey: () => void;
  onSubmit: () => void;
  onBack: () => void;
}

/** What is asked for after the password, or after single sign-on: a passkey, a code of the app, or a recovery code. */
export function SecondStep({ methods, codeField, failure, isPending, isAsking, onPasskey, onSubmit, onBack }: SecondStepProps) {
  const hasApp = methods.includes('app');
  const offersPasskey = methods.includes('passkey') && hasPasskeySupport();
  // With a passkey and no app, a recovery code is the exception.
  const [isCodeShown, setCodeShown] = useState(hasApp || !offersPasskey);
  const passkey = offersPasskey && (
    <PasskeyButton
      isPrimary={!isCodeShown}
      isPending={isAsking}
      isDisabled={isPending}
      onPress={onPasskey}
      label="Use a passkey"
    />
  );
  const back = (
    <Button variant="secondary" fullWidth onPress={onBack} isDisabled={isPending || isAsking}>
      Back
    </Button>
  );
  const after = (
    <>
      {passkey}
      {back}
    </>
  );
  if (isCodeShown) {
    return (
      <AuthForm submitLabel="Sign in" isPending={isPending} failure={failure} onSubmit={onSubmit} after={after}>
        {codeField}
      </AuthForm>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p>Use your fingerprint, face, screen lock or security key to continue.</p>
      <FormError failure={failure} />
      {passkey}
      {back}
      <p>
        <button
          type="button"
          onClick={() => setCodeShown(true)}
          className="text-label text-accent-text underline underline-offset-2"
        >
          Use a recovery code
        </button>
      </p>
    </div>
  );
}
