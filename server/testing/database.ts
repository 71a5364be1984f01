import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { closePool, openPool } from '@/server/platform/db/pool';
import { closePrisma } from '@/server/platform/db/prisma';
import { type Env, parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { createDatabase, dropDatabase, templateName } from './postgres';

/**
 * Gives the calling test file a fresh, migrated database and settings of its own, whatever this machine's environment says. Call it
 * once, at the top of the file. Files run beside each other and never meet.
 *
 * @param changes settings under test, as they would stand in the environment
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
    openPool(databaseUrl);
  });

  afterAll(async () => {
    await closePrisma();
    await closePool();
    if (databaseUrl) await dropDatabase(inject('postgresUrl'), databaseUrl);
  });
}
