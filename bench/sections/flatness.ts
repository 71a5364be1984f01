import type { BenchDatabase } from '../database';
import { addCustomers, type BenchIdentity, createIdentity, settle } from '../fill';
import { compareSizes, makeSide, type Side } from '../sides';
import { type Table, whole } from '../table';
import { fillTenants } from '../tenants';
import { flatLists, listsOf } from '../workload';

/** Whether lists and searches of one identity stay as fast when it has fifty times the customers. */

const few = 20_000;
const many = 1_000_000;
const fewer = 100_000; // enough for --quick

/** A million rows are written quickly only without the index for searching, which is then built at once. */
async function fillIdentity({ sql }: BenchDatabase, identity: BenchIdentity, count: number): Promise<void> {
  const index = await sql.query<{ definition: string }>(
    `SELECT pg_get_indexdef('customers_filters_idx'::regclass) AS definition`,
  );
  await sql.query('DROP INDEX customers_filters_idx');
  await addCustomers(sql, identity, 1, count);
  await sql.query(`SET maintenance_work_mem = '512MB'`);
  await sql.query(index.rows[0]?.definition ?? '');
  await settle(sql);
}

/** An identity with this many customers, beside the usual other ones. */
function openCustomers(count: number): Promise<Side> {
  return makeSide(async (database) => {
    await fillTenants(database);
    const identity = await createIdentity(database.sql, 'enterprise');
    await fillIdentity(database, identity, count);
    return listsOf(identity);
  });
}

export async function flatness({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? fewer : many;
  return {
    title: 'Flatness',
    note:
      `One identity with ${whole(few)} customers, and one with ${whole(count)} in a database of its own; p50 at 8 connections. ` +
      `Target: within 2× for the first ${flatLists}. What the others look for matches ${count / few} times as many customers too; ` +
      'they are shown to know their price.',
    head: ['List', `p50 ms at ${whole(few)}`, `p50 ms at ${whole(count)}`, 'Factor', 'Requests/s'],
    rows: await compareSizes(openCustomers, [few, count], quick),
  };
}
