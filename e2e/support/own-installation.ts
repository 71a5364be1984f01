import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { CreateIdentityInput } from '@/server/features/accounts/account.schema';
import { findEmbeddedPostgres } from '@/server/platform/db/embedded-postgres';
import { closePool, openPool } from '@/server/platform/db/pool';
import { closePrisma } from '@/server/platform/db/prisma';
import { parseEnv } from '@/server/platform/env';
import { setForProcess, withFreshProcess } from '@/server/platform/process-globals';
import { exitOf, hasEnded } from '@/server/testing/child-process';
import { createTestIdentity } from '@/server/testing/identity';
import { endReport } from './failure-report';
import type { Installation } from './installation';

/** Helpers for tests with their own installation, beyond its API. */

const run = promisify(execFile);

/** Output and exit status of one of the product's programs. */
export interface Ended {
  /** Null if a signal has killed it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

type Program = 'admin' | 'backup' | 'restore';

interface ProgramSettings {
  DATA_DIR: string;
  DATABASE_URL?: string;
}

/** Starts `npm run -s <program> -- …` on a data directory or a database. */
export function startProgram(
  program: Program,
  settings: ProgramSettings,
  ...args: string[]
): { process: ChildProcess; ended: Promise<Ended> } {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, HOME, TMPDIR, LANG, NODE_ENV: 'production', ...settings };
  const running = run(process.execPath, [path.resolve('scripts', `${program}.mjs`), ...args], { env });
  const ended = running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
  return { process: running.child, ended };
}

/** Runs it until it ends. */
export function runProgram(program: Program, settings: ProgramSettings, ...args: string[]): Promise<Ended> {
  return startProgram(program, settings, ...args).ended;
}

/** The object that a program prints; fails with its output if it did not succeed. */
export async function resultOf(ending: Promise<Ended>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await ending;
  if (code !== 0) throw new Error(`It ended with status ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** An identity made by the operator, with a key. */
export interface Desk {
  handle: string;
  address: string;
  email: string;
  password: string;
  key: string;
  keyId: string;
}

let desks: Promise<unknown> = Promise.resolve();

/**
 * Creates an identity in an installation, by default without any limit. Through the services: the command line takes seconds for
 * each.
 */
export function createDesk(
  installation: { dataDir: string; databaseUrl?: string },
  plan: CreateIdentityInput['plan'] = 'enterprise',
): Promise<Desk> {
  const desk = desks.then(() => withFreshProcess(() => makeDesk(installation, plan)));
  // In a hook before all tests, where no test reports it.
  desks = desk.catch(() => endReport('createDesk', true));
  return desk;
}

async function makeDesk(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string },
  plan: CreateIdentityInput['plan'],
): Promise<Desk> {
  setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, DATABASE_POOL_SIZE: '5' }));
  openPool(databaseUrl ?? (await databaseOf({ dataDir })));
  try {
    const handle = `desk-${randomBytes(4).toString('hex')}`;
    const address = `hello@${handle}.example`;
    const { owner, key, apiKeyActor } = await createTestIdentity({ handle, address, plan });
    return { handle, address, email: owner.email, password: owner.password, key, keyId: apiKeyActor.apiKeyId };
  } finally {
    await closePrisma();
    await closePool();
  }
}

/** The database URL of a running installation. */
export async function databaseOf({ dataDir }: Pick<Installation, 'dataDir'>): Promise<string> {
  const url = await findEmbeddedPostgres(dataDir);
  if (!url) throw new Error(`There is no database at work in ${dataDir}.`);
  return url;
}

/** Runs one query directly on a database. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** `kill -9` of the server and all its children except the database, which is meant to outlive it. */
export async function killGroup({ process: child }: Installation): Promise<void> {
  if (child.pid === undefined) throw new Error('It has not started.');
  if (!hasEnded(child)) process.kill(-child.pid, 'SIGKILL');
  await exitOf(child);
}
