'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { AuditChanges } from './audit-changes';
import type { ViewersClock } from './audit-days';
import { resourceWords } from './audit-words';
import { momentOf, partsOf } from './created-with';

interface CreatedPartsProps {
  entry: AuditEntry;
  clock: ViewersClock;
}

/** What a record held when it was created: its own fields, and the parts that came with it (a customer's contacts, an event's invitees). */
export function CreatedParts({ entry, clock }: CreatedPartsProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.audit.list.queryOptions(
      { resourceId: entry.resourceId, action: 'created', ...momentOf(entry), limit: 100 },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const parts = partsOf(entry, data?.entries ?? []);
  return (
    <>
      {(entry.changes.length > 0 || (data && parts.length === 0)) && <AuditChanges entry={entry} clock={clock} />}
      {parts.map((part) => (
        <section key={part.id} aria-label={`${resourceWords[part.resource].one} ${part.label}`}>
          <h3 className="text-label font-medium">
            {resourceWords[part.resource].one} {part.label}
          </h3>
          <AuditChanges entry={part} clock={clock} />
        </section>
      ))}
    </>
  );
}
