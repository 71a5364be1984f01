import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { dateOf } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import { AccessFields } from './access-fields';
import { type Expiry, expiresAt, expiryOptions } from './expiry';
import { noAccess, type Preset, presetScopes, scopesOf } from './key-access';
import { newKeySchema } from './new-key-form';

const serverField = (path: string) => (path === 'expiresAt' ? 'day' : path);

interface CreateKeyDialogProps {
  onClose: () => void;
  onIssued: (name: string, value: string) => void;
}

/** Creates a key with a name, what it may do, and a lifetime. */
export function CreateKeyDialog({ onClose, onIssued }: CreateKeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.apiKeys.create.mutationOptions());
  // Fixed when the dialog opens, so that a second click requests the same key.
  const [openedAt] = useState(() => new Date());
  const form = useForm({
    resolver: zodResolver(newKeySchema),
    defaultValues: { name: '', expiry: 'never' as Expiry, day: '', preset: 'full' as Preset, agentId: '', access: noAccess },
  });
  const { control, formState } = form;

  const { failure, submit } = useFormSubmit(
    form,
    async ({ name, expiry, day, preset, agentId, access }) => {
      const { key, apiKey } = await create.mutateAsync({
        name,
        expiresAt: expiresAt(expiry, day, openedAt),
        scopes: preset === 'custom' ? scopesOf(access) : [...presetScopes[preset]],
        agentId: preset === 'agent' || preset === 'custom' ? agentId || null : null,
      });
      await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
      onIssued(apiKey.name, key);
    },
    serverField,
  );

  return (
    <Dialog isOpen onOpenChange={onClose} title="New API key" description="Lets another program use this business.">
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
          description="Name the app that uses it."
          autoComplete="off"
          autoFocus
          isRequired
        />
        <AccessFields control={control} />
        <FormSelect control={control} name="expiry" label="Expires" options={expiryOptions} />
        {form.watch('expiry') === 'custom' && (
          <FormTextField
            control={control}
            name="day"
            label="Expires after"
            type="date"
            min={dateOf(new Date())}
            description="The key works through the end of this day."
            isRequired
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
