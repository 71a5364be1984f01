import type pg from 'pg';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { restorableDays } from './deletion.schema';

/**
 * Deleted records, kept for 30 days so that they can be restored under their id. Conversations have a trash of their own, because new
 * mail has to find them there.
 */

interface RecordKey {
  identityId: string;
  kind: 'customer' | 'event' | 'post';
  id: string;
}

/**
 * Keeps a record, in the transaction that deletes it.
 * @param data all that is needed to write it again, with its parts; stored as JSON
 */
export async function keepDeleted(client: pg.PoolClient, { identityId, kind, id }: RecordKey, data: object): Promise<void> {
  await client.query({
    name: 'deleted-record-keep',
    // A record with this id exists if the row was inserted again without `takeDeleted`, for example by an operator.
    text: `INSERT INTO deleted_records (identity_id, kind, record_id, data) VALUES ($1, $2, $3, $4)
      ON CONFLICT (identity_id, kind, record_id) DO UPDATE SET data = excluded.data, deleted_at = now()`,
    values: [identityId, kind, id, JSON.stringify(data)],
  });
}

/**
 * Removes a kept record and returns it, in the transaction that writes it again. Of concurrent calls, one gets it.
 * @returns what `keepDeleted` was given; undefined if it was not deleted, restored already, or deleted too long ago
 */
export async function takeDeleted<Data extends object>(
  client: pg.PoolClient,
  { identityId, kind, id }: RecordKey,
): Promise<Data | undefined> {
  const [taken] = await rows<{ data: Data }>(client, {
    name: 'deleted-record-take',
    text: `DELETE FROM deleted_records WHERE identity_id = $1 AND kind = $2 AND record_id = $3
        AND deleted_at > now() - interval '${restorableDays} days' RETURNING data`,
    values: [identityId, kind, id],
  });
  return taken?.data;
}

export async function removeOldDeletions(signal?: AbortSignal): Promise<void> {
  const condition = `deleted_at < now() - interval '${restorableDays} days'`;
  await removeInBatches({ table: 'deleted_records', condition, signal });
}
