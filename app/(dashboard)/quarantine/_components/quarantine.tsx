'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { buttonLook } from '@/app/_kit/button-look';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { EmptyState } from '@/app/_kit/empty-state';
import { IconButton } from '@/app/_kit/icon-button';
import { LoadMoreList } from '@/app/_kit/list-body';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { QuarantinedMailRecord } from '@/server/features/mail/mail.schema';
import { useHydratedLiveCounts } from '../../_components/use-live-counts';
import { formatSize } from '../../inbox/_components/conversation-labels';
import { reasonLabels, recipientsLine, senderLine, sourceLabels } from './quarantine-labels';

/** The messages in quarantine, newest first, page by page. */
function useQuarantine() {
  const trpc = useTRPC();
  return useCursorPages({
    pageAt: (cursor) => trpc.mail.quarantine.queryOptions(cursor),
    items: 'messages',
    news: useHydratedLiveCounts()?.quarantined,
  });
}

/** Quarantined messages with reason, recipients and actions. */
export function Quarantine() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const pages = useQuarantine();
  const identityId = account.data?.identityId;
  return (
    <LoadMoreList
      label="Blocked messages"
      what="messages"
      more="more messages"
      lines={4}
      pages={{
        ...pages,
        isLoaded: pages.isLoaded && identityId !== undefined,
        error: pages.error ?? (account.isFetching ? null : account.error),
        retry: () => {
          pages.retry();
          void account.refetch();
        },
      }}
      empty={
        <EmptyState
          icon={ShieldCheck}
          title="No blocked messages"
          description="Messages that are malformed or too large are kept here."
        />
      }
    >
      <ul aria-label="Blocked messages">
        {identityId && pages.items.map((mail) => <QuarantinedMail key={mail.id} mail={mail} identityId={identityId} />)}
      </ul>
    </LoadMoreList>
  );
}

function QuarantinedMail({ mail, identityId }: { mail: QuarantinedMailRecord; identityId: string }) {
  const { label, meaning } = reasonLabels[mail.reason];
  const sender = senderLine(mail.sender);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b border-separator px-4 py-3.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex items-center gap-2">
          <span title={meaning} className="shrink-0">
            <StatusBadge tone="warning">{label}</StatusBadge>
          </span>
          <span className="min-w-0 truncate font-medium" title={sender}>
            {sender}
          </span>
        </div>
        <p className="mt-1 wrap-anywhere">{mail.detail}</p>
        <p className="mt-1 text-label text-muted wrap-anywhere">
          <span title={mail.recipients.join('\n')}>To {recipientsLine(mail.recipients)}</span>
          {' · '}
          {formatSize(mail.size)}
          {mail.isTruncated && ' kept'}
          {' · '}
          {sourceLabels[mail.source]}
          {' · '}
          <RelativeTime value={mail.createdAt} />
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <a
          href={`/api/mail/quarantine/${mail.id}?identity=${identityId}`}
          download
          className={buttonLook({ variant: 'secondary', size: 'sm' })}
        >
          <Download aria-hidden />
          Download
          <span className="sr-only"> message from {sender}</span>
        </a>
        <DeleteButton mail={mail} sender={sender} />
      </div>
    </li>
  );
}

function DeleteButton({ mail, sender }: { mail: QuarantinedMailRecord; sender: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation(
    trpc.mail.removeQuarantined.mutationOptions({
      onSuccess: async () => {
        setIsAsking(false);
        toast('Message deleted');
        await Promise.all([
          queryClient.invalidateQueries(trpc.mail.quarantine.pathFilter()),
          queryClient.invalidateQueries(trpc.conversations.pulse.queryFilter()),
        ]);
      },
      onError: (error) => toast.failure('Couldn’t delete the message.', error),
    }),
  );
  return (
    <>
      <IconButton label={`Delete message from ${sender}`} needs="conversations:write" onPress={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Delete this message?"
        description="This is the only copy and will be permanently deleted. Download it first if you may still need it."
        confirmLabel="Delete message"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ mailId: mail.id })}
      />
    </>
  );
}
