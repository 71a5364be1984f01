'use client';

import { useQuery } from '@tanstack/react-query';
import { Phone, UserPlus } from 'lucide-react';
import Link from 'next/link';
import { ButtonLink } from '@/app/_kit/button-link';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerName } from '../../customers/_components/customer-name';
import { newCustomerQuery } from '../../customers/search-params';
import { ContextSection } from './context-section';

interface CustomerSectionProps {
  counterpart: MailAddressRecord;
  /** Null for somebody who is no customer. */
  customerId: string | null;
}

/** The customer somebody belongs to, or the way to make them one. */
export function CustomerSection({ counterpart, customerId }: CustomerSectionProps) {
  const trpc = useTRPC();
  const { data, isError, refetch } = useQuery(
    trpc.customers.get.queryOptions({ id: customerId ?? '' }, { enabled: customerId !== null }),
  );
  if (customerId === null) {
    if (counterpart.email === '') return null;
    const { email, displayName } = counterpart;
    return (
      <ContextSection title="Customer">
        <p className="mb-2.5 text-label text-muted">Not a customer yet.</p>
        <ButtonLink size="sm" href={`/customers/new${newCustomerQuery({ email, name: displayName ?? '' })}`}>
          <UserPlus aria-hidden />
          Create customer
        </ButtonLink>
      </ContextSection>
    );
  }
  return (
    <ContextSection title="Customer">
      {data ? (
        <CustomerCard customer={data} />
      ) : isError ? (
        <p className="text-label text-muted">
          The customer could not be loaded.{' '}
          <button type="button" onClick={() => void refetch()} className="text-accent-text underline-offset-2 hover:underline">
            Try again
          </button>
        </p>
      ) : (
        <SkeletonLines shape="text" lines={3} label="Loading the customer" />
      )}
    </ContextSection>
  );
}

function CustomerCard({ customer }: { customer: CustomerRecord }) {
  const name = customerName(customer);
  return (
    <div className="relative rounded-lg border border-border bg-surface p-3 hover:bg-surface-hover">
      <Link
        href={`/customers/${customer.id}`}
        title={name}
        className="block truncate font-medium after:absolute after:inset-0 after:rounded-lg"
      >
        {name}
      </Link>
      {customer.phone !== '' && (
        <p className="mt-1 flex items-center gap-1.5 text-label text-muted">
          <Phone aria-hidden className="size-3.5" />
          <a
            href={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}
            className="relative truncate hover:text-foreground hover:underline"
          >
            {customer.phone}
          </a>
        </p>
      )}
      {customer.notes !== '' && <p className="mt-1.5 line-clamp-3 text-label wrap-anywhere text-muted">{customer.notes}</p>}
      {customer.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-2 flex flex-wrap gap-1">
          {customer.tags.map((tag) => (
            <li key={tag} title={tag} className="max-w-full truncate rounded-md bg-default px-1.5 text-xs leading-5">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
