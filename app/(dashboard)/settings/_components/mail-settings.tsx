'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { ButtonLink } from '@/app/_kit/button-link';
import { CodeLine } from '@/app/_kit/code-line';
import { CopyButton } from '@/app/_kit/copy-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import type { MailStatus } from '@/server/features/mail/status.schema';
import { Fact, Facts } from './facts';
import { MailOutbound } from './mail-outbound';
import { mailRecords } from './mail-records';
import { isOutside } from './outside-address';
import { SettingName, SettingsToSet } from './setting-name';

type Address = MailStatus['addresses'][number];

const kindWords: Record<Address['kind'], string> = {
  identity: 'Primary',
  whitelisted: 'Alias',
  agent: 'Agent',
};

const statusLabels: Record<Exclude<Address['status'], 'proven'>, string> = {
  pending: 'Unverified',
  contested: 'Contested',
  refused: 'Unavailable',
};

/** All addresses that receive mail for this business, or will once they are verified. */
function MailAddresses({ addresses }: { addresses: readonly Address[] }) {
  return (
    <SectionCard
      title="Email addresses"
      description="Emails to these arrive in your inbox. Unverified addresses don’t receive email yet."
      actions={
        <ButtonLink href="/identity" size="sm">
          Edit addresses
        </ButtonLink>
      }
      flush={addresses.length > 0}
    >
      {addresses.length === 0 ? (
        <p className="text-muted">No addresses yet. Add one on the business profile, or create an agent.</p>
      ) : (
        <ul aria-label="Addresses">
          {addresses.map(({ email, kind, agent, status }) => (
            <li key={email} className="flex min-h-11 items-center gap-3 border-b border-separator py-1 pr-3 pl-5 last:border-b-0">
              <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-4">
                <p className="min-w-0 flex-1 truncate font-mono text-label" title={email}>
                  {email}
                </p>
                {status !== 'proven' && (
                  <StatusBadge tone={status === 'pending' ? 'warning' : 'danger'}>{statusLabels[status]}</StatusBadge>
                )}
                <p className="truncate text-label text-muted sm:w-48">
                  {kindWords[kind]}
                  {agent !== null && `: ${agent}`}
                </p>
              </div>
              <CopyButton value={email} label={`Copy ${email}`} size="sm" />
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

/** Which parts of mail work, and which settings the operator has to change. */
export function MailSettings() {
  const trpc = useTRPC();
  const status = useQuery(trpc.mail.status.queryOptions({}));
  return (
    <QueryResult query={status} failure="Couldn’t load email settings" loading="Loading email settings" lines={8}>
      {(data) => (
        <>
          <MailOutbound outbound={data.outbound} />
          <MailInbound inbound={data.inbound} hasAddress={hasOutsideAddress(data)} />
          <MailAddresses addresses={data.addresses} />
          <MailDns status={data} />
        </>
      )}
    </QueryResult>
  );
}

/** The DNS records that the domain of the business' address needs, for its administrator. */
function MailDns({ status }: { status: MailStatus }) {
  const { domain } = status;
  if (domain === null) {
    return (
      <SectionCard
        title="DNS"
        description="Add an email address of your own domain on the business profile to see its DNS records here."
      />
    );
  }
  const { mx, spf, isHostKnown } = mailRecords({ ...status, domain });
  const { smtpPort } = status.inbound;
  return (
    <SectionCard title="DNS" description={`Add these DNS records at the provider of ${domain}. Other domains need the same.`}>
      <div className="flex flex-col gap-4">
        <CodeLine label="MX: where email to the domain goes" value={mx} copyLabel="Copy MX record" />
        {smtpPort !== null && smtpPort !== 25 && (
          <p className="text-label text-muted">
            Mail servers always use port 25. Forward it to port {smtpPort}, where Frontdesk listens.
          </p>
        )}
        <CodeLine label="SPF (TXT): who may send for the domain" value={spf} copyLabel="Copy SPF record" />
        <p className="text-label text-muted">
          Most email providers ask for their own record and a DKIM key: follow their instructions first. A domain can have only
          one SPF record, so extend an existing one.
        </p>
        {!isHostKnown && (
          <p className="text-label text-muted">
            Replace <SettingName>desk.example.com</SettingName> with your server’s public name. It is filled in once{' '}
            <SettingName>PUBLIC_URL</SettingName> is set.
          </p>
        )}
      </div>
    </SectionCard>
  );
}

const hasOutsideAddress = ({ addresses }: MailStatus) =>
  addresses.some(({ email, status }) => status === 'proven' && isOutside(email));

interface MailInboundProps {
  inbound: MailStatus['inbound'];
  /** Whether the business has an address that other mail servers can write to. */
  hasAddress: boolean;
}

/** The channels of incoming mail, and the last message. */
function MailInbound({ inbound, hasAddress }: MailInboundProps) {
  const { mailboxes, smtpPort, isEncrypted, acceptsHttp, lastReceived } = inbound;
  const isOpen = smtpPort !== null || acceptsHttp;
  const hasMailbox = mailboxes.length > 0;
  const isConnected = hasMailbox || (isOpen && hasAddress);
  return (
    <SectionCard
      title="Incoming email"
      description="How incoming email reaches Frontdesk."
      actions={<StatusBadge tone={isConnected ? 'success' : 'warning'}>{isConnected ? 'Connected' : 'Not set up'}</StatusBadge>}
    >
      {!isOpen && !hasMailbox && (
        <SettingsToSet what="Incoming email isn’t set up. Connect a mailbox, or let email come to this server.">
          <li>
            <SettingName>INBOUND_SMTP_PORT</SettingName>, the port for incoming SMTP (25 on the internet)
          </li>
          <li>
            <SettingName>INBOUND_SECRET</SettingName>, instead or in addition: enables{' '}
            <SettingName>POST /api/inbound/email</SettingName>
          </li>
        </SettingsToSet>
      )}
      {isOpen && !hasAddress && !hasMailbox && (
        <p className="mb-4 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          This business has no address outside this server: nobody can write to addresses that end in .localhost. Add one of your
          own domain on the{' '}
          <Link href="/identity" className="underline underline-offset-2">
            business profile
          </Link>
          .
        </p>
      )}
      <Facts>
        <Fact label="Mailboxes">
          {hasMailbox ? mailboxes.join(', ') : 'None'}{' '}
          <Link href="/settings/mailboxes" className="text-muted underline underline-offset-2">
            {hasMailbox ? 'Edit' : 'Connect'}
          </Link>
        </Fact>
        <Fact label="SMTP">
          {smtpPort === null ? (
            <>
              Off <Setting name="INBOUND_SMTP_PORT" />
            </>
          ) : (
            <>
              Port {smtpPort}, {isEncrypted ? 'encrypted' : 'not encrypted'}
              {!isEncrypted && <Setting name="INBOUND_TLS_CERT, INBOUND_TLS_KEY" />}
            </>
          )}
        </Fact>
        <Fact label="HTTP">
          {acceptsHttp ? (
            <>
              On at <SettingName>POST /api/inbound/email</SettingName>
            </>
          ) : (
            <>
              Off <Setting name="INBOUND_SECRET" />
            </>
          )}
        </Fact>
        <Fact label="Last received">
          {lastReceived === null ? (
            'None yet'
          ) : (
            <>
              <RelativeTime value={lastReceived.at} />{' '}
              <span className="text-muted">
                {lastReceived.subject || '(no subject)'}, from {lastReceived.from}
              </span>
            </>
          )}
        </Fact>
      </Facts>
    </SectionCard>
  );
}

function Setting({ name }: { name: string }) {
  return (
    <span className="ml-1 text-muted">
      (<SettingName>{name}</SettingName>)
    </span>
  );
}
