import { type BenchDatabase, startDatabase } from '../database';
import { addCustomers, type BenchIdentity, createIdentity, settle } from '../fill';
import { type MakeRequest, measure } from '../load';
import { type BenchServer, startProduct } from '../server';
import { median, milliseconds, type Table, whole } from '../table';
import { fillTenants } from '../tenants';
import { flatLists, listsOf } from '../workload';

/** Whether lists and searches of one identity stay as fast when it has fifty times the customers. */

const few = 20_000;
const many = 1_000_000;
const fewer = 100_000; // enough for --quick

/** Half a comparison: an identity with this many customers, beside the usual other ones, and a server for it. */
interface Side {
  database: BenchDatabase;
  product: BenchServer;
  lists: Record<string, MakeRequest>;
  close(): Promise<void>;
}

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

async function openSide(count: number): Promise<Side> {
  const database = await startDatabase();
  try {
    await fillTenants(database);
    const identity = await createIdentity(database.sql, 'enterprise');
    await fillIdentity(database, identity, count);
    const product = await startProduct(database.dataDir, database.url);
    const close = async () => {
      await product.stop();
      await database.remove();
    };
    return { database, product, lists: listsOf(identity), close };
  } catch (error) {
    await database.remove();
    throw error;
  }
}

async function compare(small: Side, large: Side, quick: boolean): Promise<string[][]> {
  const [roundCount, seconds] = quick ? [1, 2] : [5, 2];
  const run = async ({ database, product, lists }: Side, name: string, duration: number) => {
    const make = lists[name];
    if (!make) throw new Error(`no list ${name}`);
    return (await measure(product, database.pid, make, { connections: 8, duration, status: 200 })).p50;
  };
  const rows: string[][] = [];
  for (const name of Object.keys(small.lists)) {
    for (const side of [small, large]) await run(side, name, 2);
    const rounds: [number, number][] = [];
    for (let i = 0; i < roundCount; i++) rounds.push([await run(small, name, seconds), await run(large, name, seconds)]);
    rows.push([
      name,
      milliseconds(median(rounds.map(([before]) => before))),
      milliseconds(median(rounds.map(([, after]) => after))),
      median(rounds.map(([before, after]) => after / before)).toFixed(1),
    ]);
  }
  return rows;
}

export async function flatness({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? fewer : many;
  const small = await openSide(few);
  try {
    const large = await openSide(count);
    try {
      return {
        title: 'Flatness',
        note:
          `One identity with ${whole(few)} customers, and one with ${whole(count)} in a database of its own; p50 at 8 connections. ` +
          `Target: within 2× for the first ${flatLists}. What the others look for matches ${count / few} times as many customers too; ` +
          'they are shown to know their price.',
        head: ['List', `p50 ms at ${whole(few)}`, `p50 ms at ${whole(count)}`, 'Factor'],
        rows: await compare(small, large, quick),
      };
    } finally {
      await large.close();
    }
  } finally {
    await small.close();
  }
}
