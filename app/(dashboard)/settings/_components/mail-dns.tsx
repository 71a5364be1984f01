'use client';

import { CodeLine } from '@/app/_kit/code-line';
import { SectionCard } from '@/app/_kit/section-card';
import type { MailStatus } from '@/server/features/mail/status.schema';
import { mailRecords } from './mail-records';
import { SettingName } from './setting-name';

/** The DNS records that the domain of the business' address needs, for whoever looks after it. */
export function MailDns({ status }: { status: MailStatus }) {
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
