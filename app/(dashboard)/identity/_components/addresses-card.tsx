'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_components/confirm-dialog';
import { errorFacts } from '@/app/_components/error-facts';
import { IconButton } from '@/app/_components/icon-button';
import { SectionCard } from '@/app/_components/section-card';
import { toast } from '@/app/_components/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { IdentityRecord } from '@/server/modules/identity/identity.schema';
import { AddAddressForm } from './add-address-form';

type Address = NonNullable<IdentityRecord['whitelistedAddresses']>[number];

/** Further addresses of the business. Adding and removing take effect at once. */
export function AddressesCard({ identity }: { identity: IdentityRecord }) {
  const addresses = identity.whitelistedAddresses ?? [];
  return (
    <SectionCard
      title="Further addresses"
      description="Mail to these reaches the business too, and replies go out from the address that was written to. Changes take effect at once."
      flush
    >
      <ul>
        {addresses.map((address) => (
          <AddressRow key={address.address} address={address} />
        ))}
      </ul>
      <AddAddressForm hasAddresses={addresses.length > 0} />
    </SectionCard>
  );
}

function AddressRow({ address: { handle, address, description } }: { address: Address }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation(
    trpc.identity.removeAddress.mutationOptions({
      onSuccess: (identity) => {
        setIsAsking(false);
        queryClient.setQueryData(trpc.identity.get.queryKey({}), identity);
      },
      onError: (error) => toast.error(`${address} was not removed. ${errorFacts(error).message}`),
    }),
  );
  return (
    <li className="flex items-center gap-2 border-b border-separator py-2.5 pr-3 pl-5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={address}>
          {address}
        </p>
        <p className="truncate text-label text-muted" title={description ?? undefined}>
          <span className="font-mono text-xs">{handle}</span>
          {description && ` · ${description}`}
        </p>
      </div>
      <IconButton label={`Remove ${address}`} onPress={() => setIsAsking(true)}>
        <X aria-hidden />
      </IconButton>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Remove ${address}?`}
        description="Mail to this address no longer reaches the business, and replies no longer go out from it. It can be added again as long as nobody else takes it."
        confirmLabel="Remove address"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ address })}
      />
    </li>
  );
}
