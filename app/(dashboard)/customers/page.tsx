import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { CustomerList } from './_components/customer-list';
import { CustomersHeader } from './_components/customers-header';
import { listInput, loadCustomerSearch } from './search-params';

export const metadata: Metadata = { title: 'Customers' };

interface CustomersPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Everybody the business deals with, searchable. */
export default function CustomersPage({ searchParams }: CustomersPageProps) {
  return (
    <>
      <CustomersHeader />
      <Suspense fallback={<SkeletonLines lines={12} label="Loading customers" />}>
        <PrefetchedList searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function PrefetchedList({ searchParams }: CustomersPageProps) {
  await prefetch(trpc.customers.list.queryOptions(listInput(await loadCustomerSearch(searchParams))));
  return (
    <HydrateClient>
      <CustomerList />
    </HydrateClient>
  );
}
