'use client';

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_components/button';
import { CodeField } from '@/app/_components/code-field';
import { FormError } from '@/app/_components/form-error';
import { FormTextField } from '@/app/_components/form-fields';
import { PasswordField } from '@/app/_components/password-field';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { SubmitButton } from '@/app/_components/submit-button';
import { AuthLink } from '../../_components/auth-card';
import { describeRefusal, signInWithPassword } from '../../_components/sign-in-with-password';

interface Credentials {
  email: string;
  password: string;
  code: string;
}

const resolver = schemaResolver<Credentials>(() => import('./sign-in-schema').then((module) => module.signInSchema));

/** Email and password, and then a code where the account has a second factor; stays filled in when refused. */
export function SignInForm({ destination, notice }: { destination: string; notice: string | undefined }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [asksForCode, setAsksForCode] = useState(false);
  const [isDone, setDone] = useState(false);
  const { control, getValues, handleSubmit, resetField, setFocus, formState } = useForm<Credentials>({
    resolver,
    defaultValues: { email: '', password: '', code: '' },
  });

  const submit = handleSubmit(async ({ email, password, code }) => {
    setProblem(null);
    const outcome = await signInWithPassword(email, password, code);
    if (outcome === 'ok') {
      setDone(true);
      // A full load, so that nothing of a former session survives in memory.
      window.location.assign(destination);
      return;
    }
    const isAboutCode = typeof outcome === 'object' && 'code' in outcome;
    if (isAboutCode && !asksForCode) {
      setAsksForCode(true);
      return;
    }
    setProblem(describeRefusal(outcome));
    if (!asksForCode) setFocus('password');
    else if (isAboutCode) setFocus('code');
  });

  const startOver = () => {
    setAsksForCode(false);
    setProblem(null);
    resetField('password');
    resetField('code');
  };

  return (
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">{asksForCode ? 'Two-factor sign-in' : 'Sign in'}</h1>
      {asksForCode && <p className="mt-1 text-muted">Signing in as {getValues('email').trim()}.</p>}
      {notice && !asksForCode && (
        <p role="status" className="mt-3 rounded-md bg-info-soft px-3 py-2 text-info-text">
          {notice}
        </p>
      )}
      <form method="post" onSubmit={submit} noValidate className="mt-5 flex flex-col gap-4">
        {asksForCode ? (
          <CodeField control={control} name="code" />
        ) : (
          <>
            <FormTextField
              control={control}
              name="email"
              label="Email"
              type="email"
              autoComplete="username"
              inputMode="email"
              autoCapitalize="none"
              spellCheck="false"
              autoFocus
              isRequired
            />
            <PasswordField control={control} name="password" label="Password" autoComplete="current-password" />
            <p className="-mt-1 text-label">
              <AuthLink href="/forgot-password">Forgot password?</AuthLink>
            </p>
          </>
        )}
        <FormError failure={problem === null ? null : { message: problem, requestId: undefined }} />
        <SubmitButton variant="primary" fullWidth isPending={formState.isSubmitting || isDone}>
          Sign in
        </SubmitButton>
        {asksForCode && (
          <Button variant="secondary" fullWidth onPress={startOver} isDisabled={formState.isSubmitting || isDone}>
            Back
          </Button>
        )}
      </form>
    </section>
  );
}
