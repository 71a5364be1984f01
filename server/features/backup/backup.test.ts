import { mkdir, mkdtemp, readdir, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { sweepFiles } from '@/server/features/mail/file-sweep.service';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { env } from '@/server/platform/env';
import { openStored } from '@/server/platform/files/content-store';
import { JobKind } from '@/server/platform/jobs/job';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { connect, withEmptyInstallation } from '@/server/testing/empty-installation';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { createRecords } from '@/server/testing/operations';
import { readArchive } from './archive';
import { openBackup, restoreBackup } from './restore-backup';
import { takeBackup } from './take-backup';

withFreshDatabase();

let directory = '';
let identity: TestIdentity;

async function backUp(name = 'backup.tar.gz') {
  const client = await connect(env().DATABASE_URL ?? '');
  try {
    return await takeBackup(client, { file: path.join(directory, name), version: '1.2.3' });
  } finally {
    await client.end();
  }
}

async function restored(there: { url: string; client: pg.Client }, file: string) {
  const backup = await openBackup(file);
  return { ...(await restoreBackup(there, backup)), manifest: backup.manifest };
}

async function refusal(file: string): Promise<string> {
  return withEmptyInstallation(async (there) => {
    const error = await restored(there, file).then(
      () => new Error('It was restored.'),
      (reason: Error) => reason,
    );
    const { rows } = await there.client.query(`SELECT to_regclass('users') AS users`);
    if (rows[0].users) expect((await there.client.query('SELECT FROM users')).rowCount).toBe(0);
    return error.message;
  });
}

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = [];
  const bytes = gunzipSync(await readFile(file));
  for await (const { name } of readArchive(piecesOf(bytes))) names.push(name);
  return names;
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

beforeAll(async () => {
  identity = await createTestIdentity();
  await createRecords(identity);
  const job = { key: 'waiting', payload: { id: 'x' }, destination: 'one', at: new Date('2030-01-01T00:00:00Z') };
  await new JobKind('send-mail').schedule(pool(), job);
});

beforeEach(async () => {
  directory = await mkdtemp(path.join(inject('testDirectory'), 'backup-'));
});

describe('a backup', () => {
  test('is one file, for its owner only, with nothing beside it', async () => {
    const summary = await backUp();
    expect(await readdir(directory)).toEqual(['backup.tar.gz']);
    const { mode, size } = await stat(summary.file);
    expect(mode & 0o777).toBe(0o600);
    expect(summary).toMatchObject({ bytes: size, files: 1, migration: expect.stringMatching(/^2026/) });
    const names = await namesIn(summary.file);
    expect(names.at(-1)).toBe('manifest.json');
    expect(names).toEqual(expect.arrayContaining(['tables/customers.copy', 'tables/jobs.copy', 'auth-secret']));
  });

  test('comes back as it was: rows, files, sequences, jobs and the secret', async () => {
    const { file } = await backUp('plain.tar');
    const { rows: attachments } = await pool().query('SELECT sha256 FROM attachments');
    const original = await buffer((await openStored(attachments[0].sha256))?.stream ?? Readable.from([]));
    await withEmptyInstallation(async (there) => {
      const { manifest, migrated } = await restored(there, file);
      expect(migrated).toEqual([]);
      for (const { name } of manifest.tables) {
        const query = `SELECT t::text AS row FROM "${name}" t ORDER BY t::text COLLATE "C"`;
        expect((await there.client.query(query)).rows, name).toEqual((await pool().query(query)).rows);
      }
      expect(await buffer((await openStored(attachments[0].sha256))?.stream ?? Readable.from([]))).toEqual(original);
      expect(await readFile(path.join(there.dataDir, 'auth-secret'), 'utf8')).toBe(`${'x'.repeat(32)}\n`);
      const jobs = await there.client.query(`SELECT kind, destination, due_at FROM jobs WHERE key = 'waiting'`);
      expect(jobs.rows).toEqual([{ kind: 'send-mail', destination: 'one', due_at: new Date('2030-01-01T00:00:00Z') }]);
      // Triggers are enabled again, and sequences continue.
      await there.client.query(
        `INSERT INTO users (id, email, password_hash, updated_at) SELECT gen_random_uuid(), 'new@x.io', '', now()`,
      );
      const { rows } = await there.client.query(
        'SELECT (SELECT max(id) FROM account_audit_entries) > max(id) AS further FROM audit_entries',
      );
      expect(rows[0].further).toBe(true);
      await expect(restored(there, file)).rejects.toThrow(/^This installation is not empty \(\w+ has rows\)/);
    });
  });

  test('with a table that no migration makes is not restored, and that is said', async () => {
    await queryAsOwner('CREATE TABLE odd (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)');
    try {
      expect(await refusal((await backUp()).file)).toBe('The tables of the database are not those of the backup: odd(id).');
    } finally {
      await queryAsOwner('DROP TABLE odd');
    }
  });

  test('keeps files from being removed until it is done', async () => {
    const client = await connect(env().DATABASE_URL ?? '');
    const folder = path.join(env().DATA_DIR, 'files', 'incoming');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'left'), '');
    await utimes(path.join(folder, 'left'), 0, 0);
    await takeBackup(client, { file: path.join(directory, 'a.tar'), version: '1' });
    await sweepFiles();
    expect(await readdir(folder)).toContain('left');
    await client.end();
    const swept = async () => {
      await sweepFiles();
      return readdir(folder);
    };
    await expect.poll(swept).not.toContain('left');
    await closeLeases();
  });

  test('is not made where a file is missing, and leaves nothing', async () => {
    const { rows } = await pool().query('SELECT sha256 FROM attachments');
    const stored = path.join(env().DATA_DIR, 'files', rows[0].sha256.slice(0, 2), rows[0].sha256);
    await rename(stored, `${stored}.away`);
    try {
      await expect(backUp()).rejects.toThrow(`The file ${rows[0].sha256} is missing`);
      await writeFile(stored, 'something else');
      await expect(backUp()).rejects.toThrow(`The stored file ${rows[0].sha256} is damaged`);
    } finally {
      await rename(`${stored}.away`, stored);
    }
    expect(await readdir(directory)).toEqual([]);
  });

  test('that fails leaves the one before it as it was', async () => {
    await writeFile(path.join(directory, 'backup.tar'), 'yesterday');
    const client = await connect(env().DATABASE_URL ?? '');
    const stop = new AbortController();
    const progress = { signal: stop.signal, moved: () => undefined };
    const making = takeBackup(client, { file: path.join(directory, 'backup.tar'), version: '1', progress });
    stop.abort();
    await expect(making).rejects.toThrow();
    await client.end().catch(() => undefined);
    expect(await readdir(directory)).toEqual(['backup.tar']);
    expect(await readFile(path.join(directory, 'backup.tar'), 'utf8')).toBe('yesterday');
  });

  test('can’t be written where there is no folder', async () => {
    await expect(backUp('nowhere/backup.tar')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('what is refused, and changes nothing', () => {
  test('a backup that ends too early', async () => {
    const { file, bytes } = await backUp();
    await truncate(file, bytes - 100);
    expect(await refusal(file)).toBe('The backup is damaged: it can’t be decompressed to its end.');
    const plain = await backUp('plain.tar');
    await truncate(plain.file, plain.bytes - 1_024);
    expect(await refusal(plain.file)).toBe('The backup is damaged: it ends too early.');
  });

  test('a file that is none', async () => {
    const file = path.join(directory, 'notes.tar');
    await writeFile(file, 'Dear diary. '.repeat(100));
    expect(await refusal(file)).toMatch(/^The backup is damaged: /);
    await writeFile(file, '');
    expect(await refusal(file)).toBe('The backup is damaged: it ends too early.');
  });

  /** A backup in which one text is replaced by another of the same length. */
  async function changed(from: RegExp, to: (found: string) => string): Promise<string> {
    const { file } = await backUp();
    const text = gunzipSync(await readFile(file)).toString('latin1');
    await writeFile(file, gzipSync(Buffer.from(text.replace(from, to), 'latin1')));
    return file;
  }

  test('rows and files that are not as they were', async () => {
    const handle = (found: string) => found.replace('Theirs', 'Others');
    expect(await refusal(await changed(/\tTheirs\t/, handle))).toMatch(/tables\/\w+\.copy is not what its manifest says\.$/);
    expect(await refusal(await changed(/"format": "frontdesk/, () => '"format": "somethins'))).toContain(
      'its manifest is not one',
    );
  });

  test('a backup of a newer version', async () => {
    const file = await changed(/"name": "(\d{14})_audit"/, (found) => found.replace('_audit', '_tidua'));
    expect(await refusal(file)).toMatch(
      /^The backup was made by another version of Frontdesk \(1\.2\.3\): it has the migration \d+_tidua/,
    );
    expect(await refusal(await changed(/"formatVersion": 2/, () => '"formatVersion": 9'))).toContain('by a newer version');
  });

  /** An uncompressed backup of which the header of one file is changed, with a checksum that fits. */
  async function withHeader(isMeant: (name: string) => boolean, change: (header: Buffer) => void): Promise<string> {
    const { file } = await backUp('hostile.tar');
    const bytes = await readFile(file);
    const nameAt = (at: number) => bytes.toString('latin1', at, bytes.indexOf(0, at));
    let at = 0;
    while (!isMeant(nameAt(at))) at += 512 + Math.ceil(Number.parseInt(nameAt(at + 124), 8) / 512) * 512;
    const header = bytes.subarray(at, at + 512);
    change(header);
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    await writeFile(file, bytes);
    return file;
  }

  const isTable = (name: string) => name === 'tables/users.copy';
  const named = (name: string) => (header: Buffer) => void header.fill(0, 0, 100).write(name, 0, 'latin1');
  const ofType = (type: string) => (header: Buffer) => void header.write(type, 156);
  const sized = (size: string) => (header: Buffer) => void header.write(size, 124, 'latin1');

  test.each<[string, (header: Buffer) => void]>([
    ['a hard link', ofType('1')],
    ['a symbolic link', ofType('2')],
    ['a device', ofType('3')],
    ['a folder', ofType('5')],
    ['a pipe', ofType('6')],
    ['extended headers', ofType('x')],
    ['a long name', ofType('L')],
    ['a path that leads up', named('../../../escaped')],
    ['an absolute path', named('/tmp/escaped')],
    ['a path that leads up from where files are', named('files/../../escaped')],
    ['no name', named('')],
    ['more bytes than it has', sized('77777777777\0')],
    ['a negative size', sized('\xff'.repeat(12))],
    ['a size beyond all numbers', sized(`\x80\0\0\0${'\xff'.repeat(8)}`)],
    ['a size that is none', sized('-0000000010\0')],
  ])('an archive with %s', async (_, change) => {
    expect(await refusal(await withHeader(isTable, change))).toMatch(/^The backup is damaged: /);
    expect(await readdir(directory)).toEqual(['hostile.tar']);
  });

  test('an archive that grows when it is read', async () => {
    const secret = await withHeader((name) => name === 'auth-secret', sized((64 * 1024 ** 2).toString(8).padStart(11, '0')));
    const bytes = await readFile(secret);
    await writeFile(secret, gzipSync(Buffer.concat([bytes, Buffer.alloc(64 * 1024 ** 2)])));
    expect(await refusal(secret)).toBe('The backup is damaged: auth-secret is too large.');
  });
});
