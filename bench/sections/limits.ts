import { startDatabase } from '../database';
import { addCustomers, createIdentity, settle } from '../fill';
import { type Measurement, measure } from '../load';
import { startProduct } from '../server';
import { milliseconds, type Table, whole } from '../table';
import type { Tenant } from '../tenants';
import { getById } from '../workload';

/**
 * What an exact daily count per key costs: one customer by id, on a plan with a limit. Two requests of one key wait for each other
 * until the first one's count is on disk, so one key and many keys are different things.
 */
export async function limits({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const unlimited = await createTenant('enterprise', 1);
    const oneKey = await createTenant('small_business', 1);
    const manyKeys = await createTenant('small_business', 50);
    await settle(database.sql);
    const product = await startProduct(database.dataDir, database.url);
    try {
      const amount = quick ? 1_000 : 8_000;
      const run = (tenant: Tenant, requests: number) =>
        measure(product, database.pid, getById([tenant]), { connections: 8, amount: requests, status: 200 });
      await run(unlimited, amount);
      return {
        title: 'Daily limit',
        note: 'One customer by id, 8 connections. For information; no target.',
        head: ['Plan', 'Requests/s', 'p50 ms', 'p99 ms', 'CPU ms, Node', 'CPU ms, PostgreSQL'],
        rows: [
          rowOf('without a daily limit', await run(unlimited, amount)),
          rowOf('with a daily limit, one key', await run(oneKey, amount)),
          rowOf('with a daily limit, 50 keys', await run(manyKeys, amount)),
        ],
      };
    } finally {
      await product.stop();
    }
  } finally {
    await database.remove();
  }

  async function createTenant(plan: 'enterprise' | 'small_business', keys: number): Promise<Tenant> {
    const identity = await createIdentity(database.sql, plan, keys);
    await addCustomers(database.sql, identity, 1, 1_000);
    const { rows } = await database.sql.query<{ id: string }>('SELECT id FROM customers WHERE identity_id = $1', [identity.id]);
    return { ...identity, customerIds: rows.map((row) => row.id) };
  }
}

function rowOf(name: string, run: Measurement): string[] {
  return [
    name,
    whole(run.perSecond),
    milliseconds(run.p50),
    milliseconds(run.p99),
    milliseconds(run.serverCpu),
    milliseconds(run.databaseCpu),
  ];
}
