'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { AuthCard, AuthLink } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import { EmailField } from '../../_components/email-field';

interface Values {
  email: string;
}

const resolver = schemaResolver<Values>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.requestResetInput),
);

/** Requests a link to set a new password. The response is the same whether or not the account exists. */
export function ForgotPasswordForm() {
  const trpc = useTRPC();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const request = useMutation(trpc.recovery.requestPasswordReset.mutationOptions());
  const form = useForm<Values>({ resolver, defaultValues: { email: '' } });

  const { failure, submit } = useFormSubmit(form, async ({ email }) => {
    await request.mutateAsync({ email });
    setSentTo(email.trim());
  });

  if (sentTo !== null) return <LinkSent email={sentTo} />;
  return (
    <AuthCard title="Forgot password" lead="Enter your email and we’ll send you a link to set a new password.">
      <AuthForm submitLabel="Send link" isPending={form.formState.isSubmitting} failure={failure} onSubmit={submit}>
        <EmailField control={form.control} name="email" />
      </AuthForm>
      <p>
        <AuthLink href="/sign-in">Back to sign-in</AuthLink>
      </p>
    </AuthCard>
  );
}

function LinkSent({ email }: { email: string }) {
  return (
    <div role="status">
      <AuthCard
        title="Check your email"
        lead={
          <>
            If an account exists for <span className="font-medium break-words text-foreground">{email}</span>, we’ve sent a link.
            It expires in an hour.
          </>
        }
      >
        <p className="text-muted">No email after a few minutes? Check your spam folder and the address.</p>
        <p>
          <AuthLink href="/sign-in">Back to sign-in</AuthLink>
        </p>
      </AuthCard>
    </div>
  );
}
