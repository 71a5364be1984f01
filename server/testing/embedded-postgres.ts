import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from '../platform/db/embedded-postgres';
import { ConfigurationError } from '../platform/env';
import { tied } from './child-process';
import { within } from './patience';

const run = promisify(execFile);

/** Recovery, waiting for another process and restarting take long on a busy machine. */
export const patience = { timeout: within(8), interval: 50 };

/** With spaces, as in many users' paths. */
async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-test-with some spaces '));
  await chmod(directory, 0o711);
  return directory;
}

/** The rows of a statement, over a connection of its own. */
export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The one line with which a start is refused. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('It was accepted.'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Gives each test of a file a data directory with an embedded database, whose table `kept` has one row. */
export class EmbeddedPostgresFixture {
  pristine = '';
  dataDir = '';
  private running: EmbeddedPostgres[] = [];
  private children: ChildProcess[] = [];

  constructor() {
    beforeAll(async () => {
      this.pristine = await makeDirectory();
      const database = await startEmbeddedPostgres({ dataDir: this.pristine, holder: 'frontdesk' });
      await query(database.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
      await database.stop();
    });
    afterAll(() => rm(this.pristine, { recursive: true, force: true }));
    beforeEach(async () => {
      this.dataDir = await makeDirectory();
      await run('cp', ['-a', `${this.pristine}/.`, this.dataDir]);
      await chmod(this.dataDir, 0o711);
    });
    afterEach(() => this.clean());
  }

  private async clean(): Promise<void> {
    const { dataDir } = this;
    for (const child of this.children) child.kill('SIGKILL');
    for (const database of this.running) await database.stop();
    this.children = [];
    this.running = [];
    if (await findEmbeddedPostgres(dataDir).catch(() => null))
      await (await startEmbeddedPostgres({ dataDir, holder: 'frontdesk' })).stop();
    await rm(dataDir, { recursive: true, force: true });
  }

  /** A path inside the database's own directory. */
  file(name: string): string {
    return path.join(this.dataDir, 'postgres', name);
  }

  async start(holder: 'frontdesk' | 'frontdesk-admin' = 'frontdesk'): Promise<EmbeddedPostgres> {
    const database = await startEmbeddedPostgres({ dataDir: this.dataDir, holder });
    this.running.push(database);
    return database;
  }

  async stop(database: EmbeddedPostgres): Promise<void> {
    this.running = this.running.filter((other) => other !== database);
    await database.stop();
  }

  /** @throws Error while no server is starting or running; also while the file is still empty. */
  async postmasterPid(): Promise<number> {
    const pid = Number((await readFile(this.file('postmaster.pid'), 'utf8')).split('\n')[0]);
    if (!pid) throw new Error('postmaster.pid is still empty.');
    return pid;
  }

  /** Another process that starts the database, reports it and holds it until killed. */
  async startElsewhere(): Promise<ChildProcess> {
    const program = `
      const { startEmbeddedPostgres } = await import('./server/platform/db/embedded-postgres.ts');
      const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(this.dataDir)}, holder: 'frontdesk' });
      console.log(url);
      setInterval(() => {}, 1000);`;
    const child = spawn(...tied(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', () => reject(new Error('The other process ended.')));
    });
    return child;
  }
}
