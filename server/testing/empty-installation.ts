import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { env, overrideEnv } from '@/server/platform/env';
import { createDatabase, dropDatabase } from './postgres';

/** A dedicated connection, whose loss fails only its own statement. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** An empty installation to restore a backup into. */
export interface EmptyInstallation {
  url: string;
  client: pg.Client;
  dataDir: string;
}

/** Runs `work` with an empty database and data directory, then restores the settings. */
export async function withEmptyInstallation<T>(work: (there: EmptyInstallation) => Promise<T>): Promise<T> {
  const { DATA_DIR, AUTH_SECRET } = env();
  const url = await createDatabase(inject('postgresUrl'));
  const dataDir = await mkdtemp(path.join(inject('testDirectory'), 'elsewhere-'));
  const client = await connect(url);
  overrideEnv({ DATA_DIR: dataDir, AUTH_SECRET: undefined });
  try {
    return await work({ url, client, dataDir });
  } finally {
    overrideEnv({ DATA_DIR, AUTH_SECRET });
    await client.end();
    await dropDatabase(inject('postgresUrl'), url);
  }
}
