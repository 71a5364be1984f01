import { FileX } from 'lucide-react';
import { ButtonLink } from './button-link';
import { EmptyState } from './empty-state';
import { PageHeader } from './page-header';
import { Surface } from './surface';

interface RecordNotFoundProps {
  /** The missing record's kind, in lower case: "customer". */
  what: string;
  /** The list it would be in. */
  list: { href: string; label: string };
  /** Label of the link to that list: "Show all customers". */
  action: string;
}

/** Shown if a record was deleted, belongs to another business or never existed. */
export function RecordNotFound({ what, list, action }: RecordNotFoundProps) {
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
