'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { SaveBar } from '@/app/_kit/save-bar';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CustomerRecord, UpdateCustomerInput } from '@/server/features/customers/customer.schema';
import { CustomerFieldsSections } from './customer-fields';
import { type CustomerFields, customerPartNames, customerParts, toCustomerFields } from './customer-form';
import { useStoreCustomer } from './use-store-customer';

const toStored = (customer: CustomerRecord) => ({ values: toCustomerFields(customer), version: customer.updatedAt });

const loadSchema = () => import('./customer-schema').then((module) => module.customerFieldsSchema);

const resolver = schemaResolver<CustomerFields>(loadSchema);

/** The form over a stored customer. Only what was changed is sent. */
export function CustomerEditor({ customer, isGuarded }: { customer: CustomerRecord; isGuarded: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ version, ...input }: UpdateCustomerInput & { version: string | null }) =>
      client.customers.update.mutate(input, ifMatch(version)),
    onSuccess: useStoreCustomer(),
  });
  const values = useMemo(() => toCustomerFields(customer), [customer]);
  const { form, formProps, isDirty, discard, forgetDraft, ...state } = useRecordForm<CustomerFields>({
    draftName: `customer.${customer.id}`,
    values,
    version: customer.updatedAt,
    resolver,
    parts: customerPartNames,
    save: async (typed, changed, version) => {
      const schema = await loadSchema();
      const checked = schema.parse(typed);
      const changes = Object.fromEntries(customerParts.filter((part) => changed.has(part)).map((part) => [part, checked[part]]));
      return toStored(await mutateAsync({ id: customer.id, ...changes, version }));
    },
    fetchNewest: async () =>
      toStored(await queryClient.fetchQuery(trpc.customers.get.queryOptions({ id: customer.id }, { staleTime: 0 }))),
  });
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Customer" className="flex min-w-0 flex-col gap-6">
        <CustomerFieldsSections />
        <SaveBar isDirty={isDirty} onDiscard={discard} {...state} />
      </form>
      <UnsavedChangesGuard isDirty={isDirty && isGuarded} subject="this customer" onLeave={forgetDraft} />
    </FormProvider>
  );
}
