import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { closeConnection } from '../db/connection';
import { clusterDirectory } from '../db/embedded-cluster';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded-postgres';
import { openConnection } from '../db/own-connection';
import { ConfigurationError, env } from '../env';

/** The database of an installation, for a command that must find it as it is: nothing is migrated. */
export interface FoundDatabase {
  url: string;
  /** A connection without a limit for statements that the server is working on; it ends where the server is silent, or `signal` says so. */
  client: pg.Client;
  close(): Promise<void>;
}

const applicationName = 'frontdesk-backup';

async function connectTo(url: string, database: EmbeddedPostgres | null, signal?: AbortSignal): Promise<FoundDatabase> {
  let client: pg.Client;
  try {
    client = await openConnection({ url, applicationName, signal });
  } catch (error) {
    await database?.stop();
    const { host, pathname } = new URL(url);
    const { message, code } = error as { message: string; code?: string };
    throw new ConfigurationError(`DATABASE_URL: can't use ${host}${pathname}: ${message || code}`, { cause: error });
  }
  const close = async () => {
    await closeConnection(client);
    await database?.stop();
  };
  return { url, client, close };
}

/**
 * Opens the database to read it, whether or not a server runs on it.
 *
 * @throws ConfigurationError where there is none
 */
export async function openToRead(signal?: AbortSignal): Promise<FoundDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return connectTo(DATABASE_URL, null, signal);
  const directory = clusterDirectory(DATA_DIR);
  const isThere = await stat(path.join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new ConfigurationError(`There is no installation in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL.`);
  const running = await findEmbeddedPostgres(DATA_DIR);
  if (running) return connectTo(running, null, signal);
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk-admin' });
  return connectTo(database.url, database, signal);
}

/** Servers at work on the database of this connection, one of which there always is while one runs: it waits for jobs. */
const serversQuery = `SELECT count(*)::int AS servers FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('frontdesk', 'frontdesk-leases', 'frontdesk-migrate')`;

/**
 * Opens the database to fill it, alone.
 *
 * @throws ConfigurationError where a server is using it
 */
export async function openToFill(signal?: AbortSignal): Promise<FoundDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (!DATABASE_URL) {
    const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk' });
    return connectTo(database.url, database, signal);
  }
  const found = await connectTo(DATABASE_URL, null, signal);
  const { rows } = await found.client.query<{ servers: number }>(serversQuery);
  if (!rows[0]?.servers) return found;
  await found.close();
  throw new ConfigurationError('DATABASE_URL: a Frontdesk server is using this database. Stop it first.');
}
