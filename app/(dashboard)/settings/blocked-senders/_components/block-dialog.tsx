import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { type BlockSenderInput, blockSenderInput } from '@/server/features/conversations/blocked-sender.schema';

const resolver = schemaResolver<BlockSenderInput>(async () => blockSenderInput);

/** Blocks an address, or all of a domain. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const form = useForm<BlockSenderInput>({ defaultValues: { sender: '' }, resolver });
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
