'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { FormError } from '@/app/_kit/form-error';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { SubmitButton } from '@/app/_kit/submit-button';
import { toast } from '@/app/_kit/toast';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';

interface PasswordValues {
  currentPassword: string;
  newPassword: string;
}

const resolver = schemaResolver<PasswordValues>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.changePasswordInput),
);

/** Changes the password. This browser stays signed in, the others do not. */
export function PasswordForm({ email }: { email: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(trpc.account.changePassword.mutationOptions());
  const form = useForm<PasswordValues>({
    resolver,
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { control, formState } = form;

  const submit = form.handleSubmit(async (values) => {
    clearFailure();
    try {
      await change.mutateAsync(values);
      form.reset();
      toast('Password changed', { description: 'You stay signed in here; other browsers were signed out.' });
      await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
    } catch (error) {
      showError(error);
    }
  });

  return (
    <form method="post" onSubmit={submit} noValidate>
      <SectionCard
        title="Password"
        description="Changing it signs you out everywhere but here."
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
            description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
          />
          <FormError failure={failure} />
        </div>
      </SectionCard>
    </form>
  );
}
