import { runMigrations } from 'graphile-worker';
import { makePool } from '../db/pool';
import { workerLogger } from './worker-logger';

/**
 * Creates or migrates the job queue's tables; jobs can be added afterwards, with or without a worker.
 * @param signal aborts it
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
