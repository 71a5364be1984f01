'use client';

import { ButtonLink } from '@/app/_kit/button-link';
import { CopyButton } from '@/app/_kit/copy-button';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { MailStatus } from '@/server/features/mail/status.schema';

type Address = MailStatus['addresses'][number];

const kindWords: Record<Address['kind'], string> = {
  identity: 'The business’ own',
  whitelisted: 'Further address',
  agent: 'Agent',
};

const statusWords: Record<Exclude<Address['status'], 'proven'>, string> = {
  pending: 'Not proven',
  contested: 'Contested',
  refused: 'Not available',
};

/** Every address that brings mail to this business, or will once it is proven. */
export function MailAddresses({ addresses }: { addresses: readonly Address[] }) {
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
                  <StatusBadge tone={status === 'pending' ? 'warning' : 'danger'}>{statusWords[status]}</StatusBadge>
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
