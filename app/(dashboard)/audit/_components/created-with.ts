import type { AuditEntry } from '@/server/features/audit/audit.schema';

/** The moment of an entry as a range: all entries of one transaction have the same. */
export function momentOf({ occurredAt }: Pick<AuditEntry, 'occurredAt'>): { from: string; to: string } {
  return { from: occurredAt, to: new Date(Date.parse(occurredAt) + 1).toISOString() };
}

/** Of the history of a record, the parts that were created with it, first to last. */
export function partsOf(entry: AuditEntry, history: readonly AuditEntry[]): AuditEntry[] {
  return history
    .filter(
      ({ id, parentId, action, occurredAt }) =>
        id !== entry.id && parentId === entry.resourceId && action === 'created' && occurredAt === entry.occurredAt,
    )
    .toReversed();
}
