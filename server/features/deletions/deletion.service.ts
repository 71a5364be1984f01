import type pg from 'pg';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import type { JobDefinitions } from '@/server/platform/jobs/worker';
import { restorableDays } from './deletion.schema';

/**
 * What was deleted is kept for 30 days, as it was, so that it can be restored under its id. Conversations have their own trash, because
 * new mail has to find them there.
 */

interface RecordKey {
  identityId: string;
  kind: 'customer' | 'event' | 'post';
  id: string;
}

/**
 * Keeps a record in the transaction that deletes it.
 * @param data JSON of all that is needed to write it again, with its parts
 */
export async function keepDeleted(client: pg.PoolClient, { identityId, kind, id }: RecordKey, data: object): Promise<void> {
  await client.query({
    name: 'deleted-record-keep',
    text: 'INSERT INTO deleted_records (identity_id, kind, record_id, data) VALUES ($1, $2, $3, $4)',
    values: [identityId, kind, id, JSON.stringify(data)],
  });
}

/**
 * Takes a deleted record out, in the transaction that writes it again: of simultaneous ones, only one gets it.
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

export const deletionJobs: JobDefinitions = {
  tasks: {},
  crontab: [],
  removeExpired: async (signal) => {
    const condition = `deleted_at < now() - interval '${restorableDays} days'`;
    await removeInBatches({ table: 'deleted_records', condition, signal });
  },
};
