import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The migrated template of the test files' databases. */
export const templateName = 'test_template';

/** A PostgreSQL for tests, and its temporary folder. */
export interface TestPostgres {
  url: string;
  directory: string;
  /** Removes process and folder; this also happens automatically if this process ends without calling it. */
  stop(): Promise<void>;
}

/** An existing server, for example of another version: `TEST_DATABASE_URL`, with a user who may create databases. */
async function givenPostgres(url: string): Promise<TestPostgres> {
  assertLocal(url);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-test-'));
  const removeTemplate = () => runOn(url, `DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`);
  await removeTemplate();
  const stop = async () => {
    await removeTemplate();
    await rm(directory, { recursive: true, force: true });
  };
  return { url, directory, stop };
}

/** Starts a PostgreSQL for this process, unless one is given. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return givenPostgres(given);
  const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, directory } = JSON.parse(line) as { url: string; directory: string };
    const stop = () => {
      child.stdin.end();
      return ended;
    };
    return { url, directory, stop };
  }
  throw new Error('PostgreSQL for the tests did not start.');
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Tests create, fill and drop databases, so only a local server is allowed, never one that is in use elsewhere. */
function assertLocal(url: string): void {
  const { hostname } = new URL(url);
  if (!['127.0.0.1', '::1', 'localhost'].includes(hostname)) {
    throw new Error(`Tests refuse the database on ${hostname}: it is not local.`);
  }
}

/** Creates a database on the server of `url` and returns its URL. */
export async function createDatabase(
  url: string,
  name = `test_${randomBytes(8).toString('hex')}`,
  template?: string,
): Promise<string> {
  assertLocal(url);
  await runOn(url, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** Drops a database that `createDatabase` made, despite open connections. */
export async function dropDatabase(url: string, databaseUrl: string): Promise<void> {
  assertLocal(databaseUrl);
  await runOn(url, `DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
}
