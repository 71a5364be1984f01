import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { BlockSenderInput } from '@/server/features/conversations/blocked-sender.schema';

/** Blocks an address, or all of a domain. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const form = useForm<BlockSenderInput>({ defaultValues: { sender: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const block = useMutation({
    mutationFn: (values: BlockSenderInput) => client.blockedSenders.create.mutate(values),
    onSuccess: () => queryClient.invalidateQueries(trpc.blockedSenders.pathFilter()),
  });
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      await block.mutateAsync(values);
      onClose();
    } catch (error) {
      showError(error);
    }
  });
  return (
    <Dialog isOpen onOpenChange={onClose} size="sm" title="Block sender">
      <DialogForm
        submitLabel="Block sender"
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={(event) => void submit(event)}
        onCancel={onClose}
      >
        <FormTextField
          control={form.control}
          name="sender"
          label="Email address or domain"
          placeholder="offers@shop.example"
          description="With a domain, such as shop.example, all of its addresses are blocked."
          autoComplete="off"
          autoFocus
          isRequired
        />
      </DialogForm>
    </Dialog>
  );
}
