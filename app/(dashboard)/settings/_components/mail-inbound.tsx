import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { MailStatus } from '@/server/features/mail/status.schema';
import { Fact, Facts } from './facts';
import { SettingName, SettingsToSet } from './setting-name';

/** The ways mail comes in by, and what came last. */
export function MailInbound({ inbound }: { inbound: MailStatus['inbound'] }) {
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
                {lastReceived.subject || 'No subject'}, from {lastReceived.from}
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
