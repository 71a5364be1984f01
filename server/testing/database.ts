import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { openConnection } from '@/server/platform/db/own-connection';
import { closePool, openPool } from '@/server/platform/db/pool';
import { closePrisma } from '@/server/platform/db/prisma';
import { serverUrl } from '@/server/platform/db/roles';
import { setRowSecurity } from '@/server/platform/db/tenant';
import { type Env, env, parseEnv } from '@/server/platform/env';
import { setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { createDatabase, dropDatabase, templateName } from './postgres';

/**
 * Creates a fresh, migrated database and separate settings for the calling test file, independent of the machine's environment.
 * Call it once, at the top of the file. Files run in parallel and are isolated from each other.
 *
 * @param changes settings under test, in the format of the environment
 */
export function withFreshDatabase(changes: Partial<Record<keyof Env, string>> = {}): void {
  let databaseUrl: string | undefined;

  beforeAll(async () => {
    databaseUrl = await createDatabase(inject('postgresUrl'), undefined, templateName);
    const settings = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
      DATA_DIR: await mkdtemp(path.join(inject('testDirectory'), 'data-')),
      AUTH_SECRET: 'x'.repeat(32),
    };
    setForProcess('env', parseEnv({ ...settings, ...changes }));
    // Work that an earlier file left behind may have opened a log with the default level.
    takeFromProcess('log');
    openPool(serverUrl(databaseUrl));
    setRowSecurity(true);
  });

  afterAll(async () => {
    await closePrisma();
    await closePool();
    if (databaseUrl) await dropDatabase(inject('postgresUrl'), databaseUrl);
  });
}

/** Runs a statement as the owner of the test file's database, who may do what the server may not. */
export async function queryAsOwner<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = await openConnection({ url: env().DATABASE_URL ?? '', applicationName: 'frontdesk-test' });
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
