import { RecordNotFound } from '@/app/_kit/record-not-found';

/** Stands where a customer was deleted, belongs to another business or never existed. */
export function CustomerNotFound() {
  return <RecordNotFound what="customer" list={{ href: '/customers', label: 'Customers' }} action="Show all customers" />;
}
