'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { AddressList } from '@/server/features/addresses/address.schema';
import { AddAddressForm } from './add-address-form';
import { AddressRow } from './address-row';

type SilentAgent = AddressList['agentsWithoutMail'][number];

/** Further addresses of the business, and how far each has come. Changes take effect at once. */
export function AddressesCard() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.identity.addresses.queryOptions({}));
  const [added, setAdded] = useState<string | null>(null);
  return (
    <SectionCard
      title="Further addresses"
      description="Mail to these reaches the business too, and replies go out from the address that was written to. Both begin once you have proven that an address is yours."
      flush
    >
      {data ? (
        <>
          <ul aria-label="Further addresses">
            {data.addresses.map((address) => (
              <AddressRow
                key={address.address}
                address={address}
                own={data.own}
                canSendCodes={data.canSendCodes}
                isNew={address.address === added}
              />
            ))}
          </ul>
          <AddAddressForm hasAddresses={data.addresses.length > 0} onAdded={setAdded} />
          {data.agentsWithoutMail.length > 0 && <SilentAgents agents={data.agentsWithoutMail} />}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="The addresses could not be loaded" />
      ) : (
        <div className="px-5 py-4">
          <SkeletonLines shape="text" lines={3} label="Loading addresses" />
        </div>
      )}
    </SectionCard>
  );
}

const reasons: Record<SilentAgent['reason'], string> = {
  taken: 'Another business here uses this address.',
  domain_of_another: 'Another account here has proven this domain.',
  domain_not_proven: 'Prove the domain by its TXT record: a code proves one address only.',
};

function SilentAgents({ agents }: { agents: readonly SilentAgent[] }) {
  return (
    <div className="border-t border-separator px-5 py-4">
      <h3 className="text-label font-medium">Agents without mail</h3>
      <p className="text-label text-muted">Mail to these addresses does not reach the agents, and none is sent from them.</p>
      <ul className="mt-2 flex flex-col gap-2">
        {agents.map(({ email, name, reason }) => (
          <li key={email} className="text-label">
            <p className="truncate font-mono text-xs" title={email}>
              {email}
            </p>
            <p className="text-muted">
              {name}: {reasons[reason]}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
