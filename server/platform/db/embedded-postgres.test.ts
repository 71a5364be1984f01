import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../env';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';

const run = promisify(execFile);

/** Recovery, waiting for another process and restarting take long on a busy machine. */
const patience = { timeout: 60_000, interval: 50 };

let pristine = '';
let dataDir = '';
let running: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];

/**
 * Named so that a later run removes what a killed run leaves (server/testing/postgres.ts); with spaces, as in many users'
 * paths.
 */
async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), `frontdesk-test-${process.pid}-with some spaces `));
  await chmod(directory, 0o711);
  return directory;
}

async function start(holder: 'frontdesk' | 'frontdesk-admin' = 'frontdesk'): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, holder });
  running.push(database);
  return database;
}

async function stop(database: EmbeddedPostgres): Promise<void> {
  running = running.filter((other) => other !== database);
  await database.stop();
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('It was accepted.'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Another process that starts the database, reports it and holds it until killed. */
async function startElsewhere(): Promise<ChildProcess> {
  const program = `
    const { startEmbeddedPostgres } = await import('./server/platform/db/embedded-postgres.ts');
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, holder: 'frontdesk' });
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('The other process ended.')));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

beforeAll(async () => {
  pristine = await makeDirectory();
  const database = await startEmbeddedPostgres({ dataDir: pristine, holder: 'frontdesk' });
  await query(database.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  await database.stop();
});

afterAll(() => rm(pristine, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await makeDirectory();
  await run('cp', ['-a', `${pristine}/.`, dataDir]);
  await chmod(dataDir, 0o711);
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const database of running) await database.stop();
  children = [];
  running = [];
  if (await findEmbeddedPostgres(dataDir).catch(() => null))
    await (await startEmbeddedPostgres({ dataDir, holder: 'frontdesk' })).stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('starting', () => {
  test('makes a database on the first start and keeps it', async () => {
    const database = await start();
    expect(new URL(database.url).hostname).toBe('127.0.0.1');
    expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    expect(await findEmbeddedPostgres(dataDir)).toBe(database.url);
    const pid = await postmasterPid();
    await stop(database);
    // It has ended, but keeps its process id until Node.js has waited for it.
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
  });

  test('needs the password, from this machine too', async () => {
    const { url } = await start();
    const other = Object.assign(new URL(url), { password: 'wrong' });
    await expect(query(other.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  test('a second time on the same directory is refused in one line, and the first one goes on', async () => {
    const { url } = await start();
    expect(await refusal(startEmbeddedPostgres({ dataDir, holder: 'frontdesk' }))).toBe(
      `Another Frontdesk server is using the data directory ${dataDir}. Stop it, or set another DATA_DIR.`,
    );
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('waits for a command that holds the directory for a moment', async () => {
    const command = await start('frontdesk-admin');
    const server = start();
    expect(await query(command.url, 'SELECT id FROM kept')).toHaveLength(1);
    await stop(command);
    expect(await query((await server).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });
});

describe('a start that is given up', () => {
  /** Measures the duration of `work`, in milliseconds. */
  async function timed(work: Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    await work;
    return performance.now() - startedAt;
  }

  /** Delays each PostgreSQL connection by half a minute. */
  const slow = () => appendFile(path.join(dataDir, 'postgres', 'postgresql.conf'), 'pre_auth_delay = 30\n');
  async function quickAgain(): Promise<void> {
    const file = path.join(dataDir, 'postgres', 'postgresql.conf');
    await writeFile(file, (await readFile(file, 'utf8')).replace('pre_auth_delay = 30\n', ''));
  }

  test('while the database is being made leaves nothing of it', async () => {
    await rm(path.join(dataDir, 'postgres'), { recursive: true });
    const stopping = new AbortController();
    const onProgress = () => void setImmediate(() => stopping.abort());
    const starting = startEmbeddedPostgres({ dataDir, holder: 'frontdesk', onProgress, signal: stopping.signal });
    expect(await timed(expect(starting).rejects.toThrow())).toBeLessThan(10_000);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres.log']);
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('while PostgreSQL does not get ready stops it', async () => {
    await slow();
    const stopping = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir, holder: 'frontdesk', signal: stopping.signal });
    starting.catch(() => undefined);
    await expect.poll(() => postmasterPid().catch(() => 0), patience).toBeGreaterThan(0);
    const pid = await postmasterPid();
    stopping.abort();
    expect(await timed(expect(starting).rejects.toThrow())).toBeLessThan(10_000);
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    await quickAgain();
    expect(await query((await start()).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('while it is started again does not keep the server from stopping', async () => {
    const database = await start();
    const before = await postmasterPid();
    await slow();
    process.kill(before, 'SIGKILL');
    await expect.poll(() => postmasterPid().catch(() => before), patience).not.toBe(before);
    const pid = await postmasterPid();
    expect(await timed(stop(database))).toBeLessThan(10_000);
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    await quickAgain();
  });
});

describe('after a server was killed', () => {
  test('the next one goes on with the database it left running', async () => {
    const child = await startElsewhere();
    const before = await postmasterPid();
    expect(await refusal(startEmbeddedPostgres({ dataDir, holder: 'frontdesk' }))).toMatch(/^Another Frontdesk server/);
    await kill(child);
    const database = await start();
    expect(await postmasterPid()).toBe(before);
    expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    await stop(database);
    // Its parent was killed, so another process must reap it.
    await expect.poll(() => isAlive(before), { timeout: 10_000 }).toBe(false);
  });

  test('together with its database, the next one recovers what was committed', async () => {
    const child = await startElsewhere();
    const url = (await findEmbeddedPostgres(dataDir)) ?? '';
    await query(url, 'INSERT INTO kept VALUES (2)');
    const before = await postmasterPid();
    await kill(child);
    process.kill(before, 'SIGKILL');
    const database = await start();
    expect(await postmasterPid()).not.toBe(before);
    expect(await query(database.url, 'SELECT id FROM kept ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('after the database itself was killed', () => {
  test('the server starts it again where it was', async () => {
    const database = await start();
    await query(database.url, 'INSERT INTO kept VALUES (2)');
    const before = await postmasterPid();
    process.kill(before, 'SIGKILL');
    await expect
      .poll(() => query(database.url, 'SELECT count(*)::int AS count FROM kept').catch(() => null), patience)
      .toEqual([{ count: 2 }]);
    expect(await postmasterPid()).not.toBe(before);
    // The server gets the directory back slightly after its database answers.
    const leases = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND granted`;
    await expect.poll(() => query(database.url, leases), patience).toEqual([{ count: 1 }]);
    expect(await refusal(startEmbeddedPostgres({ dataDir, holder: 'frontdesk' }))).toMatch(/^Another Frontdesk server/);
  });

  test('a new one waits for a process of the old one that still works on its files', async () => {
    const child = await startElsewhere();
    const url = (await findEmbeddedPostgres(dataDir)) ?? '';
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const orphan = rows[0]?.pid ?? 0;
    client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch(() => undefined);
    const busy = `SELECT state FROM pg_stat_activity WHERE pid = ${orphan} AND query LIKE 'DO%'`;
    await expect.poll(() => query(url, busy), patience).toEqual([{ state: 'active' }]);
    await kill(child);
    process.kill(await postmasterPid(), 'SIGKILL');
    const database = start();
    try {
      const log = () => readFile(path.join(dataDir, 'postgres.log'), 'utf8').catch(() => '');
      await expect.poll(log, { ...patience, timeout: 10_000 }).toContain('pre-existing shared memory block');
      expect(isAlive(orphan)).toBe(true);
    } finally {
      process.kill(orphan, 'SIGKILL');
    }
    expect(await query((await database).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });
});

describe('a directory that can not be used is said so in one line', () => {
  const attempt = () => refusal(startEmbeddedPostgres({ dataDir, holder: 'frontdesk' }));

  test('where a file stands in its place', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, 'x');
    expect(await refusal(startEmbeddedPostgres({ dataDir: file, holder: 'frontdesk' }))).toContain(
      `DATA_DIR ${file} can't be written`,
    );
    expect(await readFile(file, 'utf8')).toBe('x');
  });

  test('where another version wrote it', async () => {
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    expect(await attempt()).toContain('was written by PostgreSQL 15');
  });

  test('where something is missing of it', async () => {
    await rm(path.join(dataDir, 'postgres', 'frontdesk-password'));
    expect(await attempt()).toMatch(/can't be read \(ENOENT\)/);
  });

  test('where a power loss has emptied its version', async () => {
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '');
    expect(await attempt()).toMatch(/is damaged: PG_VERSION is empty or missing\. Restore a backup/);
  });

  test('where its password is not the database’s', async () => {
    await writeFile(path.join(dataDir, 'postgres', 'frontdesk-password'), 'wrong');
    expect(await attempt()).toMatch(/The password in .*frontdesk-password is not the database's/);
    await writeFile(
      path.join(dataDir, 'postgres', 'frontdesk-password'),
      await readFile(path.join(pristine, 'postgres', 'frontdesk-password')),
    );
  });

  test('where the database does not start', async () => {
    await writeFile(path.join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = on\n');
    expect(await attempt()).toMatch(
      /^PostgreSQL does not start: .*no_such_setting|^PostgreSQL does not start: .*contains errors/,
    );
  });
});

describe('what an interrupted start leaves behind', () => {
  test('an empty password, as after a power loss: the database is given a new one', async () => {
    const file = path.join(dataDir, 'postgres', 'frontdesk-password');
    await writeFile(file, '');
    const { url } = await start();
    expect(await query(url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    const password = await readFile(file, 'utf8');
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(url).toContain(password);
  });

  test('an empty folder, such as a new volume, is filled', async () => {
    await rm(path.join(dataDir, 'postgres'), { recursive: true });
    await mkdir(path.join(dataDir, 'postgres'));
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('a process id that now belongs to another program does not keep it from starting', async () => {
    const file = path.join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n\nready\n`);
    expect(await query((await start()).url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  test('a half-made database of a process that is gone is removed, one of a process at work is not', async () => {
    const { pid = 0 } = spawn(process.execPath, ['--eval', '']).once('error', () => undefined);
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    const [gone, working] = [`postgres.new-${pid}-x`, `postgres.new-${process.pid}-x`];
    for (const name of [gone, working]) await mkdir(path.join(dataDir, name));
    await start();
    const names = await readdir(dataDir);
    expect(names).not.toContain(gone);
    expect(names).toContain(working);
  });
});
