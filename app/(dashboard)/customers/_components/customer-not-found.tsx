import { RecordNotFound } from '@/app/_kit/record-not-found';

/** Shown if a customer was deleted, belongs to another business or never existed. */
export function CustomerNotFound() {
  return <RecordNotFound what="customer" list={{ href: '/customers', label: 'Customers' }} action="Show all customers" />;
}
