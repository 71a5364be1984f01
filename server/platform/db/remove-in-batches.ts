import { transaction } from './transaction';

/** Rows removed by one statement, so that none takes long. */
const batchSize = 10_000;

interface Removal {
  table: string;
  key: string;
  condition: string;
  values?: unknown[];
  signal?: AbortSignal | undefined;
}

/** Removes the rows of a table for which `condition` is true, a batch at a time. */
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
