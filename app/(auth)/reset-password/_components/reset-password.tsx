'use client';

import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import type { PasswordLink } from '@/server/features/accounts/account.schema';
import { AuthCard } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { type LinkInUse, MailedLink } from '../../_components/mailed-link';

interface Values {
  newPassword: string;
}

const resolver = schemaResolver<Values>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.resetPasswordInput.pick({ newPassword: true })),
);

/** Sets the password of the account that the link is for. */
function NewPasswordForm({ link: { email }, token, onDone, onExpired }: LinkInUse<PasswordLink>) {
  const trpc = useTRPC();
  const reset = useMutation(trpc.recovery.resetPassword.mutationOptions());
  const form = useForm<Values>({ resolver, defaultValues: { newPassword: '' } });

  const { failure, submit } = useFormSubmit(form, async ({ newPassword }) => {
    try {
      await reset.mutateAsync({ token, newPassword });
      onDone();
    } catch (error) {
      if (errorFacts(error).code === 'not_found') onExpired();
      else throw error;
    }
  });

  return (
    <AuthCard
      title="Set a new password"
      lead={<span className="break-words">For {email}. You’ll be signed out on all devices.</span>}
    >
      <AuthForm submitLabel="Set password" isPending={form.formState.isSubmitting} failure={failure} onSubmit={submit}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          control={form.control}
          name="newPassword"
          label="New password"
          autoComplete="new-password"
          description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
        />
      </AuthForm>
    </AuthCard>
  );
}

/** Sets a new password for the recipient of the mailed link. It does not sign in. */
export function ResetPassword() {
  const client = useTRPCClient();
  return (
    <MailedLink
      title="Set a new password"
      read={(token) => client.recovery.readPasswordLink.mutate({ token })}
      done={() => ({
        title: 'Password changed',
        lead: 'You’ve been signed out on all devices. Sign in with your new password.',
        href: '/sign-in',
        label: 'Sign in',
      })}
      over={{
        lead: 'Links work once and expire after an hour, and a new link replaces the old one. Check that you copied the whole link, or request a new one.',
        href: '/forgot-password',
        label: 'Get a new link',
      }}
    >
      {(use) => <NewPasswordForm {...use} />}
    </MailedLink>
  );
}
