import { addCustomers, createIdentity, settle, withoutSearch } from '../fill';
import { compareSizes, makeSide, type Side } from '../sides';
import { type Table, whole } from '../table';
import { fillTenants } from '../tenants';
import { flatLists, listsOf } from '../workload';

/** Whether lists and searches of one identity stay as fast when it has fifty times the customers. */

const few = 20_000;
const many = 1_000_000;
const fewer = 100_000; // enough for --quick

/** An identity with this many customers, beside the usual other ones. */
function openCustomers(count: number): Promise<Side> {
  return makeSide(async (database) => {
    await fillTenants(database);
    const identity = await createIdentity(database.sql, 'enterprise');
    await withoutSearch(database.sql, () => addCustomers(database.sql, identity, 1, count));
    await settle(database.sql);
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
