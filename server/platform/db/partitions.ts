import { removeInBatches } from './remove-in-batches';
import { limitStatements } from './time-limits';
import { transaction } from './transaction';

/**
 * Tables that are partitioned by month. Their partitions are in the schema `partitions`: one for all there was before the first
 * month (`…_first`), and one for months that have none yet (`…_rest`).
 */

interface Partitioned {
  table: string;
  /** What it is partitioned by. */
  column: string;
  /** Days that rows are kept; 0: for ever. */
  days: number;
}

/**
 * Adds the partitions of the next months, and drops those whose rows are all older than `days`. Both need the table for a moment, and
 * wait for it as a migration does.
 */
export async function dropOldPartitions({ table, column, days }: Partitioned): Promise<void> {
  await transaction({ kind: 'system', cause: 'upkeep' }, async (client) => {
    await client.query(limitStatements('migration', 'LOCAL'));
    await client.query('SELECT add_partitions($1::regclass, $2)', [table, column]);
    if (days > 0) await client.query('SELECT drop_partitions($1::regclass, $2)', [table, days]);
  });
}

/** `dropOldPartitions`, and removes the rest of the rows older than `days` one by one. */
export async function keepPartitions({
  signal,
  ...partitioned
}: Partitioned & { signal?: AbortSignal | undefined }): Promise<void> {
  const { table, column, days } = partitioned;
  await dropOldPartitions(partitioned);
  if (days === 0) return;
  await removeInBatches({ table, condition: `${column} < now() - make_interval(days => $1)`, values: [days], signal });
}
