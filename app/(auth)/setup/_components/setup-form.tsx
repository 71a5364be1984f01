'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { BusinessNameFields } from '@/app/_kit/business-name-fields';
import { ButtonLink } from '@/app/_kit/button-link';
import { errorFacts } from '@/app/_kit/error-facts';
import { NewKey } from '@/app/_kit/new-key';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import { AuthCard } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { EmailField } from '../../_components/email-field';
import { signInWithPassword } from '../../_components/sign-in-requests';

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
  const complete = useMutation(trpc.setup.complete.mutationOptions());

  const { failure, submit } = useFormSubmit(form, async (values) => {
    try {
      const { key } = await complete.mutateAsync({ token, ...values });
      setSignedIn((await signInWithPassword(values.email, values.password)) === 'ok');
      setIssuedKey(key);
    } catch (error) {
      if (errorFacts(error).code === 'not_found') window.location.reload();
      else throw error;
    }
  });

  if (issuedKey !== null) return <SetupDone issuedKey={issuedKey} isSignedIn={isSignedIn} />;
  const { control } = form;
  return (
    <AuthCard
      title="Set up Frontdesk"
      lead="Your account, your business and a first API key. You can change everything except the URL name."
    >
      <AuthForm submitLabel="Create account" isPending={form.formState.isSubmitting} failure={failure} onSubmit={submit}>
        <EmailField control={control} name="email" description="Used to sign in." />
        <PasswordField
          control={control}
          name="password"
          label="Password"
          autoComplete="new-password"
          description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
        />
        <BusinessNameFields form={form} />
      </AuthForm>
    </AuthCard>
  );
}

/** The last step of the setup: shows the first key and links to the dashboard. */
function SetupDone({ issuedKey, isSignedIn }: { issuedKey: string; isSignedIn: boolean }) {
  return (
    <AuthCard
      title="Frontdesk is ready"
      lead={`${isSignedIn ? 'You are signed in.' : 'Your account was created. Sign in to continue.'} This is your first API key for connecting other apps:`}
    >
      <NewKey value={issuedKey} />
      <div className="mt-2 flex justify-end">
        <ButtonLink variant="primary" href={isSignedIn ? '/' : '/sign-in'} prefetch={false}>
          {isSignedIn ? 'Go to dashboard' : 'Sign in'}
        </ButtonLink>
      </div>
    </AuthCard>
  );
}
