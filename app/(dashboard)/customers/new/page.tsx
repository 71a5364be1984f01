import type { Metadata } from 'next';
import { NewCustomerForm } from '../_components/new-customer-form';
import { loadNewCustomer } from '../search-params';

export const metadata: Metadata = { title: 'New customer' };

interface NewCustomerPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The form for a new customer; the address may prefill the contact. */
export default async function NewCustomerPage({ searchParams }: NewCustomerPageProps) {
  const { email, name } = await loadNewCustomer(searchParams);
  return <NewCustomerForm contact={{ email, displayName: name }} />;
}
