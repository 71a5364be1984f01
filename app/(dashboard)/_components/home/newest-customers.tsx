import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { CardLink } from './card-link';

/** The customers that came last, each a link to its page. */
export function NewestCustomers({ customers, total }: { customers: readonly CustomerRecord[]; total: number }) {
  return (
    <SectionCard
      title="Newest customers"
      flush
      actions={total > customers.length && <CardLink href="/customers">All customers</CardLink>}
    >
      <ul>
        {customers.map((customer) => (
          <li key={customer.id} className="border-b border-separator last:border-b-0">
            <Link
              href={`/customers/${customer.id}`}
              prefetch={false}
              className="flex min-h-11 items-center gap-4 px-5 py-1.5 -outline-offset-2 hover:bg-surface-hover"
            >
              <CustomerName customer={customer} />
              <RelativeTime value={customer.createdAt} className="shrink-0 text-label text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

function CustomerName({ customer }: { customer: CustomerRecord }) {
  const primary = customer.contacts.find((contact) => contact.isPrimary) ?? customer.contacts[0];
  const email = primary?.email ?? '';
  const name = customer.company || primary?.displayName || email;
  return (
    <span className="min-w-0 flex-1 truncate font-medium" title={name === email ? name : `${name}, ${email}`}>
      {name}
    </span>
  );
}
