import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EmbeddedPostgresFixture, isAlive, patience, query, refusal } from '@/server/testing/embedded-postgres';
import { startEmbeddedPostgres } from './embedded-postgres';
import { findPostmaster } from './embedded-postmaster';

const fixture = new EmbeddedPostgresFixture();

describe('a directory that can not be used is said so in one line', () => {
  const attempt = () => refusal(startEmbeddedPostgres({ dataDir: fixture.dataDir, holder: 'frontdesk' }));

  test('where a file stands in its place', async () => {
    const file = path.join(fixture.dataDir, 'file');
    await writeFile(file, 'x');
    expect(await refusal(startEmbeddedPostgres({ dataDir: file, holder: 'frontdesk' }))).toContain(
      `DATA_DIR ${file} can't be written`,
    );
    expect(await readFile(file, 'utf8')).toBe('x');
  });

  test('where another version wrote it', async () => {
    await writeFile(fixture.file('PG_VERSION'), '15\n');
    expect(await attempt()).toContain('was written by PostgreSQL 15');
  });

  test('where a power loss has emptied its version', async () => {
    await writeFile(fixture.file('PG_VERSION'), '');
    expect(await attempt()).toMatch(/is damaged: PG_VERSION is empty or missing\. Restore a backup/);
  });

  test('where its password is not the database’s', async () => {
    await writeFile(fixture.file('frontdesk-password'), 'wrong');
    expect(await attempt()).toMatch(
      /The password in .*frontdesk-password is not the database's\. Put the file back, or stop the database \(process \d+\) and delete the file/,
    );
    await writeFile(
      fixture.file('frontdesk-password'),
      await readFile(path.join(fixture.pristine, 'postgres', 'frontdesk-password')),
    );
  });

  test('where the database does not start', async () => {
    await writeFile(fixture.file('postgresql.conf'), 'no_such_setting = on\n');
    expect(await attempt()).toMatch(
      /^PostgreSQL does not start: .*no_such_setting|^PostgreSQL does not start: .*contains errors/,
    );
  });
});

describe('what an interrupted start leaves behind', () => {
  test.each([
    ['no password', null],
    ['an empty one', ''],
    ['one of zeros', '\0'.repeat(48)],
  ])('%s, as after a power loss: the database is given a new one', async (_, content) => {
    const file = fixture.file('frontdesk-password');
    if (content === null) await rm(file);
    else await writeFile(file, content);
    const { url } = await fixture.start();
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    const password = await readFile(file, 'utf8');
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(url).toContain(password);
  });

  test('an empty folder, such as a new volume, is filled', async () => {
    await rm(path.join(fixture.dataDir, 'postgres'), { recursive: true });
    await mkdir(path.join(fixture.dataDir, 'postgres'));
    expect(await query((await fixture.start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('an empty postmaster.pid, with and without the password, does not keep it from starting', async () => {
    const past = new Date(Date.now() - 3_600_000);
    for (const lost of [false, true]) {
      const file = fixture.file('postmaster.pid');
      await writeFile(file, '');
      // One that has just been made may be of a server that starts.
      if (!lost) await utimes(file, past, past);
      else await rm(fixture.file('frontdesk-password'));
      const database = await fixture.start();
      expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
      await database.stop();
    }
  });

  test('a process id that now belongs to another program does not keep it from starting', async () => {
    const file = fixture.file('postmaster.pid');
    await writeFile(file, `${process.pid}\n${fixture.dataDir}/postgres\n1\n5432\n\n127.0.0.1\n\nready\n`);
    expect(await query((await fixture.start()).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('the process id of a server in single-user mode, which is negative, is one at work', async () => {
    const database = await fixture.start();
    const file = fixture.file('postmaster.pid');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `-${text}`);
    expect(await findPostmaster(path.dirname(file))).toMatchObject({ pid: Number.parseInt(text, 10) });
    await writeFile(file, text);
    await fixture.stop(database);
  });

  test('a half-made database of a process that is gone is removed, one of a process at work is not', async () => {
    const { pid = 0 } = spawn(process.execPath, ['--eval', '']).once('error', () => undefined);
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    const [gone, working] = [`postgres.new-${pid}-x`, `postgres.new-${process.pid}-x`];
    for (const name of [gone, working]) await mkdir(path.join(fixture.dataDir, name));
    await fixture.start();
    const names = await readdir(fixture.dataDir);
    expect(names).not.toContain(gone);
    expect(names).toContain(working);
  });
});
