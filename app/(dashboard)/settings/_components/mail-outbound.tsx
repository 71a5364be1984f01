import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import Link from 'next/link';
import { useEffect } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import type { MailStatus, TestMail } from '@/server/features/mail/status.schema';
import { Fact, Facts } from './facts';
import { isOutside } from './outside-address';
import { SettingName, SettingsToSet } from './setting-name';
import { isSettled, testMailLabel } from './test-mail-labels';

/** Milliseconds until the next poll of a mail being sent, and of one that waits for a retry. */
const pollMilliseconds = { soon: 1_500, later: 20_000 };

/** Sends a test mail to the signed-in person, and shows its outcome. */
function TestMailButton({ canSend, hasSender }: { canSend: boolean; hasSender: boolean }) {
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
          return data && data.error !== null ? pollMilliseconds.later : pollMilliseconds.soon;
        },
      },
    ),
  );
  const mail = test.data ?? send.data;
  const outcome = mail && (isSettled(mail) || mail.error !== null) ? `${mail.id} ${mail.state} ${mail.error}` : null;

  // The card's summary of the last emails includes this one.
  useEffect(() => {
    if (outcome !== null) void queryClient.invalidateQueries(trpc.mail.status.queryFilter());
  }, [outcome, queryClient, trpc]);

  const isPending = send.isPending || (mail !== undefined && !isSettled(mail) && mail.error === null);
  const problem = canSend ? (hasSender ? null : 'Add an email address to send from.') : 'Set up a mail server first.';
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div role="status" className="min-w-0 flex-1 basis-60 text-label">
        {send.isError && <p className="text-danger-text">Couldn’t send the test email. {errorFacts(send.error).message}</p>}
        {!send.isError && mail && <Outcome mail={mail} />}
        {!send.isError && !mail && problem !== null && <p className="text-muted">{problem}</p>}
      </div>
      <PendingButton
        variant="secondary"
        needs="conversations:send"
        isPending={isPending}
        isDisabled={problem !== null}
        className="ml-auto"
        onPress={() => send.mutate({})}
      >
        Send test email
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
      <span className="min-w-0 break-words">{testMailLabel(mail)}</span>
    </p>
  );
}

/** Whether emails from the default sender leave. */
const canSend = ({ server, mailboxes, sender }: MailStatus['outbound']) =>
  server !== null || (sender !== null && mailboxes.includes(sender));

/** Whether outgoing mail works, and the outcome of the last ones. */
export function MailOutbound({ outbound }: { outbound: MailStatus['outbound'] }) {
  const { server, mailboxes, sender, lastSent, lastFailure, queued, failed } = outbound;
  return (
    <SectionCard
      title="Outgoing email"
      description="Server used to send email."
      actions={<OutboundBadge outbound={outbound} />}
      footer={<TestMailButton canSend={canSend(outbound)} hasSender={sender !== null} />}
    >
      {server === null && (
        <SettingsToSet
          what={
            mailboxes.length > 0
              ? 'Only mailboxes send email. From other addresses, emails stay queued until these are set.'
              : 'Outgoing email isn’t set up, so emails stay queued.'
          }
        >
          <li>
            <SettingName>SMTP_URL</SettingName>, such as <SettingName>smtp://user:password@mail.example.com:587</SettingName>
          </li>
          <li>
            <SettingName>MAIL_FROM</SettingName>, the sender for businesses without their own address
          </li>
        </SettingsToSet>
      )}
      <Facts>
        {server !== null && (
          <Fact label="Server">
            <span className="font-mono text-label">{server}</span>
          </Fact>
        )}
        {mailboxes.length > 0 && <Fact label="Mailboxes">{mailboxes.join(', ')}</Fact>}
        <Fact label="Default sender">
          {sender ?? 'None: add an email address first'}
          {sender !== null && !isOutside(sender) && (
            <p className="text-label text-warning-text">Other mail servers may refuse senders that end in .localhost.</p>
          )}
        </Fact>
        <Fact label="Last sent">
          {lastSent === null ? (
            'None yet'
          ) : (
            <>
              <RelativeTime value={lastSent.at} /> <span className="text-muted">{lastSent.subject}</span>
            </>
          )}
        </Fact>
        <Fact label="Last failure">
          {lastFailure === null ? (
            'None'
          ) : (
            <>
              <RelativeTime value={lastFailure.at} /> <span className="text-muted">{lastFailure.subject}</span>
              <p className="mt-1 text-label break-words text-danger-text">{lastFailure.error}</p>
              <p className="text-label text-muted">
                {lastFailure.willRetry ? 'Retrying automatically.' : 'Won’t retry automatically.'}
              </p>
            </>
          )}
        </Fact>
        <Fact label="Emails">
          <Link href="/outbox" className="text-accent-text underline-offset-2 hover:underline">
            {cappedAtThousand(queued)} queued
          </Link>
          {failed > 0 && ` · ${cappedAtThousand(failed)} failed`}
        </Fact>
      </Facts>
    </SectionCard>
  );
}

/** Warns if mail waits for a retry after the last success: the server or a setting has a problem. */
function OutboundBadge({ outbound }: { outbound: MailStatus['outbound'] }) {
  const { sender, lastSent, lastFailure } = outbound;
  if (!canSend(outbound) || sender === null || !isOutside(sender)) return <StatusBadge tone="warning">Not set up</StatusBadge>;
  const isFailing = lastFailure?.willRetry && (lastSent === null || lastSent.at < lastFailure.at);
  return isFailing ? <StatusBadge tone="danger">Error</StatusBadge> : <StatusBadge tone="success">Connected</StatusBadge>;
}

/** Counts are exact up to a thousand. */
function cappedAtThousand(count: number): string {
  return count >= 1000 ? '1,000+' : String(count);
}
