'use client';

import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { MailStatus } from '@/server/features/mail/status.schema';
import { Fact, Facts } from './facts';
import { SettingName, SettingsToSet } from './setting-name';
import { TestMailButton } from './test-mail-button';

/** Whether mail leaves, and what became of the last ones. */
export function MailOutbound({ outbound }: { outbound: MailStatus['outbound'] }) {
  const { server, sender, lastSent, lastFailure, queued, failed } = outbound;
  return (
    <SectionCard
      title="Outgoing mail"
      description="Replies, invitations and reminders leave through this server."
      actions={<OutboundBadge outbound={outbound} />}
      footer={<TestMailButton canSend={server !== null} hasSender={sender !== null} />}
    >
      {server === null && (
        <SettingsToSet what="Mail waits in the outbox: this installation has no server to send through.">
          <li>
            <SettingName>SMTP_URL</SettingName>, such as <SettingName>smtp://user:password@mail.example.com:587</SettingName>
          </li>
          <li>
            <SettingName>MAIL_FROM</SettingName>, the sender for businesses without an address of their own
          </li>
        </SettingsToSet>
      )}
      <Facts>
        {server !== null && (
          <Fact label="Server">
            <span className="font-mono text-label">{server}</span>
          </Fact>
        )}
        <Fact label="Usual sender">{sender ?? 'None: this business has no address yet'}</Fact>
        <Fact label="Last sent">
          {lastSent === null ? (
            'Nothing yet'
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
                {lastFailure.willRetry ? 'It is tried again by itself.' : 'It is not tried again by itself.'}
              </p>
            </>
          )}
        </Fact>
        <Fact label="Waiting">
          <Link href="/outbox" className="text-accent-text underline-offset-2 hover:underline">
            {mailsWords(queued)} in the outbox
          </Link>
          {failed > 0 && `, ${failed >= 1000 ? 'over 1,000' : failed} failed`}
        </Fact>
      </Facts>
    </SectionCard>
  );
}

/** Mail that waits for another try after the last one that left: something is wrong with the server, or with what is set. */
function OutboundBadge({ outbound: { server, lastSent, lastFailure } }: { outbound: MailStatus['outbound'] }) {
  if (server === null) return <StatusBadge tone="warning">Not set up</StatusBadge>;
  const isFailing = lastFailure?.willRetry && (lastSent === null || lastSent.at < lastFailure.at);
  return isFailing ? <StatusBadge tone="danger">Failing</StatusBadge> : <StatusBadge tone="success">Set up</StatusBadge>;
}

function mailsWords(count: number): string {
  if (count >= 1000) return 'Over 1,000 mails';
  return count === 1 ? '1 mail' : `${count === 0 ? 'No' : count} mails`;
}
