import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { AddressRow } from './address-row';

/** Additional addresses of the business with their states. Changes take effect immediately. */
export function AddressesCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.identity.addresses.queryOptions({}));
  const [added, setAdded] = useState<string | null>(null);
  return (
    <SectionCard
      title="Email aliases"
      description="Emails to these also arrive here once verified. Replies use the same address."
      flush
    >
      <QueryResult query={query} failure="Couldn’t load aliases" loading="Loading aliases" lines={3} shape="rows">
        {(data) => (
          <>
            <ul aria-label="Email aliases">
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
            <AddAddress hasAddresses={data.addresses.length > 0} onAdded={setAdded} />
          </>
        )}
      </QueryResult>
    </SectionCard>
  );
}

interface NewAddress {
  address: string;
  handle: string;
  description: string;
}

const blank: NewAddress = { address: '', handle: '', description: '' };
const resolver = schemaResolver<NewAddress>(() =>
  import('@/server/features/addresses/address.schema').then((module) => module.addWhitelistedAddressInput),
);

/** A button that opens the form for another address. */
function AddAddress({ hasAddresses, onAdded }: { hasAddresses: boolean; onAdded: (address: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <AddAddressForm onAdded={onAdded} onClose={() => setIsOpen(false)} />;
  return (
    <div className="px-5 py-4">
      {!hasAddresses && <p className="mb-3 text-label text-muted">No aliases yet, e.g. sales@ or support@ of your own domain.</p>}
      <Button variant="secondary" size="sm" needs="identity:write" onPress={() => setIsOpen(true)}>
        <Plus aria-hidden />
        Add alias
      </Button>
    </div>
  );
}

function AddAddressForm({ onAdded, onClose }: { onAdded: (address: string) => void; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm<NewAddress>({ defaultValues: blank, resolver });
  const add = useMutation(trpc.identity.addAddress.mutationOptions());
  const { failure, submit } = useFormSubmit(form, async ({ address, handle, description }) => {
    const identity = await add.mutateAsync({ address, handle, description: description.trim() || null });
    queryClient.setQueryData(trpc.identity.get.queryKey({}), identity);
    onAdded(address.trim().toLowerCase());
    void queryClient.invalidateQueries(trpc.agentMail.pathFilter());
    await queryClient.invalidateQueries({ queryKey: trpc.identity.addresses.queryKey({}) });
    onClose();
  });
  /** The part before the @ is nearly always a good handle; one that was typed stays. */
  const suggestHandle = (address: string) => {
    if (form.getFieldState('handle').isTouched) return;
    form.setValue('handle', address.split('@')[0]?.trim().toLowerCase() ?? '', { shouldValidate: form.formState.isSubmitted });
  };
  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Add alias" className="flex flex-col gap-4 px-5 py-4">
      <FormTextField
        control={form.control}
        name="address"
        label="Email address"
        type="email"
        autoComplete="off"
        placeholder="sales@company.example"
        autoFocus
        isRequired
        onValueChange={suggestHandle}
      />
      <FormTextField
        control={form.control}
        name="handle"
        label="Label"
        description="Short name shown in conversations."
        autoCapitalize="none"
        autoComplete="off"
        isRequired
        mono
      />
      <FormTextField control={form.control} name="description" label="Description" description="Optional" />
      <FormError failure={failure} />
      <div className="flex gap-2">
        <PendingButton type="submit" variant="primary" size="sm" isPending={form.formState.isSubmitting}>
          Add alias
        </PendingButton>
        <Button variant="secondary" size="sm" onPress={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
