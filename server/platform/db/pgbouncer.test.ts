import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomerInput, listCustomersInput } from '@/server/features/customers/customer.schema';
import { createCustomer, getCustomer, listCustomers } from '@/server/features/customers/customer.service';
import { env } from '@/server/platform/env';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { pgBouncer, startPgBouncer, type TestPgBouncer } from '@/server/testing/pgbouncer';
import { JobKind } from '../jobs/job';
import { startJobs } from '../jobs/worker';
import { onBehalfOf } from '../on-behalf-of';
import { closeLeases, withLease } from './lease';
import { closePool, openPool, pool } from './pool';
import { closePrisma, prisma } from './prisma';
import { serverUrl } from './roles';

/** Through PgBouncer in transaction mode, which gives each transaction any of a few connections. */

withFreshDatabase();

let bouncer: TestPgBouncer;
let identity: TestIdentity;
let other: TestIdentity;

describe.skipIf(!pgBouncer)('through PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    const direct = serverUrl(env().DATABASE_URL ?? '');
    await closePrisma();
    await closePool();
    bouncer = await startPgBouncer(direct);
    openPool(bouncer.url, { directUrl: direct });
    [identity, other] = [await createTestIdentity(), await createTestIdentity()];
  });

  afterAll(async () => {
    await closeLeases();
    await closePrisma();
    await closePool();
    await bouncer?.stop();
  });

  const many = Array.from({ length: 40 }, (_, n) => n);
  const company = (n: number) =>
    createCustomerInput.parse({ company: `Company ${n}`, contacts: [{ email: `ann${n}@x.example` }] });

  test('statements with names and transactions of both clients work side by side', async () => {
    const made = await Promise.all(many.map((n) => createCustomer(identity.actor, company(n))));
    const read = await Promise.all(made.map(({ id }) => getCustomer(identity.actor, id)));
    expect(read.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    const lists = await Promise.all(
      many.map((n) => listCustomers(identity.actor, listCustomersInput.parse({ limit: 5, query: `Company ${n}` }))),
    );
    expect(lists.every(({ customers }) => customers.length > 0)).toBe(true);
    expect(await prisma().customer.count({ where: { identityId: identity.identityId } })).toBe(many.length);
  });

  test('no setting of a transaction is left for the next client', async () => {
    const ofAll = 'SELECT DISTINCT identity_id FROM agents';
    const results = await Promise.all(
      many.map((n) => (n % 2 ? pool().query(ofAll) : onBehalfOf(identity.actor, () => pool().query(ofAll)))),
    );
    expect(results.map(({ rows }) => rows.length)).toEqual(many.map((n) => (n % 2 ? 2 : 1)));
    expect(other.identityId).not.toBe(identity.identityId);
  });

  test('the limits of requests hold', async () => {
    const { rows } = await pool().query<{ limits: string }>(
      `SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') AS limits`,
    );
    expect(rows[0]?.limits).toBe('15s 1500ms');
  });

  test('jobs and leases use connections of their own', async () => {
    const done: unknown[] = [];
    const note = new JobKind('note');
    const stop = await startJobs([note.handledBy(async ({ payload }) => void done.push(payload))]);
    await note.schedule(pool(), { key: 'one', payload: { n: 1 } });
    await expect.poll(() => done).toEqual([{ n: 1 }]);
    await stop();
    const held = await withLease('one', async () => {
      const [lock] = await queryAsOwner<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return lock?.count;
    });
    expect(held).toBe(1);
  });
});
