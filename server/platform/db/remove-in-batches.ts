import type pg from 'pg';
import { transaction } from './transaction';

/** Rows per transaction, to keep each one short. */
const defaultBatchSize = 10_000;

interface Batches {
  batchSize?: number | undefined;
  /** The identity whose rows go, or '*' for all: their removal is no entry of its own in the audit log. */
  erased?: string | undefined;
  /** Server shutdown: the rest is left to the next time. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats `change`, a transaction each, until it changes fewer rows than a batch has. @returns how many rows were changed
 */
export async function inBatches(
  change: (client: pg.PoolClient, batchSize: number) => Promise<number>,
  { batchSize = defaultBatchSize, erased = '', signal }: Batches = {},
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const changed = await transaction({ kind: 'system', cause: 'upkeep' }, async (client) => {
      await client.query(`SELECT set_config('frontdesk.erased', $1, true)`, [erased]);
      return change(client, batchSize);
    });
    total += changed;
    if (changed < batchSize) return total;
  }
}

/**
 * A condition for at most `batchSize` rows of a table that meet `condition`, found by their place, which rows of every table have.
 * It is repeated, because a row may change until it is locked.
 */
export function batchOf(table: string, condition: string, batchSize: number): string {
  return `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize})) AND (${condition})`;
}

interface Removal extends Batches {
  table: string;
  condition: string;
  values?: unknown[];
}

/** Deletes the rows of a table that match `condition`, in batches. @returns how many */
export async function removeInBatches({ table, condition, values = [], ...batches }: Removal): Promise<number> {
  return inBatches(async (client, batchSize) => {
    const { rowCount } = await client.query(`DELETE FROM ${table} WHERE ${batchOf(table, condition, batchSize)}`, values);
    return rowCount ?? 0;
  }, batches);
}

/** Calls a function of the database that removes rows with its owner's rights. @returns how many */
export async function removedBy(client: pg.PoolClient, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ removed: number }>(text, values);
  return rows[0]?.removed ?? 0;
}
