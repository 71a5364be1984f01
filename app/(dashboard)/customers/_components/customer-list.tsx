'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus, SearchX, Trash2, Users } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { CopyButton } from '@/app/_kit/copy-button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { IconButton } from '@/app/_kit/icon-button';
import { ListPage, useListSearch } from '@/app/_kit/list-page';
import { Marked } from '@/app/_kit/marked';
import { RelativeTime } from '@/app/_kit/relative-time';
import { shownTags, TagChips } from '@/app/_kit/tag-chips';
import { TextFilter } from '@/app/_kit/text-filter';
import { useTRPC } from '@/app/_trpc/client';
import { searchMaximum } from '@/server/features/customers/customer.limits';
import type { CustomerContact, CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerHit } from '@/server/features/customers/customer-hit';
import { type TextFinder, textFinder } from '@/server/platform/search-words';
import { customerSearch } from '../search-params';
import { customerName, primaryContact } from './customer-name';
import { useDeleteCustomer } from './use-delete-customer';
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
  const finder = useMemo(() => (search.q === '' ? null : textFinder(search.q)), [search.q]);
  const columns = useMemo(() => columnsOf(search.q, finder), [search.q, finder]);
  return (
    <ListPage
      path="/customers"
      label="Customers"
      one="customer"
      many="customers"
      order={search.q === '' ? 'newest first' : 'best match first'}
      definition={customerSearch}
      result={result}
      searchHint="Searches names, contacts, phone, tags, notes and custom fields"
      searchMaximum={searchMaximum}
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
          description="Search covers all fields. Tag and email filters match exactly."
          action={
            <Button variant="secondary" onPress={() => setSearch(null)}>
              Clear search and filters
            </Button>
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

/** @param finder marks what was found */
function columnsOf(search: string, finder: TextFinder | null): readonly DataColumn<CustomerRecord>[] {
  return [
    {
      header: 'Name',
      phone: 'title',
      cell: (customer) => <Name customer={customer} search={search} finder={finder} />,
    },
    {
      header: 'Email',
      phone: 'line',
      className: 'w-[32%]',
      cell: (customer) => <Emails customer={customer} finder={finder} />,
    },
    { header: 'Tags', phone: 'line-end', className: 'w-[22%]', cell: ({ tags }) => <Tags tags={tags} /> },
    {
      header: 'Added',
      phone: 'aside',
      className: 'w-28',
      cell: ({ createdAt }) => <RelativeTime value={createdAt} className="text-muted" />,
    },
  ];
}

/** The contact that is shown: the first one that was found, else the primary one. */
function shownContact(customer: CustomerRecord, finder: TextFinder | null): CustomerContact | undefined {
  const primary = primaryContact(customer);
  const candidates = primary ? [primary, ...customer.contacts] : customer.contacts;
  return candidates.find(({ email }) => finder && finder.rangesIn(email).length > 0) ?? primary;
}

interface NameProps {
  customer: CustomerRecord;
  search: string;
  finder: TextFinder | null;
}

/** The name, and what else was found where neither it nor the address shows why the customer is listed. */
function Name({ customer, search, finder }: NameProps) {
  const name = customerName(customer);
  const shown = [name, shownContact(customer, finder)?.email ?? '', ...customer.tags.slice(0, shownTags)];
  const hit = finder ? customerHit(customer, { search, finder, shown }) : undefined;
  return (
    <>
      <span title={name}>
        <Marked text={name} finder={finder} />
      </span>
      {hit && (
        <span className="ml-2 font-normal text-muted" title={hit.text}>
          {hit.label && `${hit.label}: `}
          <Marked text={hit.text} finder={finder} />
        </span>
      )}
    </>
  );
}

function Emails({ customer, finder }: Omit<NameProps, 'search'>) {
  const contact = shownContact(customer, finder);
  const others = customer.contacts.filter(({ guid }) => guid !== contact?.guid);
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted">
      <span className="truncate" title={contact?.email}>
        <Marked text={contact?.email ?? ''} finder={finder} />
      </span>
      {others.length > 0 && (
        <span className="shrink-0 text-xs" title={others.map(({ email }) => email).join('\n')}>
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
  const { deleteCustomer, isPending } = useDeleteCustomer();
  const name = customerName(customer);
  return (
    <>
      <CopyButton size="sm" value={primaryContact(customer)?.email ?? ''} label={`Copy email of ${name}`} />
      <IconButton
        label={`Delete ${name}`}
        needs="customers:write"
        isDisabled={isPending}
        onPress={() => deleteCustomer(customer)}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </>
  );
}
