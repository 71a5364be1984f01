'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { HistoryLink } from '@/app/_kit/history-link';
import { useListHref } from '@/app/_kit/list-memory';
import { PageHeader } from '@/app/_kit/page-header';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RecordForm } from '@/app/_kit/record-form';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { RelativeTime } from '@/app/_kit/relative-time';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { ContactsCard } from './contacts-card';
import { CustomerFieldsSections } from './customer-fields';
import { type CustomerFields, customerPartNames, customerParts, toCustomerFields } from './customer-form';
import { customerName, primaryContact } from './customer-name';
import { useDeleteCustomer } from './use-delete-customer';
import { useStoreCustomer } from './use-store-customer';

/** A customer's page: editable details on the left, contacts and record on the right. */
export function CustomerDetail({ id }: { id: string }) {
  const trpc = useTRPC();
  const listHref = useListHref('/customers');
  const query = useQuery(trpc.customers.get.queryOptions({ id }));
  const { data, error } = query;
  // Also covers a customer that was deleted while open, or before going back to its page.
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code))
    return <RecordNotFound what="customer" id={id} />;
  return (
    <>
      {!data && <PageHeader title="Customer" back={{ href: listHref, label: 'Customers' }} />}
      <QueryResult query={query} failure="Couldn’t load the customer" loading="Loading customer" lines={8}>
        {(customer) => <LoadedCustomer customer={customer} listHref={listHref} />}
      </QueryResult>
    </>
  );
}

function LoadedCustomer({ customer, listHref }: { customer: CustomerRecord; listHref: string }) {
  const router = useRouter();
  const { deleteCustomer, isPending } = useDeleteCustomer();
  const [isDeleted, setIsDeleted] = useState(false);
  const name = customerName(customer);
  const email = primaryContact(customer)?.email;
  const leave = () => {
    setIsDeleted(true);
    router.push(listHref);
  };
  return (
    <>
      <PageHeader
        title={<span title={name}>{name}</span>}
        description={
          email &&
          email !== name && (
            <span className="block truncate" title={email}>
              {email}
            </span>
          )
        }
        back={{ href: listHref, label: 'Customers' }}
        actions={
          <PendingButton
            variant="secondary"
            needs="customers:write"
            isPending={isPending}
            onPress={() => deleteCustomer(customer, leave)}
          >
            <Trash2 aria-hidden />
            Delete
          </PendingButton>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {/* Unsaved changes to a deleted customer are not guarded. */}
        <CustomerEditor customer={customer} isGuarded={!isDeleted} />
        <div className="flex min-w-0 flex-col gap-6">
          <ContactsCard customer={customer} />
          <RecordCard customer={customer} />
        </div>
      </div>
    </>
  );
}

const toStored = (customer: CustomerRecord) => ({ values: toCustomerFields(customer), version: customer.revision });

const loadSchema = () => import('./customer-schema').then((module) => module.customerFieldsSchema);

const resolver = schemaResolver<CustomerFields>(loadSchema);

/** The form of a stored customer. Only changes are sent. */
function CustomerEditor({ customer, isGuarded }: { customer: CustomerRecord; isGuarded: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const storeCustomer = useStoreCustomer();
  const values = useMemo(() => toCustomerFields(customer), [customer]);
  const record = useRecordForm<CustomerFields>({
    draftName: `customer.${customer.id}`,
    values,
    version: customer.revision,
    resolver,
    parts: customerPartNames,
    save: async (typed, changed, version) => {
      const schema = await loadSchema();
      const checked = schema.parse(typed);
      const changes = Object.fromEntries(customerParts.filter((part) => changed.has(part)).map((part) => [part, checked[part]]));
      const saved = await client.customers.update.mutate({ id: customer.id, ...changes }, ifMatch(version));
      storeCustomer(saved);
      return toStored(saved);
    },
    fetchNewest: async () =>
      toStored(await queryClient.fetchQuery(trpc.customers.get.queryOptions({ id: customer.id }, { staleTime: 0 }))),
  });
  return (
    <RecordForm record={record} label="Customer" subject="this customer" isGuarded={isGuarded} needs="customers:write">
      <CustomerFieldsSections />
    </RecordForm>
  );
}

/** System fields of a customer. */
function RecordCard({ customer }: { customer: CustomerRecord }) {
  return (
    <SectionCard title="Record details" actions={<HistoryLink id={customer.id} subject="this customer" />}>
      <FactList>
        <Fact term="Created">
          <RelativeTime value={customer.createdAt} />
        </Fact>
        <Fact term="Updated">
          <RelativeTime value={customer.updatedAt} />
        </Fact>
        <Fact term="Customer ID" copy={{ value: customer.id, label: 'Copy customer ID' }}>
          <CodeFact>{customer.id}</CodeFact>
        </Fact>
      </FactList>
    </SectionCard>
  );
}
