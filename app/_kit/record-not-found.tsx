import { FileX } from 'lucide-react';
import { ButtonLink } from './button-link';
import { EmptyState } from './empty-state';
import { PageHeader } from './page-header';
import { Surface } from './surface';

/** The list that each kind of record is in. */
const lists = {
  agent: { href: '/agents', label: 'Agents', action: 'Show all agents' },
  customer: { href: '/customers', label: 'Customers', action: 'Show all customers' },
  post: { href: '/posts', label: 'Blog', action: 'Show all posts' },
};

/** Shown if a record was deleted, belongs to another business or never existed. */
export function RecordNotFound({ what }: { what: keyof typeof lists }) {
  const { action, ...list } = lists[what];
  return (
    <>
      <PageHeader title={`${what.charAt(0).toUpperCase()}${what.slice(1)} not found`} back={list} />
      <Surface>
        <EmptyState
          icon={FileX}
          title={`This ${what} doesn’t exist`}
          description="It may have been deleted, or it belongs to another of your businesses."
          action={
            <ButtonLink href={list.href} variant="primary">
              {action}
            </ButtonLink>
          }
        />
      </Surface>
    </>
  );
}
