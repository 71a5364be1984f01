import { runMigrations } from 'graphile-worker';
import { workerLogger } from './worker-logger';

/** Makes (or brings up to date) the tables of the job queue; jobs can be added from then on, whether or not a worker runs. */
export async function prepareJobs(connectionString: string): Promise<void> {
  await runMigrations({ connectionString, logger: workerLogger });
}
