import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { isMigrated, migrate } from './migrate';

let url = '';
let directory = '';
let db: pg.Pool;

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-migrations-'));
  db = new pg.Pool({ connectionString: url, max: 2 });
  // A pool ends before its connections; dropping the database then ends those, which may be ignored.
  db.on('error', () => undefined);
  db.on('connect', (client) => client.on('error', () => undefined));
  await migration('1_first', 'CREATE TABLE first (id int);');
  await migration('2_second', 'CREATE TABLE second (id int); INSERT INTO first VALUES (1);');
});

afterEach(async () => {
  await db.end();
  await dropDatabase(inject('postgresUrl'), url);
  await rm(directory, { recursive: true, force: true });
});

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(directory, name), { recursive: true });
  await writeFile(path.join(directory, name, 'migration.sql'), sql);
}

async function count(table: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

describe('migrating', () => {
  test('applies all in the order of their names, once', async () => {
    expect(await migrate(url, { directory })).toEqual(['1_first', '2_second']);
    expect(await migrate(url, { directory })).toEqual([]);
    expect(await count('first')).toBe(1);
    await migration('10_later', 'INSERT INTO first VALUES (2);');
    expect(await migrate(url, { directory })).toEqual(['10_later']);
    expect(await count('_prisma_migrations')).toBe(3);
  });

  test('by several at once is done by one', async () => {
    await migration('3_slow', 'SELECT pg_sleep(0.2); CREATE TABLE third (id int);');
    // Waits for every snapshot that others have.
    await migration(
      '4_online',
      '-- online\n-- step\nCREATE INDEX CONCURRENTLY IF NOT EXISTS first_id ON first (id);\n-- step\nSELECT 1;',
    );
    const done = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { directory })));
    expect(done.flat()).toEqual(['1_first', '2_second', '3_slow', '4_online']);
    expect(await count('first')).toBe(1);
  });

  test('online runs each step on its own, and all of them again after an interruption', async () => {
    const index = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_id_key ON first (id);';
    await migration(
      '3_online',
      `-- online\n\n-- step: fill\nINSERT INTO first VALUES (7), (7);\n-- step\n${index}\n-- step\nSELECT 1;`,
    );
    await expect(migrate(url, { directory })).rejects.toThrow(/^The migration 3_online failed: could not create unique index/);
    await db.query('DELETE FROM first WHERE id = 7');
    await migration('3_online', `-- online\n-- step: fill\nINSERT INTO first VALUES (7);\n-- step\n${index}\n-- step\nSELECT 1;`);
    expect(await migrate(url, { directory })).toEqual(['3_online']);
    await expect(db.query('INSERT INTO first VALUES (7)')).rejects.toThrow('first_id_key');
    expect(await migrate(url, { directory })).toEqual([]);
  });

  test('online waits only briefly for a lock at a time, and goes on when it is free', async () => {
    await migrate(url, { directory });
    await migration('3_online', '-- online\n-- step\nALTER TABLE first ADD COLUMN IF NOT EXISTS name text;');
    const holder = await db.connect();
    await holder.query('BEGIN; SELECT * FROM first');
    const done = migrate(url, { directory });
    // Statements behind the waiting migration go on as soon as it has given up.
    await expect
      .poll(async () => (await db.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)).rowCount)
      .toBe(1);
    expect(await count('first')).toBe(1);
    await holder.query('COMMIT');
    holder.release();
    expect(await done).toEqual(['3_online']);
  });

  test('that fails leaves nothing of it, and goes on once it is mended', async () => {
    await migration('3_broken', 'CREATE TABLE half (id int); INSERT INTO first VALUES (2); SELECT nonsense;');
    await expect(migrate(url, { directory })).rejects.toThrow(
      /^The migration 3_broken failed: column "nonsense" does not exist$/,
    );
    expect(await count('first')).toBe(1);
    await expect(db.query('SELECT * FROM half')).rejects.toThrow('does not exist');
    await migration('3_broken', 'CREATE TABLE half (id int);');
    expect(await migrate(url, { directory })).toEqual(['3_broken']);
  });

  test('refuses a migration that was changed after it had been applied', async () => {
    await migrate(url, { directory });
    await migration('1_first', 'CREATE TABLE first (id bigint);');
    await migration('3_third', 'CREATE TABLE third (id int);');
    await expect(migrate(url, { directory })).rejects.toThrow('The migration 1_first was changed after it had been applied.');
    await expect(db.query('SELECT * FROM third')).rejects.toThrow('does not exist');
  });

  test('refuses a database of a newer version', async () => {
    await migrate(url, { directory });
    await rm(path.join(directory, '2_second'), { recursive: true });
    await expect(migrate(url, { directory })).rejects.toMatchObject({
      // A configuration error with one line, not a server error.
      name: 'ConfigurationError',
      message: expect.stringMatching(/has the migration 2_second, which this version does not know/),
    });
  });

  test('refuses a database in which prisma migrate failed half-way', async () => {
    await migrate(url, { directory });
    await db.query(`UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name = '2_second'`);
    await expect(migrate(url, { directory })).rejects.toThrow('The migration 2_second failed half-way earlier.');
    await db.query(`UPDATE "_prisma_migrations" SET rolled_back_at = now() WHERE migration_name = '2_second'`);
    await db.query('DROP TABLE second');
    expect(await migrate(url, { directory })).toEqual(['2_second']);
  });

  test('takes a database elsewhere for what it is', async () => {
    await expect(migrate('postgres://nobody:x@127.0.0.1:1/none', { directory })).rejects.toThrow('ECONNREFUSED');
  });
});

describe('being ready', () => {
  test('is having every migration of this version', async () => {
    await expect(isMigrated(db, directory)).rejects.toThrow();
    await migrate(url, { directory });
    expect(await isMigrated(db, directory)).toBe(true);
    await migration('3_third', 'SELECT 1');
    expect(await isMigrated(db, directory)).toBe(false);
    await migrate(url, { directory });
    await db.query(`UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name = '3_third'`);
    expect(await isMigrated(db, directory)).toBe(false);
  });
});

test('the product’s own migrations apply to an empty database and once more to nothing', async () => {
  await rm(directory, { recursive: true });
  await cp(path.resolve('prisma/migrations'), directory, { recursive: true });
  const names = await migrate(url, { directory });
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual([...names].sort());
  expect(await migrate(url)).toEqual([]);
  expect(await isMigrated(db)).toBe(true);
});

describe('a database that is not fit', () => {
  const make = async (name: string, options: string) => {
    const admin = new pg.Client({ connectionString: inject('postgresUrl') });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name} ${options}`);
    await admin.end();
    return Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  };

  test('for its encoding is refused, and says how to make one', async () => {
    const other = await make(`ascii_${process.pid}`, `ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    await expect(migrate(other, { directory })).rejects.toThrow(
      `The database has the encoding SQL_ASCII. Create one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    );
    await dropDatabase(inject('postgresUrl'), other);
  });
});
