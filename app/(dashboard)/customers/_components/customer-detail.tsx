'use client';

import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { useListHref } from '@/app/_kit/list-memory';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { ContactsCard } from './contacts-card';
import { CustomerEditor } from './customer-editor';
import { customerName, primaryContact } from './customer-name';
import { CustomerNotFound } from './customer-not-found';
import { DeleteCustomerDialog } from './delete-customer-dialog';
import { RecordCard } from './record-card';

/** A customer's page: its details to edit on the left, its contacts and record on the right. */
export function CustomerDetail({ id }: { id: string }) {
  const trpc = useTRPC();
  const listHref = useListHref('/customers');
  const { data, error, refetch } = useQuery(trpc.customers.get.queryOptions({ id }));
  // Also for one that was deleted while it was looked at, or before the way back to its page.
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <CustomerNotFound />;
  if (data) return <LoadedCustomer customer={data} listHref={listHref} />;
  return (
    <>
      <PageHeader title="Customer" back={{ href: listHref, label: 'Customers' }} />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="The customer could not be loaded" />
      ) : (
        <SkeletonLines shape="text" lines={8} label="Loading customer" />
      )}
    </>
  );
}

function LoadedCustomer({ customer, listHref }: { customer: CustomerRecord; listHref: string }) {
  const router = useRouter();
  const [isDeleting, setIsDeleting] = useState(false);
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
          <Button variant="secondary" onPress={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            Delete
          </Button>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {/* What is being typed about a customer that is gone needs no guarding. */}
        <CustomerEditor customer={customer} isGuarded={!isDeleted} />
        <div className="flex min-w-0 flex-col gap-6">
          <ContactsCard customer={customer} />
          <RecordCard customer={customer} />
        </div>
      </div>
      <DeleteCustomerDialog customer={customer} isOpen={isDeleting} onOpenChange={setIsDeleting} onDeleted={leave} />
    </>
  );
}
