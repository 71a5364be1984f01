import type { Metadata } from 'next';
import { cache } from 'react';
import { HydrateClient, serverQueryClient, trpc } from '@/app/_trpc/server';
import { appErrorOf } from '@/server/platform/trpc/trpc';
import { CustomerDetail } from '../_components/customer-detail';
import { customerName } from '../_components/customer-name';
import { CustomerNotFound } from '../_components/customer-not-found';

interface CustomerPageProps {
  params: Promise<{ id: string }>;
}

/** The customer, null where there is none, undefined where that could not be found out. */
const loadCustomer = cache(async (id: string) => {
  try {
    return await serverQueryClient().fetchQuery(trpc.customers.get.queryOptions({ id }));
  } catch (error) {
    const { code } = appErrorOf(error);
    // A malformed id is as unknown as any other; everything else the page itself reports, with a way to try again.
    return code === 'not_found' || code === 'invalid_request' ? null : undefined;
  }
});

export async function generateMetadata({ params }: CustomerPageProps): Promise<Metadata> {
  const customer = await loadCustomer((await params).id);
  if (customer === null) return { title: 'Customer not found' };
  return { title: customer ? customerName(customer) : 'Customer' };
}

/** One customer, with everything about it editable in place. */
export default async function CustomerPage({ params }: CustomerPageProps) {
  const { id } = await params;
  if ((await loadCustomer(id)) === null) return <CustomerNotFound />;
  return (
    <HydrateClient>
      <CustomerDetail id={id} />
    </HydrateClient>
  );
}
