'use client';

import { Button } from '@heroui/react/button';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Dialog } from '@/app/_components/dialog';
import { FormError } from '@/app/_components/form-error';
import { FormTextField } from '@/app/_components/form-fields';
import { FormSelect } from '@/app/_components/form-select';
import { PendingButton } from '@/app/_components/pending-button';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { createApiKeyInput } from '@/server/modules/api-keys/api-key.schema';
import { type Expiry, expiresAt, expiryOptions, today } from './expiry';

const formSchema = z
  .object({
    name: createApiKeyInput.shape.name,
    expiry: z.enum(expiryOptions.map((option) => option.value) as [Expiry, ...Expiry[]]),
    day: z.string(),
  })
  .refine((values) => values.expiry !== 'custom' || values.day >= today(new Date()), {
    path: ['day'],
    error: 'must be today or later',
  });

const serverField = (path: string) => (path === 'expiresAt' ? 'day' : path);

interface CreateKeyDialogProps {
  onClose: () => void;
  onIssued: (name: string, value: string) => void;
}

/** Names a new key and says how long it lives. */
export function CreateKeyDialog({ onClose, onIssued }: CreateKeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.apiKeys.create.mutationOptions());
  const form = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', expiry: 'never' as Expiry, day: '' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form, serverField);
  const { control, formState } = form;

  const submit = form.handleSubmit(async ({ name, expiry, day }) => {
    clearFailure();
    try {
      const { key, apiKey } = await create.mutateAsync({ name, expiresAt: expiresAt(expiry, day, new Date()) });
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
      title="New API key"
      description="It can do everything the API offers for this business."
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormTextField
          control={control}
          name="name"
          label="Name"
          placeholder="Website contact form"
          description="What uses it, so that you recognise it later."
          autoComplete="off"
          autoFocus
          isRequired
        />
        <FormSelect control={control} name="expiry" label="Expires" options={expiryOptions} />
        {form.watch('expiry') === 'custom' && (
          <FormTextField
            control={control}
            name="day"
            label="Last day"
            type="date"
            min={today(new Date())}
            description="The key works until the end of this day."
            isRequired
          />
        )}
        <FormError failure={failure} />
        <div className="mt-1 flex justify-end gap-2">
          <Button variant="secondary" onPress={onClose} isDisabled={formState.isSubmitting}>
            Cancel
          </Button>
          <PendingButton type="submit" variant="primary" isPending={formState.isSubmitting}>
            Create key
          </PendingButton>
        </div>
      </form>
    </Dialog>
  );
}
