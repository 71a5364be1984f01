import type { Metadata } from 'next';
import { cache } from 'react';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { recordOrNull } from '@/app/_trpc/page-data';
import { HydrateClient, serverQueryClient, trpc } from '@/app/_trpc/server';
import { CustomerDetail } from '../_components/customer-detail';
import { customerName } from '../_components/customer-name';

interface CustomerPageProps {
  params: Promise<{ id: string }>;
}

const loadCustomer = cache((id: string) => recordOrNull(serverQueryClient().fetchQuery(trpc.customers.get.queryOptions({ id }))));

export async function generateMetadata({ params }: CustomerPageProps): Promise<Metadata> {
  const customer = await loadCustomer((await params).id);
  if (customer === null) return { title: 'Customer not found' };
  return { title: customer ? customerName(customer) : 'Customer' };
}

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { id } = await params;
  if ((await loadCustomer(id)) === null) return <RecordNotFound what="customer" id={id} />;
  return (
    <HydrateClient>
      <CustomerDetail id={id} />
    </HydrateClient>
  );
}
