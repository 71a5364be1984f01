import { Plus } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { PageHeader } from '@/app/_kit/page-header';

/** The head of the list. */
export function CustomersHeader() {
  return (
    <PageHeader
      title="Customers"
      primaryAction={
        <ButtonLink href="/customers/new" variant="primary">
          <Plus aria-hidden />
          New customer
        </ButtonLink>
      }
    />
  );
}
