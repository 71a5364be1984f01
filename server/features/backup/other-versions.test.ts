import { cp, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMigrated, knownMigrations, migrate } from '@/server/platform/db/migrate';
import { openStored, storeStream } from '@/server/platform/files/content-store';
import { withFreshDatabase } from '@/server/testing/database';
import { makeEarlierQueue } from '@/server/testing/earlier-queue';
import { earlierFiles, earlierMigration, makeEarlierDatabase } from '@/server/testing/earlier-version';
import { connect, type EmptyInstallation, withEmptyInstallation } from '@/server/testing/empty-installation';
import { createDatabase, dropDatabase, templateName } from '@/server/testing/postgres';
import { openBackup, restoreBackup } from './restore-backup';
import { takeBackup } from './take-backup';

/** Backups of installations of another version. */

withFreshDatabase();

let url = '';
let db: pg.Pool;
let directory = '';

async function backUp(name: string, from = url): Promise<string> {
  const client = await connect(from);
  try {
    return (await takeBackup(client, { file: path.join(directory, name), version: '9.9.9' })).file;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  db = new pg.Pool({ connectionString: url, max: 1 });
  db.on('connect', (client) => client.on('error', () => undefined));
  const old = await connect(url);
  await makeEarlierQueue(old, [
    { task: 'send-mail', key: 'mail:x', payload: { id: 'x' }, runAt: new Date('2030-01-01T00:00:00Z') },
  ]);
  await old.end();
  directory = await mkdtemp(path.join(inject('testDirectory'), 'versions-'));
  for (const content of earlierFiles) await storeStream(Readable.from([Buffer.from(content)]));
});

afterAll(async () => {
  await db.end();
  await dropDatabase(inject('postgresUrl'), url);
});

describe('a backup of an earlier version', () => {
  let file = '';

  beforeAll(async () => {
    file = await backUp('earlier.tar.gz');
  });

  async function restore(there: EmptyInstallation) {
    return restoreBackup(there, await openBackup(file));
  }

  test('is restored with all that was in it, and brought to this version', async () => {
    const { manifest } = await openBackup(file);
    expect(manifest.migrations.at(-1)?.name).toBe(earlierMigration);
    await withEmptyInstallation(async (there) => {
      const later = [...(await knownMigrations()).keys()].filter((name) => name > earlierMigration);
      expect(later).not.toEqual([]);
      expect(await restore(there)).toEqual({ migrated: later });
      const restored = new pg.Pool({ connectionString: there.url, max: 1 });
      expect(await isMigrated(restored)).toBe(true);
      await restored.end();
      for (const { name, rows } of manifest.tables) {
        expect(rows, name).toBeGreaterThan(0);
        // Those that count are as many as there were connections.
        if (name === 'conversation_counts') continue;
        expect((await there.client.query(`SELECT FROM "${name}"`)).rowCount, name).toBe(rows);
      }
      const counted = await there.client.query(
        'SELECT sum(conversations)::int AS counted, (SELECT count(*)::int FROM conversations) AS there FROM conversation_counts',
      );
      expect(counted.rows[0].counted).toBe(counted.rows[0].there);
      const customers = `SELECT company, phone, tags, metadata, created_at FROM customers ORDER BY id`;
      expect((await there.client.query(customers)).rows).toEqual((await db.query(customers)).rows);
      expect(
        (await there.client.query(`SELECT kind, lane, key, payload, due_at, holder_id FROM jobs WHERE key = 'x'`)).rows,
      ).toEqual([
        {
          kind: 'send-mail',
          lane: 'mail',
          key: 'x',
          payload: { id: 'x' },
          due_at: new Date('2030-01-01T00:00:00Z'),
          holder_id: null,
        },
      ]);
      const { rows } = await there.client.query<{ sha256: string }>(
        'SELECT sha256 FROM attachments UNION SELECT sha256 FROM quarantined_mails UNION SELECT sha256 FROM blog_image_files',
      );
      const contents = await Promise.all(
        rows.map(async ({ sha256 }) => text((await openStored(sha256))?.stream ?? Readable.from([]))),
      );
      expect(contents.sort()).toEqual(earlierFiles);
    });
  });

  test('is not restored where this version has started already, although nobody has used it yet', async () => {
    await withEmptyInstallation(async (there) => {
      await migrate(there.url);
      await expect(restore(there)).rejects.toThrow(
        /^This installation is empty, but a newer version than the backup's has started on it already \(\d+_audit\)\./,
      );
      expect((await there.client.query('SELECT FROM users')).rowCount).toBe(0);
      expect(await readdir(there.dataDir)).toEqual([]);
    });
  });

  test('that is restored but can’t be brought to this version is there for a start that can', async () => {
    await withEmptyInstallation(async (there) => {
      await there.client.query('CREATE FUNCTION note_change() RETURNS int LANGUAGE sql AS $$SELECT 1$$');
      await expect(restore(there)).rejects.toThrow(
        /^The backup was restored, but it is not of this version yet: The migration \d+_audit failed: .*note_change/,
      );
      await there.client.query('DROP FUNCTION note_change()');
      expect((await there.client.query('SELECT FROM users')).rowCount).toBe(2);
      expect(await migrate(there.url)).not.toEqual([]);
    });
  });
});

describe('a backup of a newer version', () => {
  test('is refused in one line, and changes nothing', async () => {
    const migrations = path.join(directory, 'migrations');
    await cp(path.resolve('prisma/migrations'), migrations, { recursive: true });
    await mkdir(path.join(migrations, '99990101000000_moods'));
    await writeFile(
      path.join(migrations, '99990101000000_moods', 'migration.sql'),
      'CREATE TABLE moods (id int PRIMARY KEY); ALTER TABLE customers ADD COLUMN mood text',
    );
    const newer = await createDatabase(inject('postgresUrl'), undefined, templateName);
    await migrate(newer, { directory: migrations });
    const file = await backUp('newer.tar.gz', newer);
    await dropDatabase(inject('postgresUrl'), newer);
    await withEmptyInstallation(async ({ client, dataDir }) => {
      await expect(openBackup(file)).rejects.toThrow(
        /^The backup was made by another version of Frontdesk \(9\.9\.9\): it has the migration 99990101000000_moods, which this one does not know as it is\. .*$/,
      );
      expect((await client.query(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).rowCount).toBe(0);
      expect(await readdir(dataDir)).toEqual([]);
    });
  });
});
