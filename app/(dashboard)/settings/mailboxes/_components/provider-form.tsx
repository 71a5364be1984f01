import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { QueryResult } from '@/app/_kit/query-result';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';
import { importDays as importLimits } from '@/server/features/mailboxes/mailbox.limits';
import { ClientForm } from './client-form';
import { importChoices, sendings } from './mailbox-choices';
import { providers } from './providers';

interface ProviderFormProps {
  provider: MailProvider;
  onCancel: () => void;
}

/** Connects a mailbox at a provider, where the person signs in; first sets the client of the business there if it has none. */
export function ProviderForm({ provider, onCancel }: ProviderFormProps) {
  const trpc = useTRPC();
  const clients = useQuery(trpc.mailboxClients.list.queryOptions({}));
  return (
    <QueryResult query={clients} failure="Couldn’t load the OAuth clients" loading="Loading the OAuth clients" lines={5}>
      {({ mailboxClients, redirectUri }) =>
        mailboxClients.some((each) => each.provider === provider) ? (
          <SignInForm provider={provider} onCancel={onCancel} />
        ) : (
          <ClientForm
            provider={provider}
            client={null}
            redirectUri={redirectUri}
            submitLabel="Save and go on"
            onSaved={() => undefined}
            onCancel={onCancel}
          />
        )
      }
    </QueryResult>
  );
}

function SignInForm({ provider, onCancel }: ProviderFormProps) {
  const client = useTRPCClient();
  const { name } = providers[provider];
  const form = useForm({
    defaultValues: { address: '', username: '', folder: 'INBOX', sends: 'yes', importDays: String(importLimits.default) },
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const submit = useSubmit(form, async ({ address, username, folder, sends, importDays }) => {
    clearFailure();
    try {
      const { url } = await client.mailboxes.beginSignIn.mutate({
        ...{ provider, address, folder, sends: sends === 'yes', importDays: Number(importDays) },
        ...(username && { username }),
      });
      window.location.assign(url);
    } catch (error) {
      showError(error);
    }
  });
  return (
    <DialogForm
      submitLabel={`Go on to ${name}`}
      // It stays until the browser has left the page.
      isPending={form.formState.isSubmitting || (form.formState.isSubmitSuccessful && failure === null)}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onCancel}
    >
      <FormTextField
        control={form.control}
        name="address"
        label="Email address"
        type="email"
        placeholder="shop@example.com"
        autoComplete="off"
        autoFocus
        isRequired
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormTextField
          control={form.control}
          name="username"
          label={`Account at ${name}`}
          description="Only if it is not that of this address."
          autoComplete="off"
          spellCheck="false"
        />
        <FormTextField control={form.control} name="folder" label="Folder" autoComplete="off" spellCheck="false" isRequired />
      </div>
      <FormSelect control={form.control} name="sends" label="Sending" options={sendings} />
      <FormSelect control={form.control} name="importDays" label="Earlier emails" options={importChoices} />
    </DialogForm>
  );
}
