import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { FormError } from '@/app/_kit/form-error';
import { FormTextArea } from '@/app/_kit/form-fields';
import { SectionCard } from '@/app/_kit/section-card';
import { SubmitButton } from '@/app/_kit/submit-button';
import { toast } from '@/app/_kit/toast';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { signatureMaximum } from '@/server/features/team/team.limits';
import type { Signature } from '@/server/features/team/team.schema';

/** What is below the emails of the signed-in member. */
export function SignatureForm({ signature }: Signature) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const save = useMutation(trpc.members.setSignature.mutationOptions());
  const form = useForm<Signature>({ defaultValues: { signature } });
  const { isDirty, isSubmitting } = form.formState;
  const { failure, submit } = useFormSubmit(form, async (values) => {
    await save.mutateAsync(values);
    form.reset(values);
    toast('Signature saved');
    // Composers show it.
    await Promise.all(
      [trpc.members.signature, trpc.conversations].map((part) => queryClient.invalidateQueries(part.pathFilter())),
    );
  });
  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Signature">
      <SectionCard
        title="Signature"
        description="Below the emails that you send as yourself for this business. Agents have signatures of their own."
        footer={
          <SubmitButton variant="primary" isPending={isSubmitting}>
            Save signature
          </SubmitButton>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          <FormTextArea
            control={form.control}
            name="signature"
            label="Signature"
            hideLabel
            rows={4}
            maxLength={signatureMaximum}
            placeholder={'Your name\nYour business'}
          />
          <FormError failure={failure} />
        </div>
      </SectionCard>
      <UnsavedChangesGuard isDirty={isDirty && !isSubmitting} subject="your signature" onLeave={() => form.reset()} />
    </form>
  );
}
