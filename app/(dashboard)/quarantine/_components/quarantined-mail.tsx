'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { buttonLook } from '@/app/_kit/button-look';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { IconButton } from '@/app/_kit/icon-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { QuarantinedMailRecord } from '@/server/features/mail/mail.schema';
import { formatSize } from '../../inbox/_components/conversation-words';
import { reasonWords, recipientsLine, senderLine, sourceWords } from './quarantine-words';

/** One message in quarantine. */
export function QuarantinedMail({ mail, identityId }: { mail: QuarantinedMailRecord; identityId: string }) {
  const { label, meaning } = reasonWords[mail.reason];
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
          {mail.isTruncated && ' kept of it'}
          {' · '}
          {sourceWords[mail.source]}
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
          <span className="sr-only"> the message of {sender}</span>
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
        toast('The message was deleted');
        await Promise.all([
          queryClient.invalidateQueries(trpc.mail.quarantine.pathFilter()),
          queryClient.invalidateQueries(trpc.conversations.pulse.queryFilter()),
        ]);
      },
      onError: (error) => toast.error(`The message was not deleted. ${errorFacts(error).message}`),
    }),
  );
  return (
    <>
      <IconButton label={`Delete the message of ${sender}`} onPress={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Delete this message?"
        description="It is nowhere else: its bytes are deleted for good, and this can’t be undone. Download it first if it may still matter."
        confirmLabel="Delete message"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ mailId: mail.id })}
      />
    </>
  );
}
