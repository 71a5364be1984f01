'use client';

import { useQuery } from '@tanstack/react-query';
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
import { SettingName, SettingsToSet } from './setting-name';

type Address = MailStatus['addresses'][number];

const kindWords: Record<Address['kind'], string> = {
  identity: 'The business’ own',
  whitelisted: 'Further address',
  agent: 'Agent',
};

const statusLabels: Record<Exclude<Address['status'], 'proven'>, string> = {
  pending: 'Not proven',
  contested: 'Contested',
  refused: 'Not available',
};

/** All addresses that receive mail for this business, or will once they are verified. */
function MailAddresses({ addresses }: { addresses: readonly Address[] }) {
  return (
    <SectionCard
      title="Addresses"
      description="Mail to these comes into the inbox of this business. Addresses that are not proven bring none yet."
      actions={
        <ButtonLink href="/identity" size="sm">
          Edit addresses
        </ButtonLink>
      }
      flush={addresses.length > 0}
    >
      {addresses.length === 0 ? (
        <p className="text-muted">None yet. Add one on the business profile, or an agent.</p>
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
    <QueryResult query={status} failure="The state of mail could not be loaded" loading="Loading the state of mail" lines={8}>
      {(data) => (
        <>
          <MailOutbound outbound={data.outbound} />
          <MailInbound inbound={data.inbound} />
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
        description="This business has no address of a domain of its own yet. Add one on the business profile: the records the domain needs stand here then."
      />
    );
  }
  const { mx, spf, isHostKnown } = mailRecords({ ...status, domain });
  const { smtpPort } = status.inbound;
  return (
    <SectionCard
      title="DNS"
      description={`What whoever looks after the domain ${domain} enters there. Addresses of another domain need the same.`}
    >
      <div className="flex flex-col gap-4">
        <CodeLine label="MX: where mail to the domain goes" value={mx} copyLabel="Copy MX record" />
        {smtpPort !== null && smtpPort !== 25 && (
          <p className="text-label text-muted">
            Mail servers always come to port 25; let the host forward it to port {smtpPort}, where this installation listens.
          </p>
        )}
        <CodeLine label="SPF (TXT): who may send for the domain" value={spf} copyLabel="Copy SPF record" />
        <p className="text-label text-muted">
          Most sending servers ask for a record of their own here, and for a DKIM key: their instructions go before this hint.
          Only one SPF record may stand at a domain, so add to one that is there.
        </p>
        {!isHostKnown && (
          <p className="text-label text-muted">
            Put in the public name of this installation. It is filled in here once <SettingName>PUBLIC_URL</SettingName> is set.
          </p>
        )}
      </div>
    </SectionCard>
  );
}

/** The channels of incoming mail, and the last message. */
function MailInbound({ inbound }: { inbound: MailStatus['inbound'] }) {
  const { smtpPort, isEncrypted, acceptsHttp, lastReceived } = inbound;
  const isOpen = smtpPort !== null || acceptsHttp;
  return (
    <SectionCard
      title="Incoming mail"
      description="Mail servers deliver by SMTP, or a mail provider hands messages in over HTTP."
      actions={<StatusBadge tone={isOpen ? 'success' : 'warning'}>{isOpen ? 'Set up' : 'Not set up'}</StatusBadge>}
    >
      {!isOpen && (
        <SettingsToSet what="No mail can come in yet: this installation has no way in.">
          <li>
            <SettingName>INBOUND_SMTP_PORT</SettingName>, a port mail servers deliver at (the internet’s is 25)
          </li>
          <li>
            <SettingName>INBOUND_SECRET</SettingName>, instead or as well: opens{' '}
            <SettingName>POST /api/inbound/email</SettingName>
          </li>
        </SettingsToSet>
      )}
      <Facts>
        <Fact label="SMTP">
          {smtpPort === null ? (
            <>
              Off <Setting name="INBOUND_SMTP_PORT" />
            </>
          ) : (
            <>
              Port {smtpPort}, {isEncrypted ? 'with encryption' : 'without encryption'}
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
            'Nothing yet'
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
