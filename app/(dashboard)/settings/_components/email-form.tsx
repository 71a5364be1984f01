import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { SubmitButton } from '@/app/_kit/submit-button';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ChangeEmailInput } from '@/server/features/accounts/account.schema';

const resolver = schemaResolver<ChangeEmailInput>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.changeEmailInput),
);

/** Requests another sign-in address. It changes when the link mailed to it is opened. */
export function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(trpc.account.changeEmail.mutationOptions());
  const form = useForm<ChangeEmailInput>({ resolver, defaultValues: { email: '', currentPassword: '' } });
  const { control, formState } = form;

  const { failure, submit } = useFormSubmit(form, async (typed) => {
    const pending = await change.mutateAsync(typed);
    await queryClient.invalidateQueries(trpc.account.get.queryFilter());
    toast(`We emailed a link to ${pending.email}`, { description: 'Open it within 24 hours to confirm the change.' });
    onClose();
  });

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Change email">
      <SectionCard
        title="Email"
        description={`You sign in as ${email} until you open the link we email to the new address.`}
        footer={
          <>
            <Button variant="secondary" onPress={onClose} isDisabled={formState.isSubmitting}>
              Cancel
            </Button>
            <SubmitButton variant="primary" isPending={formState.isSubmitting}>
              Send link
            </SubmitButton>
          </>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          <FormTextField
            control={control}
            name="email"
            label="New email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck="false"
            description="Once confirmed, you’ll be signed out on other devices."
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
