import { Logger, type Runner, run } from 'graphile-worker';
import { pool } from '../db/pool';
import { log } from '../log';
import { removeExpiredCounters } from './maintenance';

/** Every kind of job by its name in the queue. */
const tasks = { 'remove-expired-counters': removeExpiredCounters };

/** Cron lines in UTC; a run missed while no server was up is caught up within a day. */
const crontab = '17 3 * * * remove-expired-counters ?fill=1d';

const logger = new Logger(() => (level, message, meta) => {
  if (level === 'error') log().error({ meta }, message);
  else if (level === 'warning') log().warn({ meta }, message);
  else log().debug(message);
});

/**
 * Starts working off jobs, beside the requests and on the same connections. Several servers on one database share the work: each job
 * runs on one of them, at least once.
 *
 * @returns call it to stop: the job at work is finished first.
 */
export async function startWorker(): Promise<() => Promise<void>> {
  const runner: Runner = await run({
    pgPool: pool(),
    taskList: tasks,
    crontab,
    concurrency: 2,
    noHandleSignals: true,
    logger,
  });
  runner.promise.catch((error: unknown) => log().error({ err: error }, 'job worker stopped'));
  return () => runner.stop();
}
