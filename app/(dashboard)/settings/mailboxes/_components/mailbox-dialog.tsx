import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type FieldPath, useForm, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { PasswordField } from '@/app/_kit/password-field';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';
import { importDays as importLimits } from '@/server/features/mailboxes/mailbox.limits';
import type { Mailbox, MailboxCheck } from '@/server/features/mailboxes/mailbox.schema';
import { importChoices, readings, sendings } from './mailbox-choices';
import { serversOfAddress } from './mailbox-servers';
import { ProviderForm } from './provider-form';
import { providerNames, providers } from './providers';
import { RemoveMailboxDialog } from './remove-mailbox-dialog';
import { SignedInForm } from './signed-in-form';

interface MailboxValues {
  address: string;
  password: string;
  host: string;
  port: string;
  security: 'tls' | 'starttls';
  username: string;
  folder: string;
  importDays: string;
  isPaused: 'no' | 'yes';
  sends: 'no' | 'yes';
  outgoing: { host: string; port: string; security: 'tls' | 'starttls' };
}

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
];

const submissionPort = (security: string) => (security === 'tls' ? '465' : '587');

type ProblemCode = NonNullable<MailboxCheck['problem']>['code'];

/** The field that a problem is about, where there is one. */
const fieldOfProblem: Partial<Record<ProblemCode, FieldPath<MailboxValues>>> = {
  address_forbidden: 'host',
  host_unknown: 'host',
  unreachable: 'host',
  no_answer: 'port',
  encryption: 'security',
  certificate: 'host',
  credentials: 'password',
  folder: 'folder',
};

/** The same for the server that sends. */
const fieldOfOutgoingProblem: typeof fieldOfProblem = {
  address_forbidden: 'outgoing.host',
  host_unknown: 'outgoing.host',
  unreachable: 'outgoing.host',
  no_answer: 'outgoing.port',
  encryption: 'outgoing.security',
  certificate: 'outgoing.host',
  credentials: 'password',
};

/** Both servers have the same password here. */
const fieldOfPath = (path: string) => (path === 'outgoing.password' ? 'password' : path);

interface MailboxDialogProps {
  /** Null for a new one. */
  mailbox: Mailbox | null;
  onClose: () => void;
}

/** Connects, changes and disconnects a mailbox. */
export function MailboxDialog({ mailbox, onClose }: MailboxDialogProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const [provider, setProvider] = useState<MailProvider | null>(null);
  if (mailbox && isRemoving) {
    return <RemoveMailboxDialog mailbox={mailbox} onClose={() => setIsRemoving(false)} onRemoved={onClose} />;
  }
  const title = provider ? `Connect mailbox at ${providers[provider].name}` : 'Connect mailbox';
  const onRemove = () => setIsRemoving(true);
  return (
    <Dialog isOpen size="lg" onOpenChange={onClose} title={mailbox ? `Edit ${mailbox.address}` : title}>
      {mailbox?.provider ? (
        <SignedInForm mailbox={mailbox} provider={mailbox.provider} onClose={onClose} onRemove={onRemove} />
      ) : provider ? (
        <ProviderForm provider={provider} onCancel={() => setProvider(null)} />
      ) : (
        <>
          {!mailbox && <ProviderButtons onChoose={setProvider} />}
          <MailboxForm mailbox={mailbox} onClose={onClose} onRemove={onRemove} />
        </>
      )}
    </Dialog>
  );
}

/** Ways to connect a mailbox without a password. */
function ProviderButtons({ onChoose }: { onChoose: (provider: MailProvider) => void }) {
  return (
    <div className="mb-4 flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {providerNames.map((provider) => (
          <Button key={provider} variant="secondary" className="flex-1" onPress={() => onChoose(provider)}>
            Sign in at {providers[provider].name}
          </Button>
        ))}
      </div>
      <p className="text-label text-muted">Or connect a mailbox by its password:</p>
    </div>
  );
}

function valuesOf(mailbox: Mailbox | null): MailboxValues {
  return {
    address: mailbox?.address ?? '',
    password: '',
    host: mailbox?.host ?? '',
    port: String(mailbox?.port ?? 993),
    security: mailbox?.security ?? 'tls',
    username: mailbox?.username ?? '',
    folder: mailbox?.folder ?? 'INBOX',
    importDays: String(importLimits.default),
    isPaused: mailbox?.isPaused ? 'yes' : 'no',
    sends: mailbox && !mailbox.outgoing ? 'no' : 'yes',
    outgoing: {
      host: mailbox?.outgoing?.host ?? (mailbox ? serversOfAddress(mailbox.address).smtp : ''),
      port: String(mailbox?.outgoing?.port ?? 465),
      security: mailbox?.outgoing?.security ?? 'tls',
    },
  };
}

/** A mailbox with a password. What was entered is tried out before it is stored. */
function MailboxForm({ mailbox, onClose, onRemove }: MailboxDialogProps & { onRemove: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const form = useForm<MailboxValues>({ defaultValues: valuesOf(mailbox) });
  const { failure, showError, showFailure, clearFailure } = useFormErrors(form, fieldOfPath);
  const sends = useWatch({ control: form.control, name: 'sends' }) === 'yes';

  const outgoingOf = ({ sends, outgoing, username }: MailboxValues) => {
    if (sends === 'no') return null;
    // One that programs have set stays.
    const user = mailbox?.outgoing?.username ?? username;
    return { ...outgoing, port: Number(outgoing.port), ...(user && { username: user }) };
  };

  /** @returns false if it can't be read, which the form then shows */
  const tryOut = async (values: MailboxValues): Promise<boolean> => {
    const { address, password, host, security, folder, username } = values;
    const { problem, outgoingProblem } = await client.mailboxes.check.mutate({
      ...{ address, host, port: Number(values.port), security, folder, password, outgoing: outgoingOf(values) },
      ...(username && { username }),
    });
    const show = ({ message }: { message: string }, field: FieldPath<MailboxValues> | undefined) => {
      if (field) form.setError(field, { type: 'server', message }, { shouldFocus: true });
      else showFailure({ message, requestId: undefined });
    };
    if (outgoingProblem) show(outgoingProblem, fieldOfOutgoingProblem[outgoingProblem.code]);
    if (problem) show(problem, fieldOfProblem[problem.code]);
    return !problem && !outgoingProblem;
  };

  const save = useMutation({
    mutationFn: (values: MailboxValues) => {
      const { address, password, host, security, folder, isPaused, importDays, username } = values;
      const server = {
        ...{ host, security, folder, port: Number(values.port), outgoing: outgoingOf(values) },
        ...(username && { username }),
      };
      if (!mailbox) return client.mailboxes.create.mutate({ ...server, address, password, importDays: Number(importDays) });
      return client.mailboxes.update.mutate({
        mailboxId: mailbox.id,
        ...server,
        isPaused: isPaused === 'yes',
        ...(password && { password }),
      });
    },
    onSuccess: () => queryClient.invalidateQueries(trpc.mailboxes.pathFilter()),
  });
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      if (values.password && !(await tryOut(values))) return;
      await save.mutateAsync(values);
      onClose();
    } catch (error) {
      showError(error);
    }
  });
  return (
    <DialogForm
      submitLabel={mailbox ? 'Save changes' : 'Connect mailbox'}
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onClose}
    >
      {mailbox ? (
        <FormSelect control={form.control} name="isPaused" label="Reading" options={readings} />
      ) : (
        <FormTextField
          control={form.control}
          name="address"
          label="Email address"
          type="email"
          placeholder="shop@example.com"
          autoComplete="off"
          autoFocus
          isRequired
          onValueChange={(address) => {
            const { imap, smtp, smtpSecurity: security } = serversOfAddress(address);
            if (!form.getFieldState('host').isDirty) form.resetField('host', { defaultValue: imap });
            if (form.getFieldState('outgoing').isDirty) return;
            form.resetField('outgoing', { defaultValue: { host: smtp, port: submissionPort(security), security } });
          }}
        />
      )}
      <PasswordField
        control={form.control}
        name="password"
        label="Password"
        autoComplete="new-password"
        isOptional={mailbox !== null}
        description={
          mailbox
            ? 'Leave it empty to keep the one you entered before.'
            : 'Yahoo and Apple need an app password, which you create in your account there.'
        }
      />
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_5rem_8rem]">
        <FormTextField control={form.control} name="host" label="IMAP server" autoComplete="off" spellCheck="false" isRequired />
        <FormTextField control={form.control} name="port" label="Port" inputMode="numeric" autoComplete="off" isRequired />
        <FormSelect
          control={form.control}
          name="security"
          label="Encryption"
          options={securities}
          onValueChange={(security) => form.setValue('port', security === 'tls' ? '993' : '143')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormTextField
          control={form.control}
          name="username"
          label="User name"
          description="The email address, unless your provider says otherwise."
          autoComplete="off"
          spellCheck="false"
        />
        <FormTextField control={form.control} name="folder" label="Folder" autoComplete="off" spellCheck="false" isRequired />
      </div>
      <FormSelect control={form.control} name="sends" label="Sending" options={sendings} />
      {sends && (
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_5rem_8rem]">
          <FormTextField
            control={form.control}
            name="outgoing.host"
            label="SMTP server"
            autoComplete="off"
            spellCheck="false"
            isRequired
          />
          <FormTextField
            control={form.control}
            name="outgoing.port"
            label="SMTP port"
            inputMode="numeric"
            autoComplete="off"
            isRequired
          />
          <FormSelect
            control={form.control}
            name="outgoing.security"
            label="SMTP encryption"
            options={securities}
            onValueChange={(security) => form.setValue('outgoing.port', submissionPort(security))}
          />
        </div>
      )}
      {!mailbox && <FormSelect control={form.control} name="importDays" label="Earlier emails" options={importChoices} />}
      {mailbox && (
        <Button variant="ghost" size="sm" className="self-start" onPress={onRemove}>
          <Trash2 aria-hidden />
          Disconnect mailbox
        </Button>
      )}
    </DialogForm>
  );
}
