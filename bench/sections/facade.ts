import { startDatabase } from '../database';
import { addCustomers, createIdentity, settle } from '../fill';
import { type LoadOptions, type MakeRequest, type Measurement, measure } from '../load';
import { startProduct } from '../server';
import { milliseconds, type Table, whole } from '../table';
import type { Tenant } from '../tenants';
import { create, getById } from '../workload';

/** What conditional and repeatable requests cost beside plain ones. */
export async function facade({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const identity = await createIdentity(database.sql, 'enterprise');
    await addCustomers(database.sql, identity, 1, 1_000);
    const { rows } = await database.sql.query<{ id: string }>('SELECT id FROM customers WHERE identity_id = $1', [identity.id]);
    await settle(database.sql);
    const tenant: Tenant = { ...identity, customerIds: rows.map((row) => row.id) };
    const product = await startProduct(database.dataDir, database.url);
    try {
      const amount = quick ? 500 : 5_000;
      const run = (make: MakeRequest, options: Partial<LoadOptions> = {}) =>
        measure(product, database.pid, make, { connections: 8, amount, status: 200, ...options });
      const [key = ''] = tenant.keys;
      const known = await tagOf(product.url, key, tenant.customerIds[0] ?? '');
      const replay = once(create([tenant], 'replay'), () => 'always-the-same');
      await run(getById([tenant]));
      await run(() => replay(0), { amount: 1, connections: 1, status: 201 });
      return {
        title: 'Conditional and repeatable requests',
        note: 'One identity, 8 connections. For information; no target.',
        head: ['Operation', 'Requests/s', 'p50 ms', 'p99 ms', 'CPU ms, Node', 'CPU ms, PostgreSQL'],
        rows: [
          rowOf('one customer by id', await run(getById([tenant]))),
          rowOf('the same, If-None-Match: 304', await run(() => known, { status: 304 })),
          rowOf('change', await run(change(tenant))),
          rowOf('change with If-Match', await run(change(tenant, { 'if-match': '*' }))),
          rowOf('create', await run(create([tenant], 'plain'), { status: 201 })),
          rowOf(
            'create with Idempotency-Key',
            await run(
              once(create([tenant], 'once'), (n) => `create-${n}`),
              { status: 201 },
            ),
          ),
          rowOf('the same again, from 1 connection', await run(() => replay(0), { status: 201, connections: 1 })),
        ],
      };
    } finally {
      await product.stop();
    }
  } finally {
    await database.remove();
  }
}

/** A read of a customer in the state it is in. */
async function tagOf(url: string, key: string, id: string): Promise<ReturnType<MakeRequest>> {
  const path = `/api/v1/identity/customers/${id}`;
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  return { path, key, headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
}

function once(make: MakeRequest, keyOf: (n: number) => string): MakeRequest {
  return (n) => ({ ...make(n), headers: { 'idempotency-key': keyOf(n) } });
}

function change({ keys: [key = ''], customerIds }: Tenant, headers: Record<string, string> = {}): MakeRequest {
  return (n) => {
    const path = `/api/v1/identity/customers/${customerIds[n % customerIds.length]}`;
    return { method: 'PATCH', path, key, headers, body: { notes: `Called ${n} times` } };
  };
}

function rowOf(name: string, run: Measurement): string[] {
  const { perSecond, p50, p99, serverCpu, databaseCpu } = run;
  return [name, whole(perSecond), milliseconds(p50), milliseconds(p99), milliseconds(serverCpu), milliseconds(databaseCpu)];
}
