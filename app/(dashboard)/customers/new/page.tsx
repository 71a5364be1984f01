import type { Metadata } from 'next';
import { NewCustomerForm } from '../_components/new-customer-form';

export const metadata: Metadata = { title: 'New customer' };

/** A form for one customer more. */
export default function NewCustomerPage() {
  return <NewCustomerForm />;
}
