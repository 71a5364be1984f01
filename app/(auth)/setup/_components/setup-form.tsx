'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorFacts } from '@/app/_components/error-facts';
import { FormError } from '@/app/_components/form-error';
import { FormTextField } from '@/app/_components/form-fields';
import { PasswordField } from '@/app/_components/password-field';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { SubmitButton } from '@/app/_components/submit-button';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useSubmit } from '@/app/_components/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/modules/account/account.limits';
import { signInWithPassword } from '../../_components/sign-in-with-password';
import { SetupDone } from './setup-done';
import { suggestHandle } from './suggest-handle';

interface SetupValues {
  email: string;
  password: string;
  displayName: string;
  handle: string;
}

const resolver = schemaResolver<SetupValues>(() =>
  import('@/server/modules/account/account.schema').then((module) => module.completeSetupInput.omit({ token: true })),
);

/** Creates the owner, the first business and its first API key. */
export function SetupForm({ token }: { token: string }) {
  const trpc = useTRPC();
  const [issuedKey, setIssuedKey] = useState<string | null>(null);
  const [isSignedIn, setSignedIn] = useState(false);
  const form = useForm<SetupValues>({
    resolver,
    defaultValues: { email: '', password: '', displayName: '', handle: '' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const complete = useMutation(trpc.setup.complete.mutationOptions());

  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      const { key } = await complete.mutateAsync({ token, ...values });
      setSignedIn((await signInWithPassword(values.email, values.password)) === 'ok');
      setIssuedKey(key);
    } catch (error) {
      if (errorFacts(error).code === 'not_found') window.location.reload();
      else showError(error);
    }
  });

  const suggest = (displayName: string) => {
    const { dirtyFields } = form.formState;
    if (!dirtyFields.handle) form.setValue('handle', suggestHandle(displayName), { shouldValidate: form.formState.isSubmitted });
  };

  if (issuedKey !== null) return <SetupDone issuedKey={issuedKey} isSignedIn={isSignedIn} />;
  const { control } = form;
  return (
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">Set up Frontdesk</h1>
      <p className="mt-1 text-muted">Your account, your business and a first API key. You can change the details later.</p>
      <form method="post" onSubmit={submit} noValidate className="mt-5 flex flex-col gap-4">
        <FormTextField
          control={control}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck="false"
          description="You sign in with it."
          autoFocus
          isRequired
        />
        <PasswordField
          control={control}
          name="password"
          label="Password"
          autoComplete="new-password"
          description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
        />
        <FormTextField
          control={control}
          name="displayName"
          label="Business name"
          autoComplete="organization"
          onValueChange={suggest}
          isRequired
        />
        <FormTextField
          control={control}
          name="handle"
          label="Handle"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          mono
          description="Short name in public addresses. It cannot be changed later."
          isRequired
        />
        <FormError failure={failure} />
        <SubmitButton variant="primary" fullWidth isPending={form.formState.isSubmitting}>
          Create account
        </SubmitButton>
      </form>
    </section>
  );
}
