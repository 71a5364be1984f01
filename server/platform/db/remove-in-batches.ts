import { transaction } from './transaction';

/** Rows per statement, to keep each one short. */
const batchSize = 10_000;

interface Removal {
  table: string;
  key: string;
  condition: string;
  values?: unknown[];
  signal?: AbortSignal | undefined;
}

/** Deletes the rows of a table that match `condition`, in batches. */
export async function removeInBatches({ table, key, condition, values = [], signal }: Removal): Promise<void> {
  const text = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${batchSize})`;
  let removed: number;
  do {
    signal?.throwIfAborted();
    removed = await transaction(
      { kind: 'system', cause: 'upkeep' },
      async (client) => (await client.query(text, values)).rowCount ?? 0,
    );
  } while (removed === batchSize);
}
