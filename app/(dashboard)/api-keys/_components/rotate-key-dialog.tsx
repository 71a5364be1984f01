'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useSubmit } from '@/app/_kit/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';

const overlaps = [
  { value: '0', label: 'Stops at once' },
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

/** Replaces a key by a new one, with time to bring the new one to where the old one is used. */
export function RotateKeyDialog({ apiKey, onClose, onIssued }: RotateKeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.apiKeys.rotate.mutationOptions());
  const form = useForm({ defaultValues: { overlapHours: '24' } });
  const { failure, showError, clearFailure } = useFormErrors(form);

  const submit = useSubmit(form, async ({ overlapHours }) => {
    clearFailure();
    try {
      const { key } = await rotate.mutateAsync({ id: apiKey.id, overlapHours: Number(overlapHours) });
      await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
      onIssued(apiKey.name, key);
    } catch (error) {
      showError(error);
    }
  });

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Rotate ${apiKey.name}`}
      description="You get a new key with the same name and expiry. Put it wherever the old one is used before the old one ends."
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
          label={`The old key (${apiKey.prefix}…${apiKey.last4})`}
          options={overlaps}
        />
      </DialogForm>
    </Dialog>
  );
}
