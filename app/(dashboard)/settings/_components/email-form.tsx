'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_components/button';
import { FormError } from '@/app/_components/form-error';
import { FormTextField } from '@/app/_components/form-fields';
import { PasswordField } from '@/app/_components/password-field';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { SectionCard } from '@/app/_components/section-card';
import { SubmitButton } from '@/app/_components/submit-button';
import { toast } from '@/app/_components/toast';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ChangeEmailInput } from '@/server/modules/account/account.schema';

const resolver = schemaResolver<ChangeEmailInput>(() =>
  import('@/server/modules/account/account.schema').then((module) => module.changeEmailInput),
);

/** Changes the address somebody signs in with. This browser stays signed in, the others do not. */
export function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const change = useMutation(trpc.account.changeEmail.mutationOptions());
  const form = useForm<ChangeEmailInput>({ resolver, defaultValues: { email: '', currentPassword: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { control, formState } = form;

  const submit = form.handleSubmit(async (typed) => {
    clearFailure();
    try {
      await change.mutateAsync(typed);
      await Promise.all([
        queryClient.invalidateQueries(trpc.account.get.queryFilter()),
        queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
      ]);
      // The frame around the page shows the address as well.
      router.refresh();
      toast(`You sign in as ${typed.email.trim().toLowerCase()} from now on`, {
        description: 'Other browsers were signed out.',
      });
      onClose();
    } catch (error) {
      showError(error);
    }
  });

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Change e-mail">
      <SectionCard
        title="E-mail"
        description={`You sign in as ${email} now. Changing it signs you out everywhere but here.`}
        footer={
          <>
            <Button variant="secondary" onPress={onClose} isDisabled={formState.isSubmitting}>
              Cancel
            </Button>
            <SubmitButton variant="primary" isPending={formState.isSubmitting}>
              Change e-mail
            </SubmitButton>
          </>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          <FormTextField
            control={control}
            name="email"
            label="New e-mail"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck="false"
            description="It takes effect at once and no mail confirms it, so check the spelling."
            autoFocus
            isRequired
          />
          <PasswordField control={control} name="currentPassword" label="Your password" autoComplete="current-password" />
          <FormError failure={failure} />
        </div>
      </SectionCard>
    </form>
  );
}
