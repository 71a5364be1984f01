import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { workerLogger } from './worker-logger';

/** Makes (or brings up to date) the tables of the job queue; jobs can be added from then on, whether or not a worker runs. */
export async function prepareJobs(connectionString: string): Promise<void> {
  const pgPool = new pg.Pool({ connectionString, max: 2, application_name: 'frontdesk-migrate' });
  // A connection that is lost while nobody uses it must not end the process; one in use fails its statement.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool, logger: workerLogger });
  } finally {
    await pgPool.end();
  }
}
