'use client';

import { Plus, SearchX, Users } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { EmptyState } from '@/app/_kit/empty-state';
import { NoSuchPage } from '@/app/_kit/no-such-page';
import { Surface } from '@/app/_kit/surface';
import { customerSearchParams } from '../search-params';

interface EmptyCustomerListProps {
  kind: 'none' | 'nothing-found' | 'no-such-page';
}

/** Stands where no customer is to be shown, and says why and what to do about it. */
export function EmptyCustomerList({ kind }: EmptyCustomerListProps) {
  const [{ q }, setSearch] = useQueryStates(customerSearchParams, { history: 'push' });
  if (kind === 'none') {
    return (
      <Surface>
        <EmptyState
          icon={Users}
          title="No customers yet"
          description="Everybody you do business with: who they are, how to reach them, and what you know about them."
          action={
            <ButtonLink href="/customers/new">
              <Plus aria-hidden />
              Add the first customer
            </ButtonLink>
          }
          apiHint="POST /identity/customers"
        />
      </Surface>
    );
  }
  if (kind === 'no-such-page') return <NoSuchPage onShowFirst={() => void setSearch({ page: null })} />;
  const isAddress = q.includes('@');
  return (
    <EmptyState
      icon={SearchX}
      title="No customer matches"
      description={
        isAddress
          ? 'The search looks at company, notes, and names and addresses of contacts.'
          : 'The search looks at company, notes and contacts, the filters for exactly this tag or address.'
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="secondary" onPress={() => void setSearch(null)}>
            Clear search and filters
          </Button>
          {isAddress && (
            <Button variant="primary" onPress={() => void setSearch({ q: null, email: q, page: null })}>
              Look for this address
            </Button>
          )}
        </div>
      }
    />
  );
}
