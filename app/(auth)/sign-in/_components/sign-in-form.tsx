'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '@/app/_kit/code-field';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { hasPasskeySupport } from '@/app/_kit/passkey-client';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useBrowserValue } from '@/app/_kit/use-browser-value';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { SignInOptions } from '@/server/features/accounts/oidc.schema';
import type { PasskeyAnswer } from '@/server/features/accounts/passkey.schema';
import { AuthCard, AuthLink } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { EmailField } from '../../_components/email-field';
import { Or } from '../../_components/or';
import {
  refusalFailure,
  type SecondFactorMethod,
  type SignInOutcome,
  signInWithPasskey,
  signInWithPassword,
} from '../../_components/sign-in-requests';
import type { Credentials } from './credentials';
import { PasskeyButton } from './passkey-button';
import { SecondStep } from './second-step';
import { SingleSignOnButton } from './single-sign-on-button';
import { usePasskey, usePasskeyAutofill } from './use-passkey';

const resolver = schemaResolver<Credentials>(() => import('./sign-in-schema').then((module) => module.signInSchema));

interface SignInFormProps {
  destination: string;
  notice: string | undefined;
  /** Why single sign-on did not work. */
  problem?: string | undefined;
  /** The only origin where passkeys work; null if nowhere. */
  passkeyOrigin: string | null;
  /** The address to start with. */
  email?: string;
}

/** Until the server has answered, and on nearly every installation. */
const usual: SignInOptions = { singleSignOn: null, hasPasswordSignIn: true };

/**
 * Email and password, then a second step if the account has one; or a passkey or single sign-on instead of both. The
 * fields keep their values after a refusal.
 */
export function SignInForm({ destination, notice, problem, passkeyOrigin, email = '' }: SignInFormProps) {
  const trpc = useTRPC();
  const { data: { singleSignOn, hasPasswordSignIn } = usual } = useQuery(trpc.singleSignOn.options.queryOptions({}));
  const [isRecovery, setRecovery] = useState(false);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [methods, setMethods] = useState<SecondFactorMethod[] | null>(null);
  const [isDone, setDone] = useState(false);
  const hasPasskeys = useBrowserValue(
    () => passkeyOrigin === window.location.origin && hasPasskeySupport(),
    passkeyOrigin !== null,
  );
  const { control, getValues, handleSubmit, resetField, setFocus, formState } = useForm<Credentials>({
    resolver,
    defaultValues: { email, password: '', code: '' },
  });

  const finish = (outcome: SignInOutcome) => {
    if (outcome === 'ok') {
      setDone(true);
      // A full load, so that nothing of a previous session survives in memory.
      window.location.assign(destination);
      return;
    }
    if (typeof outcome === 'object' && 'needed' in outcome && methods === null && !isRecovery) {
      setMethods(outcome.needed);
      return;
    }
    setFailure(refusalFailure(outcome));
  };

  const submit = handleSubmit(async ({ email, password, code }) => {
    setFailure(null);
    const outcome = await signInWithPassword(email, password, { code });
    finish(outcome);
    if (outcome === 'ok' || (typeof outcome === 'object' && 'needed' in outcome)) return;
    if (methods === null) setFocus(isRecovery ? 'code' : 'password');
    else if (typeof outcome === 'object' && 'code' in outcome) setFocus('code');
  });

  const sendPasskey = async (passkey: PasskeyAnswer) => {
    const { email, password } = getValues();
    finish(await (methods === null ? signInWithPasskey(passkey) : signInWithPassword(email, password, { passkey })));
  };
  const { ask, isAsking } = usePasskey(sendPasskey, setFailure);
  const offerAutofill = usePasskeyAutofill(hasPasskeys, async (passkey) => {
    setFailure(null);
    await sendPasskey(passkey);
    offerAutofill();
  });

  const startOver = () => {
    setMethods(null);
    setFailure(null);
    resetField('password');
    resetField('code');
  };

  const isPending = formState.isSubmitting || isDone;
  if (methods !== null) {
    return (
      <AuthCard title="Two-factor sign-in" lead={<span className="break-words">Signing in as {getValues('email').trim()}.</span>}>
        <SecondStep
          methods={methods}
          codeField={<CodeField control={control} name="code" hasApp={methods.includes('app')} />}
          failure={failure}
          isPending={isPending}
          isAsking={isAsking}
          onPasskey={ask}
          onSubmit={submit}
          onBack={startOver}
        />
      </AuthCard>
    );
  }
  const showsPassword = hasPasswordSignIn || isRecovery;
  const passkeyButton = hasPasskeys && (
    <PasskeyButton label="Sign in with a passkey" isPending={isAsking} isDisabled={isPending} onPress={ask} />
  );
  return (
    <AuthCard title="Sign in">
      {notice && (
        <p role="status" className="rounded-md bg-info-soft px-3 py-2 text-info-text">
          {notice}
        </p>
      )}
      {problem && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text">
          {problem}
        </p>
      )}
      {singleSignOn !== null && !isRecovery && (
        <>
          <SingleSignOnButton provider={singleSignOn} destination={destination} isPrimary={!hasPasswordSignIn} />
          {(showsPassword || hasPasskeys) && <Or />}
        </>
      )}
      {showsPassword ? (
        <AuthForm
          submitLabel="Sign in"
          isPending={isPending}
          failure={failure}
          onSubmit={submit}
          after={
            hasPasskeys &&
            !isRecovery && (
              <>
                <Or />
                {passkeyButton}
              </>
            )
          }
        >
          <EmailField control={control} name="email" offersPasskeys />
          <PasswordField control={control} name="password" label="Password" autoComplete="current-password" />
          {isRecovery && (
            <FormTextField
              control={control}
              name="code"
              label="Recovery code"
              description="For owners: one of the ten codes you saved. Each works once."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck="false"
              mono
              isRequired
            />
          )}
          <p className="-mt-1 text-label">
            <AuthLink href="/forgot-password">Forgot password?</AuthLink>
          </p>
        </AuthForm>
      ) : (
        <>
          <FormError failure={failure} />
          {passkeyButton}
        </>
      )}
      {!hasPasswordSignIn && (
        <button
          type="button"
          onClick={() => {
            setFailure(null);
            setRecovery(!isRecovery);
          }}
          className="self-start text-label text-accent-text underline underline-offset-2"
        >
          {isRecovery ? 'Sign in another way' : 'Use a recovery code'}
        </button>
      )}
    </AuthCard>
  );
}
