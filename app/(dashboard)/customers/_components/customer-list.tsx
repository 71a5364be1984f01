'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus, SearchX, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { CopyButton } from '@/app/_kit/copy-button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { IconButton } from '@/app/_kit/icon-button';
import { ListPage, useListSearch } from '@/app/_kit/list-page';
import { RelativeTime } from '@/app/_kit/relative-time';
import { TagChips } from '@/app/_kit/tag-chips';
import { TextFilter } from '@/app/_kit/text-filter';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerSearch } from '../search-params';
import { customerName, primaryContact } from './customer-name';
import { DeleteCustomerDialog } from './delete-customer-dialog';
import { useKnownTags } from './use-known-tags';

export function CustomerList() {
  const trpc = useTRPC();
  const { search, setSearch } = useListSearch(customerSearch);
  const tags = useKnownTags();
  const result = useQuery(
    trpc.customers.list.queryOptions(customerSearch.input(search), {
      placeholderData: keepPreviousData,
      select: ({ customers, ...page }) => ({ ...page, rows: customers }),
    }),
  );
  const isAddress = search.q.includes('@');
  return (
    <ListPage
      path="/customers"
      label="Customers"
      one="customer"
      many="customers"
      order="newest first"
      definition={customerSearch}
      result={result}
      searchHint="Searches company, notes and contacts"
      filters={
        <>
          <TextFilter
            label="Tag"
            prompt="Filter by tag"
            value={search.tag}
            suggestions={tags}
            onChange={(tag) => setSearch({ tag })}
          />
          <TextFilter
            label="Email"
            prompt="Filter by email"
            type="email"
            placeholder="name@company.example"
            value={search.email}
            onChange={(email) => setSearch({ email })}
          />
        </>
      }
      none={
        <EmptyState
          icon={Users}
          title="No customers yet"
          description="Keep contact details, notes and history in one place."
          action={
            <ButtonLink href="/customers/new" needs="customers:write">
              <Plus aria-hidden />
              Add your first customer
            </ButtonLink>
          }
        />
      }
      noMatch={
        <EmptyState
          icon={SearchX}
          title="No customers found"
          description={
            isAddress
              ? 'Search covers company, notes and contacts.'
              : 'Search covers company, notes and contacts. Tag and email filters match exactly.'
          }
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Button variant="secondary" onPress={() => setSearch(null)}>
                Clear search and filters
              </Button>
              {isAddress && (
                <Button variant="primary" onPress={() => setSearch({ q: null, email: search.q })}>
                  Search by this email
                </Button>
              )}
            </div>
          }
        />
      }
    >
      {(customers, isStale) => (
        <DataTable
          label="Customers"
          columns={columns}
          rows={customers}
          rowHref={({ id }) => `/customers/${id}`}
          rowActions={(customer) => <RowActions customer={customer} />}
          isStale={isStale}
        />
      )}
    </ListPage>
  );
}

const columns: readonly DataColumn<CustomerRecord>[] = [
  {
    header: 'Name',
    phone: 'title',
    cell: (customer) => <span title={customerName(customer)}>{customerName(customer)}</span>,
  },
  { header: 'Email', phone: 'line', className: 'w-[32%]', cell: (customer) => <Emails customer={customer} /> },
  { header: 'Tags', phone: 'line-end', className: 'w-[22%]', cell: ({ tags }) => <Tags tags={tags} /> },
  {
    header: 'Added',
    phone: 'aside',
    className: 'w-28',
    cell: ({ createdAt }) => <RelativeTime value={createdAt} className="text-muted" />,
  },
];

function Emails({ customer }: { customer: CustomerRecord }) {
  const primary = primaryContact(customer);
  const others = customer.contacts.filter((contact) => contact !== primary);
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted">
      <span className="truncate" title={primary?.email}>
        {primary?.email}
      </span>
      {others.length > 0 && (
        <span className="shrink-0 text-xs" title={others.map((contact) => contact.email).join('\n')}>
          +{others.length}
          <span className="sr-only"> more {others.length === 1 ? 'address' : 'addresses'}</span>
        </span>
      )}
    </span>
  );
}

/** A click on a tag filters the list by it. */
function Tags({ tags }: { tags: readonly string[] }) {
  const { setSearch } = useListSearch(customerSearch);
  return <TagChips tags={tags} what="customers" isTight onTag={(tag) => setSearch({ tag })} />;
}

/** Actions on a customer within the list. */
function RowActions({ customer }: { customer: CustomerRecord }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const name = customerName(customer);
  return (
    <>
      <CopyButton size="sm" value={primaryContact(customer)?.email ?? ''} label={`Copy email of ${name}`} />
      <IconButton label={`Delete ${name}`} needs="customers:write" onPress={() => setIsDeleting(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <DeleteCustomerDialog customer={customer} isOpen={isDeleting} onOpenChange={setIsDeleting} />
    </>
  );
}
