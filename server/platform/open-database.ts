import type pg from 'pg';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres';
import { migrate } from './db/migrate';
import { closePool, openPool } from './db/pool';
import { closePrisma } from './db/prisma';
import { letServerSignIn, prepareRoles } from './db/roles';
import { serverRole, setRowSecurity } from './db/tenant';
import { ConfigurationError, env } from './env';
import { log } from './log';

export interface OpenDatabase {
  close(): Promise<void>;
}

type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** One line that describes a problem with a database, without its password. */
function connectionProblem(setting: DatabaseSetting, url: string, error: unknown): ConfigurationError {
  const { host, pathname } = new URL(url);
  const { message, code } = error as { message: string; code?: string };
  return new ConfigurationError(`${setting}: can't use ${host}${pathname}: ${message || code}`, { cause: error });
}

/**
 * Migrates the database, as its owner.
 * @returns whether the database has the roles of the server
 */
async function prepare(url: string, signal?: AbortSignal): Promise<boolean> {
  await migrate(url, { signal, onProgress: (text) => log().info(text) });
  return prepareRoles(url, signal);
}

/** The owner's connection, and the setting that names it. */
function ownerOf(url: string): { setting: DatabaseSetting; ownerUrl: string } {
  const direct = env().DATABASE_DIRECT_URL;
  return direct === undefined ? { setting: 'DATABASE_URL', ownerUrl: url } : { setting: 'DATABASE_DIRECT_URL', ownerUrl: direct };
}

async function openGiven(url: string, signal?: AbortSignal): Promise<OpenDatabase> {
  const { setting, ownerUrl } = ownerOf(url);
  const hasRoles = await prepare(ownerUrl, signal).catch((error: unknown) => {
    throw connectionProblem(setting, ownerUrl, error);
  });
  const pool = openPool(url, { role: hasRoles ? serverRole : undefined, directUrl: ownerUrl });
  setRowSecurity(hasRoles);
  try {
    await checkServer(pool);
  } catch (error) {
    await close();
    throw connectionProblem('DATABASE_URL', url, error);
  }
  return { close };
}

/**
 * Checks that the server can sign in and has its rights. PgBouncer keeps no settings of ours, so statements without a transaction have only
 * the limits that it sets.
 */
async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isLimited: boolean }>(
    `SELECT current_setting('statement_timeout') <> '0' AS "isLimited" FROM _prisma_migrations LIMIT 1`,
  );
  if (!rows[0]?.isLimited) log().warn('PgBouncer sets no statement_timeout: add the connect_query of docs/operations.md');
}

async function openEmbedded(url: string, signal?: AbortSignal): Promise<OpenDatabase> {
  setRowSecurity(await prepare(url, signal));
  openPool(await letServerSignIn(url));
  return { close };
}

async function close(): Promise<void> {
  await closePrisma();
  await closePool();
}

/** Opens an embedded database that was started for it, and stops that with it. */
async function openStarted(database: EmbeddedPostgres, signal?: AbortSignal): Promise<OpenDatabase> {
  try {
    await openEmbedded(database.url, signal);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return {
    close: async () => {
      await close();
      await database.stop();
    },
  };
}

/**
 * Opens the database of a server, external or embedded, and migrates it.
 * @param signal aborts at any step
 * @throws ConfigurationError in one line if it can't be used
 */
export async function openDatabase(onProgress: (line: string) => void, signal?: AbortSignal): Promise<OpenDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return openGiven(DATABASE_URL, signal);
  return openStarted(await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk', onProgress, signal }), signal);
}

/** Opens the database for one command, whether or not a server is using it. */
export async function openDatabaseForCommand(): Promise<OpenDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return openGiven(DATABASE_URL);
  const running = await findEmbeddedPostgres(DATA_DIR);
  if (running) return openEmbedded(running);
  return openStarted(await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk-admin' }));
}

/**
 * Does what the upgrade to this version needs time for, beside servers of the version before. The start of this version does the rest,
 * and all of it where this was not called.
 * @returns the migrations whose first steps are done
 */
export async function prepareUpgrade(): Promise<{ prepared: string[] }> {
  const { DATABASE_URL, DATA_DIR } = env();
  const given = DATABASE_URL === undefined ? null : ownerOf(DATABASE_URL);
  const url = given?.ownerUrl ?? (await findEmbeddedPostgres(DATA_DIR));
  // Without a running server, nobody would be kept waiting by the start.
  if (!url) return { prepared: [] };
  try {
    return { prepared: await migrate(url, { prepares: true }) };
  } catch (error) {
    throw connectionProblem(given?.setting ?? 'DATABASE_URL', url, error);
  }
}
