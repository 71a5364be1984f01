import { columnHelper, type DataColumn } from '@/app/_kit/data-table';
import { RelativeTime } from '@/app/_kit/relative-time';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerName, primaryContact } from './customer-name';
import { CustomerTags } from './customer-tags';

const helper = columnHelper<CustomerRecord>();

/** The columns of the customer list: who, how to reach them, what they are, and since when they are known, which is the list's order. */
export const customerColumns: readonly DataColumn<CustomerRecord>[] = helper.columns([
  helper.display({
    id: 'name',
    header: 'Company or contact',
    meta: { phone: 'title' },
    cell: ({ row }) => <span title={customerName(row.original)}>{customerName(row.original)}</span>,
  }),
  helper.display({
    id: 'email',
    header: 'Email',
    meta: { phone: 'line', className: 'w-[32%]' },
    cell: ({ row }) => <Emails customer={row.original} />,
  }),
  helper.display({
    id: 'tags',
    header: 'Tags',
    meta: { phone: 'line-end', className: 'w-[22%]' },
    cell: ({ row }) => <CustomerTags tags={row.original.tags} />,
  }),
  helper.display({
    id: 'added',
    header: 'Added',
    meta: { phone: 'aside', className: 'w-28' },
    cell: ({ row }) => <RelativeTime value={row.original.createdAt} className="text-muted" />,
  }),
]);

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
