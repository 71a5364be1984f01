'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { FormError } from '@/app/_components/form-error';
import { PasswordField } from '@/app/_components/password-field';
import { SectionCard } from '@/app/_components/section-card';
import { SubmitButton } from '@/app/_components/submit-button';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { changePasswordInput } from '@/server/modules/account/account.schema';
import { signOutHere } from '../../_components/sign-out';

/** Changes the password, which ends every session; the owner signs in again. */
export function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const change = useMutation(trpc.account.changePassword.mutationOptions());
  const form = useForm({
    resolver: zodResolver(changePasswordInput),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { control, formState } = form;

  const submit = form.handleSubmit(async (values) => {
    clearFailure();
    try {
      await change.mutateAsync(values);
      await signOutHere('password-changed');
    } catch (error) {
      showError(error);
    }
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <SectionCard
        title="Password"
        description="Changing it ends every session of this account, also here and on other devices. You sign in again with the new one."
        footer={
          <SubmitButton variant="secondary" isPending={formState.isSubmitting}>
            Change password
          </SubmitButton>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          {/* Tells password managers whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField control={control} name="currentPassword" label="Current password" autoComplete="current-password" />
          <PasswordField
            control={control}
            name="newPassword"
            label="New password"
            autoComplete="new-password"
            description="At least 10 characters."
          />
          <FormError failure={failure} />
        </div>
      </SectionCard>
    </form>
  );
}
