'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormTextField } from '@/app/_kit/form-fields';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useSubmit } from '@/app/_kit/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import { AuthCard } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { EmailField } from '../../_components/email-field';
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
  import('@/server/features/accounts/account.schema').then((module) => module.completeSetupInput.omit({ token: true })),
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
    <AuthCard title="Set up Frontdesk" lead="Your account, your business and a first API key. You can change the details later.">
      <AuthForm submitLabel="Create account" isPending={form.formState.isSubmitting} failure={failure} onSubmit={submit}>
        <EmailField control={control} name="email" description="You sign in with it." />
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
      </AuthForm>
    </AuthCard>
  );
}
