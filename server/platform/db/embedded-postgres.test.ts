import { execFile } from 'node:child_process';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { kill } from '@/server/testing/child-process';
import { EmbeddedPostgresFixture, isAlive, patience, query, refusal } from '@/server/testing/embedded-postgres';
import { within } from '@/server/testing/patience';
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';

const run = promisify(execFile);
const fixture = new EmbeddedPostgresFixture();

describe('starting', () => {
  test('makes a database on the first start and keeps it', async () => {
    const database = await fixture.start();
    expect(new URL(database.url).hostname).toBe('127.0.0.1');
    expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    expect(await findEmbeddedPostgres(fixture.dataDir)).toBe(database.url);
    const pid = await fixture.postmasterPid();
    await fixture.stop(database);
    // It has ended, but keeps its process id until Node.js has waited for it.
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    expect(await findEmbeddedPostgres(fixture.dataDir)).toBeNull();
    const files = (await readdir(fixture.dataDir)).filter((name) => !/^postgres\.log\.\d$/.test(name));
    expect(files.sort()).toEqual(['postgres', 'postgres.log']);
  });

  test('needs the password, from this machine too', async () => {
    const { url } = await fixture.start();
    const other = Object.assign(new URL(url), { password: 'wrong' });
    await expect(query(other.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  test('a second time on the same directory is refused in one line, and the first one goes on', async () => {
    const { url } = await fixture.start();
    expect(await refusal(startEmbeddedPostgres({ dataDir: fixture.dataDir, holder: 'frontdesk' }))).toBe(
      `Another Frontdesk server is using the data directory ${fixture.dataDir}. Stop it, or set another DATA_DIR.`,
    );
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('waits for a command that holds the directory for a moment', async () => {
    const command = await fixture.start('frontdesk-admin');
    const server = fixture.start();
    expect(await query(command.url, 'SELECT id FROM kept')).toHaveLength(1);
    await fixture.stop(command);
    expect(await query((await server).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });
});

describe('a start that is given up', () => {
  /** Fails if `work` waits for PostgreSQL to get ready. */
  async function expectPrompt(work: Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    await work;
    expect(performance.now() - startedAt).toBeLessThan(within(3));
  }

  /** Delays each PostgreSQL connection by a minute, the most it can. */
  const slow = () => appendFile(fixture.file('postgresql.conf'), 'pre_auth_delay = 60\n');
  async function quickAgain(): Promise<void> {
    const file = fixture.file('postgresql.conf');
    await writeFile(file, (await readFile(file, 'utf8')).replace('pre_auth_delay = 60\n', ''));
  }

  test('while the database is being made leaves nothing of it', async () => {
    await rm(path.join(fixture.dataDir, 'postgres'), { recursive: true });
    const stopping = new AbortController();
    const onProgress = () => void setImmediate(() => stopping.abort());
    const starting = startEmbeddedPostgres({
      dataDir: fixture.dataDir,
      holder: 'frontdesk',
      onProgress,
      signal: stopping.signal,
    });
    await expectPrompt(expect(starting).rejects.toThrow());
    expect((await readdir(fixture.dataDir)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres.log']);
    expect(await query((await fixture.start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('while PostgreSQL does not get ready stops it', async () => {
    await slow();
    const stopping = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir: fixture.dataDir, holder: 'frontdesk', signal: stopping.signal });
    starting.catch(() => undefined);
    await expect.poll(() => fixture.postmasterPid().catch(() => 0), patience).toBeGreaterThan(0);
    const pid = await fixture.postmasterPid();
    stopping.abort();
    await expectPrompt(expect(starting).rejects.toThrow());
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    await quickAgain();
    expect(await query((await fixture.start()).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('while it is started again does not keep the server from stopping', async () => {
    const database = await fixture.start();
    const before = await fixture.postmasterPid();
    await slow();
    process.kill(before, 'SIGKILL');
    await expect.poll(() => fixture.postmasterPid().catch(() => before), patience).not.toBe(before);
    const pid = await fixture.postmasterPid();
    await expectPrompt(fixture.stop(database));
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    await quickAgain();
  });
});

describe('a start that takes long', () => {
  /** The processes of PostgreSQL that work on the data directory, by their command lines. */
  async function serversOf(directory: string): Promise<string[]> {
    const { stdout } = await run('ps', ['-e', '-o', 'args=']);
    return stdout.split('\n').filter((line) => line.includes(`-D ${directory}`));
  }

  test('is waited for, and no second server is launched beside it', async () => {
    const gate = fixture.file('gate.conf');
    await run('mkfifo', ['-m', '666', gate]);
    // PostgreSQL reads its settings before it writes postmaster.pid, and waits here for a writer.
    await appendFile(fixture.file('postgresql.conf'), "include 'gate.conf'\n");
    let waited = 0;
    const starting = startEmbeddedPostgres({
      dataDir: fixture.dataDir,
      holder: 'frontdesk',
      onWaiting: () => void waited++,
    });
    // Each turn takes at least 20 ms, so over four seconds pass; a server is launched again after three.
    await expect.poll(() => waited, patience).toBeGreaterThan(200);
    expect(await serversOf(path.join(fixture.dataDir, 'postgres'))).toHaveLength(1);
    const settings = await readFile(fixture.file('postgresql.conf'), 'utf8');
    await writeFile(fixture.file('postgresql.conf'), settings.replace("include 'gate.conf'\n", ''));
    await writeFile(gate, '');
    const database = await starting;
    await rm(gate);
    await database.stop();
    expect(await serversOf(path.join(fixture.dataDir, 'postgres'))).toEqual([]);
  });
});

describe('after a server was killed', () => {
  test('the next one goes on with the database it left running', async () => {
    const child = await fixture.startElsewhere();
    const before = await fixture.postmasterPid();
    expect(await refusal(startEmbeddedPostgres({ dataDir: fixture.dataDir, holder: 'frontdesk' }))).toMatch(
      /^Another Frontdesk server/,
    );
    await kill(child);
    const database = await fixture.start();
    expect(await fixture.postmasterPid()).toBe(before);
    expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    await fixture.stop(database);
    // Its parent was killed, so another process must reap it.
    await expect.poll(() => isAlive(before)).toBe(false);
  });

  test('together with its database, the next one recovers what was committed', async () => {
    const child = await fixture.startElsewhere();
    const url = (await findEmbeddedPostgres(fixture.dataDir)) ?? '';
    await query(url, 'INSERT INTO kept VALUES (2)');
    const before = await fixture.postmasterPid();
    await kill(child);
    process.kill(before, 'SIGKILL');
    const database = await fixture.start();
    expect(await fixture.postmasterPid()).not.toBe(before);
    expect(await query(database.url, 'SELECT id FROM kept ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('after the database itself was killed', () => {
  test('the server starts it again where it was', async () => {
    const database = await fixture.start();
    await query(database.url, 'INSERT INTO kept VALUES (2)');
    const before = await fixture.postmasterPid();
    process.kill(before, 'SIGKILL');
    await expect
      .poll(() => query(database.url, 'SELECT count(*)::int AS count FROM kept').catch(() => null), patience)
      .toEqual([{ count: 2 }]);
    expect(await fixture.postmasterPid()).not.toBe(before);
    // The server gets the directory back slightly after its database answers.
    const leases = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND granted`;
    await expect.poll(() => query(database.url, leases), patience).toEqual([{ count: 1 }]);
    expect(await refusal(startEmbeddedPostgres({ dataDir: fixture.dataDir, holder: 'frontdesk' }))).toMatch(
      /^Another Frontdesk server/,
    );
  });

  test('a new one waits for a process of the old one that still works on its files', async () => {
    const child = await fixture.startElsewhere();
    const url = (await findEmbeddedPostgres(fixture.dataDir)) ?? '';
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const orphan = rows[0]?.pid ?? 0;
    client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch(() => undefined);
    const busy = `SELECT state FROM pg_stat_activity WHERE pid = ${orphan} AND query LIKE 'DO%'`;
    await expect.poll(() => query(url, busy), patience).toEqual([{ state: 'active' }]);
    await kill(child);
    process.kill(await fixture.postmasterPid(), 'SIGKILL');
    const database = fixture.start();
    try {
      const log = () => readFile(path.join(fixture.dataDir, 'postgres.log'), 'utf8').catch(() => '');
      await expect.poll(log, patience).toContain('pre-existing shared memory block');
      expect(isAlive(orphan)).toBe(true);
    } finally {
      process.kill(orphan, 'SIGKILL');
    }
    expect(await query((await database).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });
});
