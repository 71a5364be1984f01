'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useSubmit } from '@/app/_kit/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import { createApiKeyInput } from '@/server/features/api-keys/api-key.schema';
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
  // From the opening on: pressed a second time, the button asks for the very same key.
  const [openedAt] = useState(() => new Date());
  const form = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { name: '', expiry: 'never' as Expiry, day: '' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form, serverField);
  const { control, formState } = form;

  const submit = useSubmit(form, async ({ name, expiry, day }) => {
    clearFailure();
    try {
      const { key, apiKey } = await create.mutateAsync({ name, expiresAt: expiresAt(expiry, day, openedAt) });
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
      <DialogForm
        submitLabel="Create key"
        isPending={formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
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
      </DialogForm>
    </Dialog>
  );
}
