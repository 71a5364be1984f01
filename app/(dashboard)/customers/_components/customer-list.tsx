'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef } from 'react';
import { DataTable } from '@/app/_kit/data-table';
import { ErrorState } from '@/app/_kit/error-state';
import { rememberList } from '@/app/_kit/list-memory';
import { ListTotal } from '@/app/_kit/list-total';
import { Pagination } from '@/app/_kit/pagination';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerSearchParams, customerSearchQuery, customersPerPage, listInput, pageOf } from '../search-params';
import { customerColumns } from './customer-columns';
import { CustomerFilters } from './customer-filters';
import { CustomerRowActions } from './customer-row-actions';
import { EmptyCustomerList } from './empty-customer-list';

const rowId = (customer: CustomerRecord) => customer.id;
const rowHref = (customer: CustomerRecord) => `/customers/${customer.id}`;
const rowActions = (customer: CustomerRecord) => <CustomerRowActions customer={customer} />;

/** The customers, with what narrows them down. While the next answer is on its way, the rows at hand stay. */
export function CustomerList() {
  const trpc = useTRPC();
  const top = useRef<HTMLElement>(null);
  const [search, setSearch] = useQueryStates(customerSearchParams, { history: 'push' });
  const { data, error, isPlaceholderData, refetch, isFetching } = useQuery(
    trpc.customers.list.queryOptions(listInput(search), { placeholderData: keepPreviousData }),
  );
  const isFiltered = Boolean(search.q || search.tag || search.email);
  const query = customerSearchQuery(search);

  useEffect(() => rememberList('/customers', query), [query]);

  const showPage = (page: number) => {
    void setSearch({ page }, { scroll: false });
    top.current?.scrollIntoView({ block: 'nearest' });
  };

  if (data?.total === 0 && !isFiltered && !isPlaceholderData) return <EmptyCustomerList kind="none" />;
  return (
    <section ref={top} aria-label="Customers" className="scroll-mt-20">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <CustomerFilters />
        {data && (
          <ListTotal total={data.total} isExact={data.totalIsExact} one="customer" many="customers" order="newest first" />
        )}
      </div>
      <Surface isList>
        {error && !isFetching ? (
          <ErrorState error={error} onRetry={() => void refetch()} title="The customers could not be loaded" />
        ) : !data ? (
          <SkeletonLines lines={12} label="Loading customers" />
        ) : data.customers.length === 0 ? (
          <EmptyCustomerList kind={data.total > 0 ? 'no-such-page' : 'nothing-found'} />
        ) : (
          <DataTable
            label="Customers"
            columns={customerColumns}
            rows={data.customers}
            rowId={rowId}
            rowHref={rowHref}
            rowActions={rowActions}
            isStale={isPlaceholderData}
          />
        )}
      </Surface>
      {data && !error && (
        <div className="mt-4 flex justify-center max-md:mb-16">
          <Pagination
            label="customers"
            page={pageOf(search)}
            pageSize={customersPerPage}
            total={data.total}
            totalIsExact={data.totalIsExact}
            hasMore={data.hasMore}
            hrefFor={(page) => `/customers${customerSearchQuery({ ...search, page })}`}
            onPageChange={showPage}
          />
        </div>
      )}
    </section>
  );
}
