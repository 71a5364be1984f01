import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { PasskeyRecord } from '@/server/features/accounts/passkey.schema';

interface PasskeyDialogProps {
  passkey: PasskeyRecord;
  onClose: () => void;
}

const resolver = schemaResolver<{ name: string }>(() =>
  import('@/server/features/accounts/passkey.schema').then((module) => module.renamePasskeyInput.pick({ name: true })),
);

/** Changes the name of a passkey. */
export function RenamePasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rename = useMutation(trpc.passkeys.rename.mutationOptions());
  const form = useForm({ resolver, defaultValues: { name: passkey.name } });
  const { failure, submit } = useFormSubmit(form, async ({ name }) => {
    await rename.mutateAsync({ id: passkey.id, name });
    await queryClient.invalidateQueries(trpc.passkeys.list.queryFilter());
    onClose();
  });
  return (
    <Dialog isOpen size="sm" onOpenChange={onClose} title="Rename passkey">
      <DialogForm
        submitLabel="Save"
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
        <FormTextField control={form.control} name="name" label="Name" autoFocus isRequired />
      </DialogForm>
    </Dialog>
  );
}

/** Asks before a passkey is removed. */
export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.passkeys.remove.mutationOptions({
      onSuccess: async () => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.passkeys.list.queryFilter()),
          queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter()),
          queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
        ]);
        toast('Passkey removed');
        onClose();
      },
      onError: (error) => toast.failure('The passkey was not removed.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Remove “${name}”?`}
      description="You can no longer sign in with it, and other devices are signed out. Your device or password manager may go on offering it until you delete it there, too."
      confirmLabel="Remove passkey"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id })}
    />
  );
}
