import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { onBehalfOf } from '../on-behalf-of';
import { migrate } from './migrate';
import { pool } from './pool';
import { prisma } from './prisma';
import { prepareRoles } from './roles';
import { prismaTransaction, transaction } from './transaction';

withFreshDatabase();

let one: TestIdentity;
let other: TestIdentity;

beforeAll(async () => {
  [one, other] = [await createTestIdentity(), await createTestIdentity()];
  for (const { actor } of [one, other])
    await createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: 'ann@quark.example' }] }));
});

const denied = { code: '42501' };

type Query = (text: string, values?: unknown[]) => Promise<unknown[]>;

describe('the server', () => {
  test.each([
    'CREATE TABLE mine (id int)',
    'ALTER TABLE customers ADD COLUMN mine int',
    'DROP TABLE customers',
    'TRUNCATE customers',
    'DROP POLICY tenant ON customers',
    'ALTER TABLE customers DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE customers DISABLE TRIGGER USER',
    'CREATE ROLE mine',
    `SELECT pg_read_file('postgresql.conf')`,
    `COPY customers TO PROGRAM 'cat'`,
    `UPDATE _prisma_migrations SET checksum = ''`,
    `INSERT INTO audit_entries (identity_id, author_kind, resource, resource_id, action) VALUES (gen_random_uuid(), 'key', 'x', 'x', 'created')`,
    `UPDATE audit_entries SET label = ''`,
    'DELETE FROM audit_entries',
    'DELETE FROM account_audit_entries',
    'SELECT 1 FROM partitions.audit_entries_first',
  ])('may not %s', async (text) => {
    await expect(pool().query(text)).rejects.toMatchObject(denied);
  });

  test('is no superuser, and neither is who signs in', async () => {
    const { rows } = await pool().query(
      'SELECT rolname FROM pg_roles WHERE rolname IN (current_user, session_user) AND (rolsuper OR rolbypassrls OR rolcreaterole)',
    );
    expect(rows).toEqual([]);
  });

  test('may remove from the log what is old, or of a deleted identity, and nothing else', async () => {
    const remove = (log: string, days: number) =>
      pool().query('SELECT remove_old_audit_entries($1::regclass, $2, 10)', [log, days]);
    await expect(remove('audit_entries', 0)).rejects.toThrow('too young');
    await expect(remove('customers', 1)).rejects.toThrow('not an audit log');
    const drop = pool().query('SELECT drop_partitions($1::regclass, $2)', ['audit_entries', -100_000]);
    await expect(drop).rejects.toThrow('too young');
    const erase = () => pool().query<{ removed: number }>('SELECT erase_audit_entries($1, 10) AS removed', [one.identityId]);
    expect((await erase()).rows).toEqual([{ removed: 0 }]);
  });
});

describe('work for one identity', () => {
  const work: [string, <T>(run: (query: Query) => Promise<T>) => Promise<T>][] = [
    [
      'a change in SQL',
      (run) => transaction(one.apiKeyActor, (client) => run(async (...statement) => (await client.query(...statement)).rows)),
    ],
    [
      'a change with Prisma',
      (run) => prismaTransaction(one.actor, (tx) => run((text, values = []) => tx.$queryRawUnsafe(text, ...values))),
    ],
  ];

  test.each(work)('%s sees and changes no row of others', async (_what, within) => {
    expect(await within((query) => query('SELECT DISTINCT identity_id FROM customers'))).toEqual([
      { identity_id: one.identityId },
    ]);
    expect(await within((query) => query('UPDATE customers SET notes = notes RETURNING identity_id'))).toEqual([
      { identity_id: one.identityId },
    ]);
    expect(
      await within((query) => query('DELETE FROM agents WHERE identity_id = $1::uuid RETURNING id', [other.identityId])),
    ).toEqual([]);
    const steal = `INSERT INTO customers (id, identity_id) VALUES ($1::uuid, $2::uuid) RETURNING id`;
    await expect(within((query) => query(steal, [randomUUID(), other.identityId]))).rejects.toThrow(/row-level security/);
    await expect(within((query) => query('SELECT drop_partitions($1::regclass, 1)', ['usage_records']))).rejects.toThrow(
      /permission denied/,
    );
    const forge = `SELECT emit_events($1::uuid, '[]', 'system', NULL, NULL, NULL, false, 'deliver-webhook', '{outbound,failing,slow}')::text AS done`;
    await expect(within((query) => query(forge, [other.identityId]))).rejects.toThrow('an event of another identity');
    expect(await within((query) => query(forge, [one.identityId]))).toEqual([{ done: '' }]);
  });

  test('single reads of a dashboard request see no row of others, and leave no trace on the connection', async () => {
    const text = 'SELECT DISTINCT identity_id FROM customers ORDER BY 1';
    const own = [{ identity_id: one.identityId }];
    expect((await onBehalfOf(one.actor, () => pool().query(text))).rows).toEqual(own);
    expect(await onBehalfOf(one.actor, async () => prisma().customer.groupBy({ by: ['identityId'] }))).toEqual([
      { identityId: one.identityId },
    ]);
    await expect(onBehalfOf(one.actor, () => pool().query('SELECT 1 / 0 FROM customers'))).rejects.toThrow('division by zero');
    const counts = await Promise.all(Array.from({ length: 30 }, () => pool().query(text)));
    expect(counts.every(({ rows }) => rows.length === 2)).toBe(true);
    const exempt = { text, values: [], withoutRowSecurity: true };
    expect((await onBehalfOf(one.actor, () => pool().query(exempt))).rows).toHaveLength(2);
  });

  test('every table with rows of an identity is secured', async () => {
    const open = await queryAsOwner<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'identity_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT (
          c.relrowsecurity AND (SELECT array_agg(p.polname::text ORDER BY 1) FROM pg_policy p WHERE p.polrelid = c.oid) = '{server,tenant}')
        ORDER BY 1`,
    );
    expect(open.map(({ name }) => name)).toEqual([
      'address_claims',
      'api_keys',
      'calendar_feeds',
      'memberships',
      'security_events',
    ]);
  });
});

describe('an owner', () => {
  const owner = `owner_${process.pid}`;
  let url = '';

  beforeAll(async () => {
    const postgres = inject('postgresUrl');
    await queryAsOwner(`CREATE ROLE ${owner} LOGIN PASSWORD 'secret'`);
    const database = await createDatabase(postgres, `owned_${process.pid}`);
    await queryAsOwner(`ALTER DATABASE owned_${process.pid} OWNER TO ${owner}`);
    url = Object.assign(new URL(database), { username: owner, password: 'secret' }).href;
    await migrate(url);
  });

  afterAll(async () => {
    await dropDatabase(inject('postgresUrl'), url);
    await queryAsOwner(`DROP ROLE ${owner}`);
  });

  test('that may not create the roles works without them, until they are granted', async () => {
    expect(await prepareRoles(url)).toBe(false);
    // As PostgreSQL does for who creates a role: its owner may grant it, but not take it.
    await queryAsOwner(`GRANT frontdesk_server TO ${owner} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE`);
    expect(await prepareRoles(url)).toBe(true);
    // A second start finds nothing to do.
    expect(await prepareRoles(url)).toBe(true);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('SET ROLE frontdesk_server');
    await expect(client.query('TRUNCATE customers')).rejects.toMatchObject(denied);
    expect((await client.query('SELECT 1 FROM customers')).rows).toEqual([]);
    await client.end();
  });

  test('waits for a table that is locked, and gives back rights that were lost', async () => {
    await queryAsOwner(`GRANT frontdesk_server TO ${owner}`);
    await prepareRoles(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('REVOKE ALL ON customers FROM frontdesk_server');
    await client.query('REVOKE ALL ON SCHEMA public FROM frontdesk_server');
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM customers');
    const prepared = prepareRoles(url);
    // A second try waits for the lock, after the first one has given up.
    const tries = new Set<number>();
    await expect
      .poll(
        async () => {
          const waiting = await queryAsOwner<{ at: number }>(
            `SELECT extract(epoch FROM query_start)::float8 AS at FROM pg_stat_activity
              WHERE application_name = 'frontdesk-migrate' AND usename = $1 AND wait_event_type = 'Lock' AND state = 'active'`,
            [owner],
          );
          for (const { at } of waiting) tries.add(at);
          return tries.size;
        },
        { interval: 20 },
      )
      .toBeGreaterThan(1);
    await client.query('COMMIT');
    expect(await prepared).toBe(true);
    await client.query('SET ROLE frontdesk_server');
    expect((await client.query('SELECT 1 FROM customers')).rows).toEqual([]);
    await client.end();
  });
});
