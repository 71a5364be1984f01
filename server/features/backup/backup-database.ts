import { stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { closeConnection } from '../../platform/db/connection';
import { clusterDirectory } from '../../platform/db/embedded-cluster';
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  type StartOptions,
  startEmbeddedPostgres,
} from '../../platform/db/embedded-postgres';
import { openConnection } from '../../platform/db/own-connection';
import { ConfigurationError, env } from '../../platform/env';
import type { Progress } from './progress';

/** The database of an installation as it is, without migrating it. */
export interface FoundDatabase {
  url: string;
  /** A connection without a statement timeout; it ends if the server stops responding, or `signal` is aborted. */
  client: pg.Client;
  close(): Promise<void>;
}

const applicationName = 'frontdesk-backup';

async function connectTo(url: string, database: EmbeddedPostgres | null, progress: Progress): Promise<FoundDatabase> {
  let client: pg.Client;
  try {
    client = await openConnection({ url, applicationName, signal: progress.signal, onActive: progress.moved });
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

type EmbeddedOptions = Pick<StartOptions, 'holder' | 'extraSettings'>;

function startEmbedded({ signal, moved }: Progress, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: env().DATA_DIR, signal, onWaiting: moved, ...options });
}

/** Tables that a transaction fills from scratch are then synchronised at its end, instead of being written to the log as well. */
const fillSettings = { wal_level: 'minimal', max_wal_senders: '0' };

/**
 * Opens the database for reading, whether or not a server uses it.
 *
 * @throws ConfigurationError if there is none
 */
export async function openToRead(progress: Progress): Promise<FoundDatabase> {
  const { DATABASE_DIRECT_URL, DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return connectTo(DATABASE_DIRECT_URL ?? DATABASE_URL, null, progress);
  const directory = clusterDirectory(DATA_DIR);
  const isThere = await stat(path.join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new ConfigurationError(`There is no installation in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL.`);
  const running = await findEmbeddedPostgres(DATA_DIR);
  if (running) return connectTo(running, null, progress);
  const database = await startEmbedded(progress, { holder: 'frontdesk-admin' });
  return connectTo(database.url, database, progress);
}

/** Servers connected to this database. A running server always has at least one such connection, because it waits for jobs. */
const serversQuery = `SELECT count(*)::int AS servers FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('frontdesk', 'frontdesk-leases', 'frontdesk-migrate')`;

/**
 * Opens the database exclusively, to fill it.
 *
 * @throws ConfigurationError if a server uses it
 */
export async function openToFill(progress: Progress): Promise<FoundDatabase> {
  const { DATABASE_DIRECT_URL, DATABASE_URL } = env();
  if (!DATABASE_URL) {
    const database = await startEmbedded(progress, { holder: 'frontdesk', extraSettings: fillSettings });
    return connectTo(database.url, database, progress);
  }
  const found = await connectTo(DATABASE_DIRECT_URL ?? DATABASE_URL, null, progress);
  const { rows } = await found.client.query<{ servers: number }>(serversQuery);
  if (!rows[0]?.servers) return found;
  await found.close();
  throw new ConfigurationError('DATABASE_URL: a Frontdesk server is using this database. Stop it first.');
}
