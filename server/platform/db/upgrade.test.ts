import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { copyOut } from '@/server/features/backup/copy-stream';
import { copyOutStatement } from '@/server/features/backup/tables';
import { readTables, type Table } from '@/server/platform/db/tables';
import { makeEarlierDatabase } from '@/server/testing/earlier-version';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

const auditMigration = '20261121500000_audit';

let url = '';
let client: pg.Client;
/** The tables of the earlier version. */
let tables: Table[];

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  tables = await readKept();
});

afterEach(async () => {
  await client.end();
  await dropDatabase(inject('postgresUrl'), url);
});

/** The tables, without columns that have gone. */
async function readKept(): Promise<Table[]> {
  // It is the time of the event's job: see jobs-upgrade.test.ts.
  const isKept = (column: string) => column !== 'reminder_due_at';
  return (await readTables(client)).map((table) => ({ ...table, columns: table.columns.filter(isKept) }));
}

/** Migrates the database up to the audit log, and no further. */
const upgrade = () => migrate(url, { isWanted: (name) => name <= auditMigration });

/** How many conversations there are of each kind, in however many rows they are counted. */
async function conversationCounts(): Promise<object[]> {
  const kind = 'identity_id, status, is_read, is_archived, is_spam';
  const { rows } = await client.query(
    `SELECT ${kind}, sum(conversations) FROM conversation_counts GROUP BY ${kind} HAVING sum(conversations) <> 0 ORDER BY ${kind}`,
  );
  return rows;
}

/** A hash of each table's rows. */
async function contents(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    if (table.name === 'conversation_counts') {
      found[table.name] = await conversationCounts();
      continue;
    }
    const hash = createHash('sha256');
    for await (const piece of copyOut(client, copyOutStatement(table)) as AsyncIterable<Buffer>) hash.update(piece);
    found[table.name] = hash.digest('hex');
  }
  return found;
}

async function count(from: string): Promise<number> {
  return (await client.query(`SELECT count(*)::int AS count FROM ${from}`)).rows[0].count;
}

/** Audited tables, those that refer to others first. */
async function auditedTables(): Promise<Table[]> {
  const { rows } = await client.query<{ names: string[] }>(
    `SELECT array_agg(DISTINCT tgrelid::regclass::text) AS names FROM pg_trigger WHERE tgname LIKE '%\\_audited%'`,
  );
  return tables.filter(({ name }) => rows[0]?.names.includes(name)).reverse();
}

describe('upgrading a database of the version before the audit log', () => {
  test('leaves every row as it was, and has nothing in the log', async () => {
    for (const { name } of tables) expect(await count(`"${name}"`), name).toBeGreaterThan(0);
    const before = await contents();
    expect(await upgrade()).toEqual([auditMigration]);
    expect(await contents()).toEqual(before);
    for (const name of ['audit_entries', 'sessions', 'idempotent_requests']) expect(await count(name)).toBe(0);
    expect(await upgrade()).toEqual([]);
  });

  test('makes the log note what becomes of rows that were there before', async () => {
    await upgrade();
    const audited = await auditedTables();
    expect(audited.map(({ name }) => name)).toEqual(expect.arrayContaining(['users', 'messages', 'calendar_invitees']));
    await client.query('BEGIN');
    await client.query(`SELECT set_config('frontdesk.author', '{"kind": "system", "cause": "test"}', true)`);
    for (const { name, columns } of audited) {
      await client.query(`UPDATE "${name}" SET "${columns[0]}" = "${columns[0]}"`);
      expect(await count('audit_entries'), `${name}, which did not change`).toBe(0);
    }
    // Deleting an identity deletes its log, so identities come last; a message's mail is recorded as the message.
    for (const { name } of audited.filter((table) => !['identities', 'users'].includes(table.name))) {
      const rows = await count(name === 'outbox_mails' ? 'outbox_mails WHERE message_id IS NULL' : `"${name}"`);
      const before = await count(deletions);
      await deleteAll(name);
      expect((await count(deletions)) - before, name).toBe(rows);
    }
    await client.query('ROLLBACK');
  });
});

describe('upgrading a database of 0.2.0', () => {
  /** The earlier version in use: with a log, signed-in browsers and stored responses. */
  beforeEach(async () => {
    await upgrade();
    await client.query(
      `INSERT INTO sessions (id, user_id, user_agent, address) SELECT gen_random_uuid(), id, 'Firefox', '192.0.2.7' FROM users`,
    );
    await client.query('BEGIN');
    await client.query(`SELECT set_config('frontdesk.author', '{"kind": "system", "cause": "operator"}', true)`);
    await client.query(`UPDATE customers SET notes = notes || ' (changed)'`);
    await client.query('COMMIT');
    // The log becomes two: see online-migrations.test.ts.
    tables = (await readKept()).filter(({ name }) => name !== 'audit_entries');
  });

  test('leaves every row as it was in every column there was, and takes no second step', async () => {
    expect(await count('audit_entries')).toBeGreaterThan(0);
    const before = await contents();
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect(await contents()).toEqual(before);
    expect(await migrate(url)).toEqual([]);
    // Keys may do what they could before there were scopes.
    const keys = await client.query('SELECT DISTINCT scopes, agent_id FROM api_keys');
    expect(keys.rows).toEqual([{ scopes: ['*'], agent_id: null }]);
  });
});

test('upgrading a database of 0.4.0 gives keys full access, and begins an empty log of events', async () => {
  await migrate(url, { isWanted: (name) => name <= '20261124240000_roles' });
  tables = (await readKept()).filter(({ name }) => name !== 'api_keys');
  const before = await contents();
  const keys = await count('api_keys');
  expect(keys).toBeGreaterThan(0);
  expect(await migrate(url, { isWanted: (name) => name <= '20261125200000_event_log' })).toHaveLength(2);
  expect(await contents()).toEqual(before);
  expect(await count(`api_keys WHERE scopes = '{*}' AND agent_id IS NULL`)).toBe(keys);
  for (const name of ['event_log', 'object_versions', 'webhooks', 'webhook_deliveries']) expect(await count(name)).toBe(0);
});

test('upgrading a database of 0.5.0 makes owners members, and keeps the addresses of calendars', async () => {
  await migrate(url, { isWanted: (name) => name <= '20261125200000_event_log' });
  const identities = await count('identities');
  expect(identities).toBeGreaterThan(0);
  await client.query(
    'INSERT INTO calendar_feeds (identity_id, key_id) SELECT id, gen_random_uuid() FROM identities ON CONFLICT DO NOTHING',
  );
  tables = await readKept();
  const before = await contents();
  expect((await migrate(url)).length).toBeGreaterThan(0);
  expect(await contents()).toEqual(before);
  const owners = `memberships m JOIN identities i ON i.id = m.identity_id AND i.owner_user_id = m.user_id AND i.created_at = m.created_at
    WHERE m.role = 'owner'`;
  expect([await count('memberships'), await count(owners)]).toEqual([identities, identities]);
  expect(await count('calendar_feeds JOIN memberships USING (identity_id, user_id)')).toBe(identities);
  // A server of that version still creates businesses while it is upgraded.
  await client.query(
    `INSERT INTO identities (id, handle, owner_user_id) SELECT gen_random_uuid(), 'made-by-0-5', id FROM users LIMIT 1`,
  );
  expect(await count('memberships')).toBe(identities + 1);
});

test('upgrading a database of 0.8.6 gives records a revision, which servers of that version raise too', async () => {
  const revisions = '20261202100000_revisions';
  await migrate(url, { isWanted: (name) => name < revisions });
  tables = await readKept();
  const before = await contents();
  expect(await migrate(url, { isWanted: (name) => name <= revisions })).toEqual([revisions]);
  expect(await contents()).toEqual(before);
  const changes = {
    identities: 'display_name = display_name',
    customers: 'company = company',
    agents: 'name = name, routes_updated_at = now()',
    conversations: 'is_read = is_read',
  };
  await client.query('BEGIN');
  await client.query(`SELECT set_config('frontdesk.author', '{"kind": "system", "cause": "operator"}', true)`);
  const entries = await count('audit_entries');
  for (const [name, change] of Object.entries(changes)) {
    expect(await count(`"${name}"`), name).toBeGreaterThan(0);
    expect(await count(`"${name}" WHERE revision <> 1`), name).toBe(0);
    await client.query(`UPDATE "${name}" SET ${change}`);
    expect(await count(`"${name}" WHERE revision <> 2`), name).toBe(0);
  }
  expect(await count('agents WHERE routes_revision <> 2')).toBe(0);
  // A revision alone is nothing that happened.
  expect(await count('audit_entries')).toBe(entries);
  await client.query('ROLLBACK');
});

const deletions = `audit_entries WHERE action = 'deleted' AND author_kind = 'system'`;

/** Deletes the rows of a table, after those that refer to them. */
async function deleteAll(name: string): Promise<void> {
  const referring = tables.filter(({ parents }) => parents.includes(name)).reverse();
  for (const other of referring) await client.query(`DELETE FROM "${other.name}"`);
  await client.query(`DELETE FROM "${name}"`);
}
