import { dropOldPartitions } from '@/server/platform/db/partitions';
import { inBatches, removedBy } from '@/server/platform/db/remove-in-batches';
import { env } from '@/server/platform/env';

export async function removeOldAuditEntries(signal?: AbortSignal): Promise<void> {
  const days = env().AUDIT_RETENTION_DAYS;
  await dropOldPartitions({ table: 'audit_entries', column: 'occurred_at', days });
  if (days === 0) return;
  // The server may not delete entries itself.
  const text = 'SELECT remove_old_audit_entries($1::regclass, $2, $3) AS removed';
  for (const log of ['audit_entries', 'account_audit_entries']) {
    await inBatches(async (client, batchSize) => removedBy(client, text, [log, days, batchSize]), { signal });
  }
}
