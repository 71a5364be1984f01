import { useQuery } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import { attemptsLine } from '@/app/(dashboard)/outbox/_components/outbox-labels';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import type { OutboxList } from '@/server/features/mail/mail.schema';
import { ResendButton } from '../../outbox/_components/resend-button';

/** Milliseconds until the outbox is read again if it lacks the email: ever more, since the email may be one that is no longer listed. */
const againAfter = (reads: number) => Math.min(60_000, 2_000 * 2 ** Math.floor(reads / 10));

/** Why a message could not be sent, with a button to resend it. */
export function FailedDelivery({ message }: { message: MessageRecord }) {
  const trpc = useTRPC();
  const { conversationId } = message;
  const findMail = (list: OutboxList | undefined) => list?.emails.find(({ messageId }) => messageId === message.id);
  const outbox = useQuery(
    trpc.mail.outbox.queryOptions(
      { conversationId, state: 'failed' },
      {
        // What was read while it was being sent again lacks its email.
        staleTime: 0,
        refetchInterval: ({ state: { data, dataUpdateCount } }) =>
          data && !findMail(data) ? againAfter(dataUpdateCount) : false,
      },
    ),
  );
  const mail = findMail(outbox.data);
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md bg-danger-soft px-3 py-2 text-danger-text"
    >
      <div className="flex min-w-0 flex-1 basis-56 items-start gap-2">
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          <p className="font-medium">Not delivered</p>
          {mail?.error && <p className="text-label wrap-anywhere whitespace-pre-wrap">{mail.error}</p>}
          {mail && <p className="text-label">{attemptsLine(mail.attempts)}. Won’t retry automatically.</p>}
        </div>
      </div>
      {mail?.canSend && <ResendButton mail={mail} />}
      {(outbox.isError || (outbox.data && !mail?.canSend)) && (
        <Link href="/outbox?state=failed" className="text-label underline underline-offset-2">
          View delivery status
        </Link>
      )}
    </div>
  );
}
