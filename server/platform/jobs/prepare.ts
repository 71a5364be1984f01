import { runMigrations } from 'graphile-worker';
import { makePool } from '../db/pool';
import { workerLogger } from './worker-logger';

/**
 * Makes (or brings up to date) the tables of the job queue; jobs can be added from then on, whether or not a worker runs.
 *
 * @param signal breaks it off
 */
export async function prepareJobs(connectionString: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { pool: pgPool, close } = makePool(connectionString, { max: 2, applicationName: 'frontdesk-migrate' });
  const stop = () => void close();
  signal?.addEventListener('abort', stop);
  try {
    await runMigrations({ pgPool, logger: workerLogger });
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
  }
}
