'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Inbox, Plus } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { LocalNumber } from '@/app/_kit/local-number';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import { mailboxesMaximum } from '@/server/features/mailboxes/mailbox.limits';
import type { Mailbox } from '@/server/features/mailboxes/mailbox.schema';
import { ClientsCard } from './clients-card';
import { providers } from './providers';
import { SignInAgain } from './sign-in-again';

const MailboxDialog = onDemandComponent(() => import('./mailbox-dialog').then((file) => file.MailboxDialog));

/** In the address, instead of an id: the dialog of a new mailbox. */
const addressOfNew = 'new';

/** In milliseconds: while something is going on, and otherwise. */
const refresh = { soon: 2_000, later: 30_000 };

const isUnderWay = ({ status }: Mailbox) => status === 'new' || status === 'importing';

/** Mailboxes of other servers, whose email comes to the inbox. */
export function Mailboxes() {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.mailboxes.list.queryOptions(
      {},
      { refetchInterval: ({ state }) => (state.data?.mailboxes.some(isUnderWay) ? refresh.soon : refresh.later) },
    ),
  );
  const [open, setOpen] = useQueryState('mailbox', parseAsString.withOptions({ history: 'push' }));
  const { isAllowed } = usePermission('identity:write');
  const mailboxes = list.data?.mailboxes;
  const opened = mailboxes?.find(({ id }) => id === open) ?? null;
  const create = (
    <Button
      variant="primary"
      size={mailboxes?.length ? 'sm' : 'md'}
      needs="identity:write"
      isDisabled={(mailboxes?.length ?? 0) >= mailboxesMaximum}
      onPress={() => void setOpen(addressOfNew)}
    >
      <Plus aria-hidden />
      Connect mailbox
    </Button>
  );
  return (
    <>
      <SectionCard
        title="Mailboxes"
        description="Email that arrives in these mailboxes appears in the inbox. Nothing in them is changed or deleted."
        actions={mailboxes && mailboxes.length > 0 && create}
        flush
      >
        <ListBody
          what="mailboxes"
          error={mailboxes ? null : list.error}
          onRetry={() => void list.refetch()}
          isLoaded={mailboxes !== undefined}
          isEmpty={mailboxes?.length === 0}
          empty={
            <EmptyState
              icon={Inbox}
              title="No mailboxes yet"
              description="Connect the mailbox you have, such as one at Google, your web host or your own server."
              action={create}
            />
          }
          lines={4}
        >
          <ul aria-label="Mailboxes" className="divide-y divide-separator">
            {mailboxes?.map((mailbox) => (
              <MailboxItem key={mailbox.id} mailbox={mailbox} onEdit={() => void setOpen(mailbox.id)} />
            ))}
          </ul>
        </ListBody>
      </SectionCard>
      <ClientsCard />
      {isAllowed && (opened || open === addressOfNew) && (
        <MailboxDialog key={open} mailbox={opened} onClose={() => void setOpen(null)} />
      )}
    </>
  );
}

const statuses: Record<Mailbox['status'], { tone: StatusTone; label: string }> = {
  new: { tone: 'info', label: 'Connecting …' },
  importing: { tone: 'info', label: 'Importing' },
  connected: { tone: 'success', label: 'Connected' },
  failing: { tone: 'danger', label: 'Failing' },
  paused: { tone: 'neutral', label: 'Paused' },
};

function MailboxItem({ mailbox, onEdit }: { mailbox: Mailbox; onEdit: () => void }) {
  const { address, host, provider, folder, status, problem, failingSince } = mailbox;
  const { tone, label } = statuses[status];
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-0 font-medium wrap-anywhere">{address}</p>
        <StatusBadge tone={tone}>
          {label}
          {failingSince !== null && status === 'failing' && (
            <>
              {' '}
              since&nbsp;
              <RelativeTime value={failingSince} />
            </>
          )}
        </StatusBadge>
        <div className="ml-auto flex gap-2">
          {status === 'failing' && provider && problem?.code === 'credentials' && (
            <SignInAgain mailbox={mailbox} provider={provider} />
          )}
          {status === 'failing' && <TryAgain mailbox={mailbox} />}
          <Button variant="secondary" size="sm" needs="identity:write" aria-label={`Edit ${address}`} onPress={onEdit}>
            Edit
          </Button>
        </div>
      </div>
      {problem && status !== 'paused' && <p className="text-danger-text wrap-anywhere">{problem.message}</p>}
      <p className="text-label text-muted wrap-anywhere">
        {provider ? providers[provider].name : host}
        {folder.toUpperCase() !== 'INBOX' && ` · ${folder}`}
        <Progress mailbox={mailbox} />
      </p>
    </li>
  );
}

function Progress({ mailbox: { status, import: progress, checkedAt, receivedAt } }: { mailbox: Mailbox }) {
  if (progress && progress.done < progress.total) {
    return (
      <>
        {' · '}
        <LocalNumber value={progress.done} /> of <LocalNumber value={progress.total} /> earlier emails
      </>
    );
  }
  if (receivedAt !== null) {
    return (
      <>
        {' · last email '}
        <RelativeTime value={receivedAt} />
      </>
    );
  }
  return checkedAt !== null && status === 'connected' ? ' · no email yet' : null;
}

function TryAgain({ mailbox: { id, address } }: { mailbox: Mailbox }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const read = useMutation(
    trpc.mailboxes.read.mutationOptions({
      onSuccess: () => toast.success('Trying again', { description: 'This takes up to half a minute.' }),
      onError: (error) => toast.failure('Couldn’t try again.', error),
      onSettled: () => queryClient.invalidateQueries(trpc.mailboxes.pathFilter()),
    }),
  );
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      needs="identity:write"
      aria-label={`Try ${address} again`}
      isPending={read.isPending}
      onPress={() => read.mutate({ mailboxId: id })}
    >
      Try again
    </PendingButton>
  );
}
