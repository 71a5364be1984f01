import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { makeEarlierDatabase } from '@/server/testing/earlier-version';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

/** Migrations that run step by step: with data of the version before them, also after an interruption between two steps. */

const [tenantKeys, partitions] = ['20261124210000_tenant_keys', '20261124220000_monthly_partitions'];

let url = '';
let client: pg.Client;

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  await migrate(url, { isWanted: (name) => name < tenantKeys });
  client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await dropDatabase(inject('postgresUrl'), url);
});

/** Runs this share of the steps, as a migration does that is interrupted then. */
async function begin(migration: string, share: number): Promise<void> {
  const sql = await readFile(`prisma/migrations/${migration}/migration.sql`, 'utf8');
  const steps = sql.split(/^-- step\b.*$/m).slice(1);
  expect(steps.length).toBeGreaterThan(10);
  for (const step of steps.slice(0, Math.floor((steps.length - 1) * share))) await client.query(step);
}

async function all<Row extends object>(text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}

/** The rows of several queries. */
async function each(...texts: string[]): Promise<object[][]> {
  const found = [];
  for (const text of texts) found.push(await all(text));
  return found;
}

async function primaryKeys(): Promise<Record<string, string>> {
  const keys = await all<{ table: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype = 'p' AND connamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(keys.map(({ table, definition }) => [table, definition]));
}

test('what takes long can be done ahead, and leaves what the version before needs', async () => {
  const before = ['20261124200000_erasure_and_retention', tenantKeys, partitions, '20261124230000_cheaper_audit'];
  // As in the version before, which knows of no `erased_at`.
  const old = await createDatabase(inject('postgresUrl'));
  try {
    await makeEarlierDatabase(old);
    await migrate(old, { isWanted: (name) => name < (before[0] ?? '') });
    expect(await migrate(old, { prepares: true })).toEqual(before);
    expect(await migrate(old, { prepares: true })).toEqual(before);
    const there = new pg.Client({ connectionString: old });
    await there.connect();
    const conflicts = [
      `INSERT INTO conversation_participants SELECT * FROM conversation_participants LIMIT 1 ON CONFLICT (conversation_id, email) DO NOTHING`,
      `INSERT INTO calendar_invitees SELECT * FROM calendar_invitees LIMIT 1 ON CONFLICT (event_id, email) DO NOTHING`,
      `INSERT INTO usage_records (id, identity_id, type, total_tokens, event_id, created_at)
        SELECT gen_random_uuid(), id, 'token_usage', 1, n::text, now() FROM identities, generate_series(1, 2) n
        ON CONFLICT (identity_id, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
      `INSERT INTO escalation_routes (agent_id, level, timeout_mins, channels, email) SELECT id, 9, 5, '{email}', 'a@x.example' FROM agents`,
      `UPDATE users SET password_hash = 'another'`,
    ];
    for (const text of conflicts) await there.query(text);
    const routes = (await there.query('SELECT 1 FROM escalation_routes')).rowCount;
    expect((await migrate(old)).slice(0, before.length)).toEqual(before);
    expect((await there.query('SELECT 1 FROM escalation_routes WHERE identity_id IS NOT NULL')).rowCount).toBe(routes);
    expect((await there.query(`SELECT 1 FROM usage_events WHERE event_id IN ('1', '2')`)).rowCount).toBeGreaterThan(1);
    await there.end();
  } finally {
    await dropDatabase(inject('postgresUrl'), old);
  }
});

describe.each([0, 0.5, 1])('after %d of the steps before an interruption', (share) => {
  test('keys begin with the identity, and rows are as before', async () => {
    const [agent] = await all<{ id: string; identity_id: string }>('SELECT id, identity_id FROM agents LIMIT 1');
    await client.query(
      `INSERT INTO escalation_routes (agent_id, level, timeout_mins, channels, email) VALUES ($1, 9, 5, '{email}', 'ann@x.example')`,
      [agent?.id],
    );
    const routes = 'SELECT agent_id, level, email FROM escalation_routes ORDER BY agent_id, level';
    const files = 'SELECT image_id, format, width, sha256 FROM blog_image_files ORDER BY image_id, format, width';
    const entries = 'SELECT count(*)::int AS count FROM audit_entries';
    const before = await each(routes, files, entries);
    expect(before.every((rows) => rows.length > 0)).toBe(true);
    await begin(tenantKeys, share);
    expect(await migrate(url, { isWanted: (name) => name <= tenantKeys })).toEqual([tenantKeys]);
    expect(await each(routes, files, entries)).toEqual(before);
    expect(await primaryKeys()).toMatchObject({
      messages: 'PRIMARY KEY (identity_id, id)',
      attachments: 'PRIMARY KEY (identity_id, id)',
      conversation_agents: 'PRIMARY KEY (identity_id, conversation_id, agent_id)',
      escalation_routes: 'PRIMARY KEY (identity_id, agent_id, level)',
    });
    expect(await all(`SELECT 1 FROM escalation_routes WHERE identity_id = '${agent?.identity_id}' AND level = 9`)).toHaveLength(
      1,
    );
    expect(await all('SELECT 1 FROM pg_index WHERE NOT indisvalid')).toEqual([]);
    expect(await all(`SELECT relname FROM pg_class WHERE relname LIKE '%tenant_key%'`)).toEqual([]);
  });

  test('usage and log are partitioned, and no row is lost or counted twice', async () => {
    await migrate(url, { isWanted: (name) => name < partitions });
    const [identity] = await all<{ id: string }>('SELECT id FROM identities LIMIT 1');
    const record = (event: string | null) =>
      client.query(
        `INSERT INTO usage_records (id, identity_id, type, total_tokens, event_id, created_at)
          VALUES (gen_random_uuid(), $1, 'token_usage', 1, $2, now() - interval '40 days')`,
        [identity?.id, event],
      );
    for (const event of ['one', 'two', null, null]) await record(event);
    await client.query(`UPDATE users SET password_hash = 'other'`);
    await client.query('UPDATE customers SET company = company || $1', [' & Sons']);
    const usage = 'SELECT id, event_id, created_at FROM usage_records ORDER BY id';
    const log = 'SELECT id, resource, action, before, after FROM audit_entries WHERE identity_id IS NOT NULL ORDER BY id';
    const accounts =
      'SELECT id, user_id, resource, action, before, after FROM audit_entries WHERE identity_id IS NULL ORDER BY id';
    const before = await each(usage, log, accounts);
    expect(before.every((rows) => rows.length > 0)).toBe(true);
    await begin(partitions, share);
    // Between the steps the old server goes on.
    if (share > 0) await record('meanwhile');
    expect(await migrate(url, { isWanted: (name) => name <= partitions })).toEqual([partitions]);
    await client.query(`DELETE FROM usage_records WHERE event_id = 'meanwhile'`);
    const moved = 'SELECT id, user_id, resource, action, before, after FROM account_audit_entries ORDER BY id';
    expect(await each(usage, log, moved)).toEqual(before);
    const expected = await all<{ event_id: string }>('SELECT event_id FROM usage_records WHERE event_id IS NOT NULL');
    const events = [...expected.map(({ event_id }) => event_id), ...(share > 0 ? ['meanwhile'] : [])];
    const noted = await all<{ event_id: string }>('SELECT event_id FROM usage_events');
    expect(noted.map(({ event_id }) => event_id).sort()).toEqual(events.sort());
    expect(await all('SELECT DISTINCT tableoid::regclass::text AS place FROM usage_records')).toEqual([
      { place: 'partitions.usage_records_first' },
    ]);
    const [last] = await all<{ id: string }>('SELECT max(id) AS id FROM audit_entries');
    await client.query('UPDATE customers SET company = company || $1', ['.']);
    const [next] = await all<{ id: string }>('SELECT max(id) AS id FROM audit_entries');
    expect(Number(next?.id)).toBeGreaterThan(Number(last?.id));
  });
});
