import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_kit/button-link';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Prefetched, type SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { CustomerList } from './_components/customer-list';
import { customerSearch } from './search-params';

export const metadata: Metadata = { title: 'Customers' };

export default function CustomersPage({ searchParams }: SearchPageProps) {
  const load = async () =>
    prefetch(trpc.customers.list.queryOptions(customerSearch.input(await customerSearch.load(searchParams))));
  return (
    <>
      <PageHeader
        title="Customers"
        primaryAction={
          <ButtonLink href="/customers/new" needs="customers:write" variant="primary">
            <Plus aria-hidden />
            New customer
          </ButtonLink>
        }
      />
      <Prefetched load={load} fallback={<SkeletonLines lines={12} label="Loading customers" />}>
        <CustomerList />
      </Prefetched>
    </>
  );
}
