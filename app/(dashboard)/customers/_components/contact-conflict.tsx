import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import Link from 'next/link';
import { errorFacts } from '@/app/_kit/error-facts';
import { useTRPC } from '@/app/_trpc/client';
import { customerName } from './customer-name';

/** The customer that has the refused contact; null if the failure was a different one. */
export function conflictingCustomer(error: unknown): string | null {
  const { code, details } = errorFacts(error);
  return code === 'contact_conflict' && typeof details.customerId === 'string' ? details.customerId : null;
}

/** Says whose contact it is, with a link. */
export function ContactConflict({ customerId, email }: { customerId: string; email: string }) {
  const trpc = useTRPC();
  const owner = useQuery(trpc.customers.get.queryOptions({ id: customerId }));
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger-text">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {email} already belongs to{' '}
        <Link href={`/customers/${customerId}`} className="font-medium underline underline-offset-2">
          {owner.data ? customerName(owner.data) : 'another customer'}
        </Link>
        . Remove it there first.
      </p>
    </div>
  );
}
