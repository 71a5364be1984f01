import { Users } from 'lucide-react';
import Link from 'next/link';
import { ButtonLink } from '@/app/_components/button-link';
import { EmptyState } from '@/app/_components/empty-state';
import { RelativeTime } from '@/app/_components/relative-time';
import { SectionCard } from '@/app/_components/section-card';
import type { CustomerRecord } from '@/server/modules/customers/customer.schema';

/** The customers that came last, each a link to its page. */
export function NewestCustomers({ customers, total }: { customers: CustomerRecord[]; total: number }) {
  if (customers.length === 0) {
    return (
      <SectionCard title="Newest customers" flush>
        <EmptyState
          icon={Users}
          title="No customers yet"
          description="Everybody you do business with: who they are, how to reach them, and what you know about them."
          action={
            <ButtonLink href="/customers/new" variant="secondary">
              Add the first customer
            </ButtonLink>
          }
          apiHint="POST /identity/customers"
        />
      </SectionCard>
    );
  }
  return (
    <SectionCard
      title="Newest customers"
      flush
      actions={
        total > customers.length && (
          <Link href="/customers" className="text-label text-accent-text underline-offset-2 hover:underline">
            All customers
          </Link>
        )
      }
    >
      <ul>
        {customers.map((customer) => (
          <li key={customer.id} className="border-b border-separator last:border-b-0">
            <Link
              href={`/customers/${customer.id}`}
              className="flex min-h-11 items-center gap-4 px-5 py-1.5 -outline-offset-2 hover:bg-surface-hover"
            >
              <CustomerNames customer={customer} />
              <span className="w-24 shrink-0 text-right text-label text-muted">
                <RelativeTime value={customer.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

function CustomerNames({ customer }: { customer: CustomerRecord }) {
  const primary = customer.contacts.find((contact) => contact.isPrimary) ?? customer.contacts[0];
  const email = primary?.email ?? '';
  const name = customer.company || primary?.displayName || email;
  return (
    <span className="grid min-w-0 flex-1 sm:grid-cols-[2fr_3fr] sm:items-center sm:gap-4">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      {name !== email && (
        <span className="min-w-0 truncate text-label text-muted" title={email}>
          {email}
        </span>
      )}
    </span>
  );
}
