'use client';

import { FileX } from 'lucide-react';
import { ButtonLink } from './button-link';
import { EmptyState } from './empty-state';
import { HistoryLink } from './history-link';
import { PageHeader } from './page-header';
import { Surface } from './surface';
import { isUuid } from './uuid';

/** The list that each kind of record is in. */
const lists = {
  agent: { href: '/agents', label: 'Agents', action: 'Show all agents' },
  customer: { href: '/customers', label: 'Customers', action: 'Show all customers' },
  post: { href: '/posts', label: 'Blog', action: 'Show all posts' },
};

interface RecordNotFoundProps {
  what: keyof typeof lists;
  /** Of a kind that can be restored from its history. */
  id?: string;
}

/** Shown if a record was deleted, belongs to another business or never existed. */
export function RecordNotFound({ what, id }: RecordNotFoundProps) {
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
            <span className="flex flex-col items-center gap-3">
              <ButtonLink href={list.href} variant="primary">
                {action}
              </ButtonLink>
              {id && isUuid(id) && <HistoryLink id={id} subject={`this ${what}`} />}
            </span>
          }
        />
      </Surface>
    </>
  );
}
