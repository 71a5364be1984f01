'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { useEffect } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { PendingButton } from '@/app/_kit/pending-button';
import { useTRPC } from '@/app/_trpc/client';
import type { TestMail } from '@/server/features/mail/status.schema';
import { isSettled, testMailWords } from './test-mail-words';

/** Milliseconds until the next look at a mail that is on its way, and at one that waits for its next try. */
const lookAgainAfter = { soon: 1_500, later: 20_000 };

/** Sends a mail to whoever presses it, and says how it fared. */
export function TestMailButton({ canSend, hasSender }: { canSend: boolean; hasSender: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const send = useMutation(
    trpc.mail.sendTest.mutationOptions({
      onSuccess: (mail) => queryClient.setQueryData(trpc.mail.testMail.queryKey({ mailId: mail.id }), mail),
    }),
  );
  const mailId = send.data?.id ?? '';
  const test = useQuery(
    trpc.mail.testMail.queryOptions(
      { mailId },
      {
        enabled: mailId !== '',
        refetchInterval: ({ state: { data } }) => {
          if (data && isSettled(data)) return false;
          return data && data.error !== null ? lookAgainAfter.later : lookAgainAfter.soon;
        },
      },
    ),
  );
  const mail = test.data ?? send.data;
  const outcome = mail && (isSettled(mail) || mail.error !== null) ? `${mail.id} ${mail.state} ${mail.error}` : null;

  // What the card says of the last mails follows from this one as well.
  useEffect(() => {
    if (outcome !== null) void queryClient.invalidateQueries(trpc.mail.status.queryFilter());
  }, [outcome, queryClient, trpc]);

  const isPending = send.isPending || (mail !== undefined && !isSettled(mail) && mail.error === null);
  const problem = canSend ? (hasSender ? null : 'There is no address to send from.') : 'There is no server to send through.';
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div role="status" className="min-w-0 flex-1 basis-60 text-label">
        {send.isError && <p className="text-danger-text">No test mail was sent. {errorFacts(send.error).message}</p>}
        {!send.isError && mail && <Outcome mail={mail} />}
        {!send.isError && !mail && problem !== null && <p className="text-muted">{problem}</p>}
      </div>
      <PendingButton
        variant="secondary"
        isPending={isPending}
        isDisabled={problem !== null}
        className="ml-auto"
        onPress={() => send.mutate({})}
      >
        Send a test mail to me
      </PendingButton>
    </div>
  );
}

const icons = { sent: CircleCheck, failed: CircleX, queued: Clock, sending: Clock };
const tones = { sent: 'text-success-text', failed: 'text-danger-text', queued: 'text-muted', sending: 'text-muted' };

function Outcome({ mail }: { mail: TestMail }) {
  const Icon = icons[mail.state];
  return (
    <p className={`flex gap-1.5 ${mail.state === 'queued' && mail.error !== null ? 'text-warning-text' : tones[mail.state]}`}>
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      <span className="min-w-0 break-words">{testMailWords(mail)}</span>
    </p>
  );
}
