import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';
import type { Mailbox } from '@/server/features/mailboxes/mailbox.schema';
import { readings, sendings } from './mailbox-choices';
import { providers } from './providers';
import { SignInAgain } from './sign-in-again';

interface SignedInFormProps {
  mailbox: Mailbox;
  provider: MailProvider;
  onClose: () => void;
  onRemove: () => void;
}

/** Changes a mailbox that a member signed in to at its provider. */
export function SignedInForm({ mailbox, provider, onClose, onRemove }: SignedInFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: mailboxId, folder, isPaused, outgoing } = mailbox;
  const form = useForm({
    defaultValues: { folder, isPaused: isPaused ? 'yes' : 'no', sends: outgoing ? 'yes' : 'no' },
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const save = useMutation(
    trpc.mailboxes.update.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.mailboxes.pathFilter()) }),
  );
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    const sends = values.sends === 'yes';
    try {
      await save.mutateAsync({
        ...{ mailboxId, folder: values.folder, isPaused: values.isPaused === 'yes' },
        ...(sends !== (outgoing !== null) && { outgoing: sends ? { host: providers[provider].smtp } : null }),
      });
      onClose();
    } catch (error) {
      showError(error);
    }
  });
  return (
    <DialogForm
      submitLabel="Save changes"
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onClose}
    >
      <FormSelect control={form.control} name="isPaused" label="Reading" options={readings} />
      <FormTextField control={form.control} name="folder" label="Folder" autoComplete="off" spellCheck="false" isRequired />
      <FormSelect control={form.control} name="sends" label="Sending" options={sendings} />
      <div className="flex flex-wrap gap-2">
        <SignInAgain mailbox={mailbox} provider={provider} />
        <Button variant="ghost" size="sm" onPress={onRemove}>
          <Trash2 aria-hidden />
          Disconnect mailbox
        </Button>
      </div>
    </DialogForm>
  );
}
