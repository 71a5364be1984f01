import { UserX } from 'lucide-react';
import { ButtonLink } from '@/app/_components/button-link';
import { EmptyState } from '@/app/_components/empty-state';
import { PageHeader } from '@/app/_components/page-header';

/** Stands where a customer was deleted, belongs to another business or never existed. */
export function CustomerNotFound() {
  return (
    <>
      <PageHeader title="Customer not found" back={{ href: '/customers', label: 'Customers' }} />
      <div className="rounded-lg border border-border bg-surface">
        <EmptyState
          icon={UserX}
          title="There is no customer at this address"
          description="It may have been deleted, or belong to another business of yours."
          action={
            <ButtonLink href="/customers" variant="primary">
              Show all customers
            </ButtonLink>
          }
        />
      </div>
    </>
  );
}
