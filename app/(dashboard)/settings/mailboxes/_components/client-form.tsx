import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { CodeLine } from '@/app/_kit/code-line';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { PasswordField } from '@/app/_kit/password-field';
import { toast } from '@/app/_kit/toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';
import type { MailboxClient } from '@/server/features/mailbox-sign-in/mailbox-client.schema';
import { providers } from './providers';

interface ClientFormProps {
  provider: MailProvider;
  /** Null for a new one. */
  client: MailboxClient | null;
  redirectUri: string;
  submitLabel: string;
  onSaved: () => void;
  onCancel: () => void;
}

/** Sets the client of the business at a provider: what it says of itself there when members sign in. */
export function ClientForm({ provider, client: known, redirectUri, submitLabel, onSaved, onCancel }: ClientFormProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { name, steps, advice } = providers[provider];
  const form = useForm({ defaultValues: { clientId: known?.clientId ?? '', clientSecret: '', tenantId: known?.tenantId ?? '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const refresh = () => queryClient.invalidateQueries(trpc.mailboxClients.pathFilter());
  const submit = useSubmit(form, async ({ clientId, clientSecret, tenantId }) => {
    clearFailure();
    try {
      await client.mailboxClients.set.mutate({
        ...{ provider, clientId: clientId.trim(), tenantId: tenantId.trim() || null },
        ...(clientSecret && { clientSecret: clientSecret.trim() }),
      });
      await refresh();
      onSaved();
    } catch (error) {
      showError(error);
    }
  });
  const remove = useMutation(
    trpc.mailboxClients.delete.mutationOptions({
      onSuccess: async () => {
        onCancel();
        await refresh();
      },
      onError: (error) => toast.failure('Couldn’t remove it.', error),
    }),
  );
  return (
    <DialogForm
      submitLabel={submitLabel}
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onCancel}
    >
      <div className="flex flex-col gap-3 text-label text-muted">
        <p>
          {steps} {advice}
        </p>
        <CodeLine label="Redirect URI" value={redirectUri} copyLabel="Copy redirect URI" />
      </div>
      <FormTextField
        control={form.control}
        name="clientId"
        label={provider === 'google' ? 'Client ID' : 'Application (client) ID'}
        autoComplete="off"
        spellCheck="false"
        autoFocus
        isRequired
      />
      <PasswordField
        control={form.control}
        name="clientSecret"
        label="Client secret"
        autoComplete="new-password"
        isOptional={known !== null}
        {...(known && { description: 'Leave it empty to keep the one you entered before.' })}
      />
      {provider === 'microsoft' && (
        <FormTextField
          control={form.control}
          name="tenantId"
          label="Directory (tenant) ID"
          description="Only if the application is for a single organization."
          autoComplete="off"
          spellCheck="false"
        />
      )}
      {known && known.mailboxes === 0 && (
        <Button
          variant="ghost"
          size="sm"
          className="self-start"
          isDisabled={remove.isPending}
          onPress={() => remove.mutate({ provider })}
        >
          <Trash2 aria-hidden />
          Remove the client at {name}
        </Button>
      )}
    </DialogForm>
  );
}
