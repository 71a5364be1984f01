'use client';

import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { SaveBar } from '@/app/_components/save-bar';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { UnsavedChangesGuard } from '@/app/_components/unsaved-changes';
import { useRecordForm } from '@/app/_components/use-record-form';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/modules/customers/customer.schema';
import { CustomerFieldsSections } from './customer-fields';
import { type CustomerFields, customerFieldsSchema, customerParts, toCustomerFields } from './customer-form';
import { useStoreCustomer } from './use-store-customer';

const resolver = schemaResolver<CustomerFields>(customerFieldsSchema);

/** The form over a stored customer. Only what was changed is sent. */
export function CustomerEditor({ customer, isGuarded }: { customer: CustomerRecord; isGuarded: boolean }) {
  const trpc = useTRPC();
  const storeCustomer = useStoreCustomer();
  const { mutateAsync } = useMutation(trpc.customers.update.mutationOptions({ onSuccess: storeCustomer }));
  const values = useMemo(() => toCustomerFields(customer), [customer]);
  const { form, formProps, isDirty, discard, ...state } = useRecordForm<CustomerFields>({
    values,
    resolver,
    parts: customerParts,
    save: async (typed, changed) => {
      const checked = customerFieldsSchema.parse(typed);
      const changes = Object.fromEntries(customerParts.filter((part) => changed.has(part)).map((part) => [part, checked[part]]));
      return toCustomerFields(await mutateAsync({ id: customer.id, ...changes }));
    },
  });
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Customer" className="flex min-w-0 flex-col gap-6">
        <CustomerFieldsSections />
        <SaveBar isDirty={isDirty} onDiscard={discard} {...state} />
      </form>
      <UnsavedChangesGuard isDirty={isDirty && isGuarded} subject="this customer" />
    </FormProvider>
  );
}
