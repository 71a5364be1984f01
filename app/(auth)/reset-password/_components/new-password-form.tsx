import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import type { PasswordLink } from '@/server/features/accounts/account.schema';
import { AuthCard } from '../../_components/auth-card';
import { AuthForm } from '../../_components/auth-form';
import type { LinkInUse } from '../../_components/mailed-link';

interface Values {
  newPassword: string;
}

const resolver = schemaResolver<Values>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.resetPasswordInput.pick({ newPassword: true })),
);

/** Sets the password of the account that the link is for. */
export function NewPasswordForm({ link: { email }, token, onDone, onOver }: LinkInUse<PasswordLink>) {
  const trpc = useTRPC();
  const reset = useMutation(trpc.recovery.resetPassword.mutationOptions());
  const form = useForm<Values>({ resolver, defaultValues: { newPassword: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);

  const submit = form.handleSubmit(async ({ newPassword }) => {
    clearFailure();
    try {
      await reset.mutateAsync({ token, newPassword });
      onDone();
    } catch (error) {
      if (errorFacts(error).code === 'not_found') onOver();
      else showError(error);
    }
  });

  return (
    <AuthCard
      title="Set a new password"
      lead={<span className="break-words">For {email}. This signs you out of every browser.</span>}
    >
      <AuthForm submitLabel="Set password" isPending={form.formState.isSubmitting} failure={failure} onSubmit={submit}>
        {/* Tells password managers whose password this is. */}
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
