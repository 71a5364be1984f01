import { stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { clusterDirectory } from '../db/embedded-cluster';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded-postgres';
import { ConfigurationError, env } from '../env';

/** The database of an installation, for a command that must find it as it is: nothing is migrated. */
export interface FoundDatabase {
  url: string;
  /** A connection that waits as long as it takes. */
  client: pg.Client;
  close(): Promise<void>;
}

const applicationName = 'frontdesk-backup';

async function connectTo(url: string, database: EmbeddedPostgres | null): Promise<FoundDatabase> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName, keepAlive: true });
  // What is lost fails its statement; nobody else needs to hear of it.
  client.on('error', () => undefined);
  const close = async () => {
    await client.end().catch(() => undefined);
    await database?.stop();
  };
  try {
    await client.connect();
  } catch (error) {
    await close();
    const { host, pathname } = new URL(url);
    const { message, code } = error as { message: string; code?: string };
    throw new ConfigurationError(`DATABASE_URL: can't use ${host}${pathname}: ${message || code}`, { cause: error });
  }
  return { url, client, close };
}

/**
 * Opens the database to read it, whether or not a server runs on it.
 *
 * @throws ConfigurationError where there is none
 */
export async function openToRead(): Promise<FoundDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return connectTo(DATABASE_URL, null);
  const directory = clusterDirectory(DATA_DIR);
  const isThere = await stat(path.join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new ConfigurationError(`There is no installation in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL.`);
  const running = await findEmbeddedPostgres(DATA_DIR);
  if (running) return connectTo(running, null);
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk-admin' });
  return connectTo(database.url, database);
}

/** Servers at work on the database of this connection, one of which there always is while one runs: it waits for jobs. */
const serversQuery = `SELECT count(*)::int AS servers FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('frontdesk', 'frontdesk-leases', 'frontdesk-migrate')`;

/**
 * Opens the database to fill it, alone.
 *
 * @throws ConfigurationError where a server is using it
 */
export async function openToFill(): Promise<FoundDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (!DATABASE_URL) {
    const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk' });
    return connectTo(database.url, database);
  }
  const found = await connectTo(DATABASE_URL, null);
  const { rows } = await found.client.query<{ servers: number }>(serversQuery);
  if (!rows[0]?.servers) return found;
  await found.close();
  throw new ConfigurationError('DATABASE_URL: a Frontdesk server is using this database. Stop it first.');
}
