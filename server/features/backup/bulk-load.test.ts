import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate } from '@/server/platform/db/migrate';
import { env } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { connect, withEmptyInstallation } from '@/server/testing/empty-installation';
import { createTestIdentity } from '@/server/testing/identity';
import { createRecords } from '@/server/testing/operations';
import { deferIndexes } from './bulk-load';
import { openBackup, restoreBackup } from './restore-backup';
import { takeBackup } from './take-backup';

withFreshDatabase();

const ours = `('public'::regnamespace, 'partitions'::regnamespace)`;

/** Everything that the catalogue knows of indexes, constraints and triggers, without the numbers of objects. */
const catalogue = `
  SELECT 'index' AS kind, i.indrelid::regclass || ' ' || i.indexrelid::regclass AS name, jsonb_build_object(
      'definition', pg_get_indexdef(i.indexrelid), 'valid', i.indisvalid, 'ready', i.indisready, 'live', i.indislive, 'clustered', i.indisclustered,
      'replica', i.indisreplident, 'partOf', (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = i.indexrelid),
      'comment', obj_description(i.indexrelid, 'pg_class'), 'tablespace', c.reltablespace, 'owner', c.relowner, 'options', c.reloptions,
      'targets', (SELECT json_agg(attstattarget ORDER BY attnum) FROM pg_attribute WHERE attrelid = i.indexrelid)) AS properties
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace IN ${ours}
  UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, jsonb_build_object(
      'definition', pg_get_constraintdef(oid), 'validated', convalidated, 'index', conindid::regclass, 'local', conislocal, 'inherited', coninhcount,
      'comment', obj_description(oid, 'pg_constraint'))
    FROM pg_constraint WHERE connamespace IN ${ours} AND conrelid <> 0
  UNION ALL SELECT 'trigger', tgrelid::regclass || ' ' || CASE WHEN tgisinternal THEN tgfoid::regproc || ' ' || tgconstrrelid::regclass
      || (SELECT conname FROM pg_constraint k WHERE k.oid = tgconstraint) ELSE tgname END, jsonb_build_object('enabled', tgenabled)
    FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid WHERE c.relnamespace IN ${ours}
  ORDER BY 1, 2`;

const catalogueOf = async (client: pg.ClientBase) => (await client.query(catalogue)).rows;

describe('a restore', () => {
  let directory = '';

  beforeAll(async () => {
    await createRecords(await createTestIdentity());
    directory = await mkdtemp(path.join(inject('testDirectory'), 'bulk-'));
  });

  async function backUp(name: string): Promise<string> {
    const client = await connect(env().DATABASE_URL ?? '');
    try {
      return (await takeBackup(client, { file: path.join(directory, name), version: '1' })).file;
    } finally {
      await client.end();
    }
  }

  test('leaves indexes, constraints and triggers as the migrations made them', async () => {
    const file = await backUp('whole.tar');
    await withEmptyInstallation(async (there) => {
      await migrate(there.url);
      const before = await catalogueOf(there.client);
      expect(before.length).toBeGreaterThan(200);
      await restoreBackup(there, await openBackup(file));
      expect(await catalogueOf(there.client)).toEqual(before);
    });
  });

  test('leaves no row to be frozen later', async () => {
    const file = await backUp('frozen.tar');
    await withEmptyInstallation(async (there) => {
      await restoreBackup(there, await openBackup(file));
      await there.client.query('CREATE EXTENSION pageinspect');
      const { rows } = await there.client.query<{ frozen: boolean }>(
        `SELECT (t_infomask & 768) = 768 AS frozen FROM heap_page_items(get_raw_page('customers', 0))`,
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(({ frozen }) => frozen)).toBe(true);
    });
  });

  test('is refused, and changes nothing, where rows refer to none', async () => {
    const client = await connect(env().DATABASE_URL ?? '');
    await client.query('SET session_replication_role = replica');
    await client.query('UPDATE external_contacts SET customer_id = gen_random_uuid() WHERE customer_id IS NOT NULL');
    await client.end();
    const file = await backUp('orphans.tar');
    await withEmptyInstallation(async (there) => {
      await migrate(there.url);
      const before = await catalogueOf(there.client);
      await expect(openBackup(file).then((backup) => restoreBackup(there, backup))).rejects.toThrow(
        /violates foreign key constraint "external_contacts_identity_id_customer_id_fkey"/,
      );
      expect(await catalogueOf(there.client)).toEqual(before);
      expect((await there.client.query('SELECT FROM users')).rowCount).toBe(0);
    });
  });
});

describe('indexes and foreign keys', () => {
  let client: pg.Client;
  const tables = [{ name: 'shelves' }, { name: 'books' }, { name: 'loans' }];

  beforeAll(async () => {
    client = await connect(env().DATABASE_URL ?? '');
    await client.query(`
      CREATE TABLE shelves (id int PRIMARY KEY, room text NOT NULL, width int NOT NULL DEFAULT 1);
      CREATE UNIQUE INDEX shelves_room_key ON shelves (room) INCLUDE (width) WITH (fillfactor = 70);
      CREATE INDEX "shelves Width" ON shelves ((width * 2) DESC NULLS LAST) WHERE width > 0;
      ALTER INDEX "shelves Width" ALTER COLUMN 1 SET STATISTICS 500;
      CREATE INDEX shelves_noted ON shelves (width);
      COMMENT ON INDEX shelves_noted IS 'of inches';
      CREATE INDEX shelves_order ON shelves (id, room);
      ALTER TABLE shelves CLUSTER ON shelves_order;
      CREATE TABLE books (id int PRIMARY KEY, shelf text REFERENCES shelves (room) DEFERRABLE INITIALLY DEFERRED,
        next int CONSTRAINT "books next" REFERENCES books ON DELETE SET NULL, title text NOT NULL);
      COMMENT ON CONSTRAINT "books next" ON books IS 'of a series';
      ALTER TABLE books ADD CONSTRAINT books_unchecked FOREIGN KEY (next) REFERENCES shelves NOT VALID;
      CREATE UNIQUE INDEX books_replica ON books (title);
      ALTER TABLE books REPLICA IDENTITY USING INDEX books_replica;
      CREATE INDEX books_title_idx ON books USING gin (title gin_trgm_ops);
      CREATE TABLE loans (book int REFERENCES books, day date, UNIQUE (book, day)) PARTITION BY RANGE (day);
      CREATE TABLE loans_old PARTITION OF loans FOR VALUES FROM (MINVALUE) TO ('2026-01-01') PARTITION BY RANGE (day);
      CREATE TABLE loans_old_a PARTITION OF loans_old DEFAULT;
      CREATE TABLE loans_new PARTITION OF loans DEFAULT;
      CREATE INDEX some_name ON loans_new (day);
      CREATE INDEX another_name ON loans_new (day, book);
      CREATE INDEX loans_day_idx ON loans (day);
      CREATE INDEX loans_new_alone ON loans_new (book);`);
  });

  afterAll(async () => {
    await client.end();
  });

  test('come back with all their properties, and partitions with their names', async () => {
    const before = await catalogueOf(client);
    await client.query('BEGIN');
    const recreate = await deferIndexes(client, tables);
    const { rows } = await client.query(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid IN ('shelves'::regclass, 'books'::regclass, 'loans_new'::regclass) ORDER BY 1`,
    );
    // What a constraint needs, and what has more properties than its definition says.
    expect(rows.map(({ name }) => name)).toEqual([
      '"shelves Width"',
      'another_name',
      'books_pkey',
      'books_replica',
      'loans_new_alone',
      'loans_new_book_day_key',
      'shelves_noted',
      'shelves_order',
      'shelves_pkey',
    ]);
    await recreate();
    expect(await catalogueOf(client)).toEqual(before);
    await client.query('ROLLBACK');
  });

  test.each([
    ['a missing row', `INSERT INTO books VALUES (1, 'nowhere', NULL, 'a')`, '23503'],
    ['a row too many', `INSERT INTO shelves VALUES (1, 'here'), (2, 'here')`, '23505'],
  ])('find %s when they come back', async (_, statement, code) => {
    await client.query('BEGIN');
    const recreate = await deferIndexes(client, tables);
    await client.query(statement);
    await expect(recreate()).rejects.toMatchObject({ code });
    await client.query('ROLLBACK');
  });
});
