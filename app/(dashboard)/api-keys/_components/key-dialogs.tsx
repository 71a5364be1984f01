import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormSelect } from '@/app/_kit/form-select';
import { NewKey } from '@/app/_kit/new-key';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';

const overlaps = [
  { value: '0', label: 'Stops working immediately' },
  { value: '1', label: 'Works for 1 more hour' },
  { value: '24', label: 'Works for 24 more hours' },
  { value: '72', label: 'Works for 3 more days' },
  { value: '168', label: 'Works for 7 more days' },
];

interface RotateKeyDialogProps {
  apiKey: ApiKeyRecord;
  onClose: () => void;
  onIssued: (name: string, value: string) => void;
}

/** Replaces a key with a new one; the old one keeps working for a while, so that its users can be switched. */
export function RotateKeyDialog({ apiKey, onClose, onIssued }: RotateKeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.apiKeys.rotate.mutationOptions());
  const form = useForm({ defaultValues: { overlapHours: '24' } });

  const { failure, submit } = useFormSubmit(form, async ({ overlapHours }) => {
    const { key } = await rotate.mutateAsync({ id: apiKey.id, overlapHours: Number(overlapHours) });
    await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
    onIssued(apiKey.name, key);
  });

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Rotate ${apiKey.name}`}
      description="You get a new key with the same name, access and expiry. Update your apps before the old key stops working."
    >
      <DialogForm
        submitLabel="Rotate key"
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
        <FormSelect
          control={form.control}
          name="overlapHours"
          label={`Old key (${apiKey.prefix}…${apiKey.last4})`}
          options={overlaps}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Shows a key once. A stray click or Escape does not close it, since the key would be lost. */
export function IssuedKeyDialog({ name, value, onClose }: { name: string; value: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      size="lg"
      title={`New API key: ${name}`}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <NewKey value={value} />
    </Dialog>
  );
}

/** Asks before a key is revoked, and says when it was last used. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRecord; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
        onClose();
      },
      onError: (error) => toast.failure('Couldn’t revoke the key.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Revoke ${apiKey.name}?`}
      description={
        <>
          Apps using {apiKey.prefix}…{apiKey.last4} stop working immediately. This can’t be undone.{' '}
          {apiKey.lastUsedAt === null ? (
            'Never used.'
          ) : (
            <>
              Last used <RelativeTime value={apiKey.lastUsedAt} />.
            </>
          )}
        </>
      }
      confirmLabel="Revoke key"
      tone="danger"
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id: apiKey.id })}
    />
  );
}
