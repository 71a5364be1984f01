import { ConfigurationError, env } from '../env';
import { prepareJobs } from '../jobs/prepare-queue';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';
import { migrate } from './migrate';
import { closePool, openPool } from './pool';
import { closePrisma } from './prisma';

export interface OpenDatabase {
  close(): Promise<void>;
}

/** One line that describes a problem with DATABASE_URL, without its password. */
function connectionProblem(url: string, error: unknown): ConfigurationError {
  const { host, pathname } = new URL(url);
  const { message, code } = error as { message: string; code?: string };
  return new ConfigurationError(`DATABASE_URL: can't use ${host}${pathname}: ${message || code}`, { cause: error });
}

/** Migrates the product's tables and those of the job queue. */
async function prepare(url: string, signal?: AbortSignal): Promise<void> {
  await migrate(url, { signal });
  await prepareJobs(url, signal);
}

async function prepareGiven(url: string, signal?: AbortSignal): Promise<void> {
  try {
    await prepare(url, signal);
  } catch (error) {
    throw connectionProblem(url, error);
  }
}

async function openAt(url: string, database: EmbeddedPostgres | null): Promise<OpenDatabase> {
  openPool(url);
  return {
    close: async () => {
      await closePrisma();
      await closePool();
      await database?.stop();
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
  if (DATABASE_URL) {
    await prepareGiven(DATABASE_URL, signal);
    return openAt(DATABASE_URL, null);
  }
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk', onProgress, signal });
  try {
    await prepare(database.url, signal);
    return await openAt(database.url, database);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Opens the database for one command, whether or not a server is using it. */
export async function openDatabaseForCommand(): Promise<OpenDatabase> {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) {
    await prepareGiven(DATABASE_URL);
    return openAt(DATABASE_URL, null);
  }
  const running = await findEmbeddedPostgres(DATA_DIR);
  if (running) {
    await prepare(running);
    return openAt(running, null);
  }
  const database = await startEmbeddedPostgres({ dataDir: DATA_DIR, holder: 'frontdesk-admin' });
  try {
    await prepare(database.url);
    return await openAt(database.url, database);
  } catch (error) {
    await database.stop();
    throw error;
  }
}
