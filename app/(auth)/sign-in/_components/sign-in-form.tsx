'use client';

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { CodeField } from '@/app/_kit/code-field';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { AuthCard, AuthLink } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { EmailField } from '../../_components/email-field';
import { refusalFailure, signInWithPassword } from '../../_components/sign-in-with-password';

interface Credentials {
  email: string;
  password: string;
  code: string;
}

const resolver = schemaResolver<Credentials>(() => import('./sign-in-schema').then((module) => module.signInSchema));

/** Email and password, then a code if the account has a second factor. The fields keep their values after a refusal. */
export function SignInForm({ destination, notice }: { destination: string; notice: string | undefined }) {
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [asksForCode, setAsksForCode] = useState(false);
  const [isDone, setDone] = useState(false);
  const { control, getValues, handleSubmit, resetField, setFocus, formState } = useForm<Credentials>({
    resolver,
    defaultValues: { email: '', password: '', code: '' },
  });

  const submit = handleSubmit(async ({ email, password, code }) => {
    setFailure(null);
    const outcome = await signInWithPassword(email, password, code);
    if (outcome === 'ok') {
      setDone(true);
      // A full load, so that nothing of a previous session survives in memory.
      window.location.assign(destination);
      return;
    }
    const isAboutCode = typeof outcome === 'object' && 'code' in outcome;
    if (isAboutCode && !asksForCode) {
      setAsksForCode(true);
      return;
    }
    setFailure(refusalFailure(outcome));
    if (!asksForCode) setFocus('password');
    else if (isAboutCode) setFocus('code');
  });

  const startOver = () => {
    setAsksForCode(false);
    setFailure(null);
    resetField('password');
    resetField('code');
  };

  return (
    <AuthCard
      title={asksForCode ? 'Two-factor sign-in' : 'Sign in'}
      lead={asksForCode && <span className="break-words">Signing in as {getValues('email').trim()}.</span>}
    >
      {notice && !asksForCode && (
        <p role="status" className="rounded-md bg-info-soft px-3 py-2 text-info-text">
          {notice}
        </p>
      )}
      <AuthForm
        submitLabel="Sign in"
        isPending={formState.isSubmitting || isDone}
        failure={failure}
        onSubmit={submit}
        after={
          asksForCode && (
            <Button variant="secondary" fullWidth onPress={startOver} isDisabled={formState.isSubmitting || isDone}>
              Back
            </Button>
          )
        }
      >
        {asksForCode ? (
          <CodeField control={control} name="code" />
        ) : (
          <>
            <EmailField control={control} name="email" />
            <PasswordField control={control} name="password" label="Password" autoComplete="current-password" />
            <p className="-mt-1 text-label">
              <AuthLink href="/forgot-password">Forgot password?</AuthLink>
            </p>
          </>
        )}
      </AuthForm>
    </AuthCard>
  );
}
