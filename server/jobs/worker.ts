import { type Runner, run, type Task } from 'graphile-worker';
import { pool } from '../db/pool';
import { log } from '../log';
import { keepWorkersKnown, releaseAbandonedJobs } from './abandoned-jobs';
import { findLostJobs, keepReleasing } from './lost-jobs';
import { removeExpired, removeExpiredAnswers } from './maintenance';
import { workerLogger } from './worker-logger';

/** What modules give the worker to do. */
export interface JobDefinitions {
  /** Every kind of job by its name in the queue. */
  tasks: Record<string, Task>;
  /** Cron lines in UTC. */
  crontab: readonly string[];
}

/** A run missed while no server was up is caught up within a day. */
const maintenance: JobDefinitions = {
  tasks: {
    'remove-expired': removeExpired,
    'remove-expired-answers': removeExpiredAnswers,
    'release-abandoned-jobs': releaseAbandonedJobs,
  },
  crontab: [
    '17 3 * * * remove-expired ?fill=1d',
    '29 * * * * remove-expired-answers ?fill=1h',
    '* * * * * release-abandoned-jobs',
  ],
};

/**
 * Starts working off jobs, beside the requests and on the same connections. Several servers on one database share the work: each job
 * runs on one of them, at least once.
 *
 * @returns call it to stop: the jobs at work are finished first.
 */
export async function startWorker(...definitions: readonly JobDefinitions[]): Promise<() => Promise<void>> {
  const all = [maintenance, ...definitions];
  await releaseAbandonedJobs();
  const { events, letGo } = keepWorkersKnown();
  const stopReleasing = keepReleasing(findLostJobs(events));
  const runner: Runner = await run({
    events,
    pgPool: pool(),
    taskList: Object.assign({}, ...all.map(({ tasks }) => tasks)),
    crontab: all.flatMap(({ crontab }) => crontab).join('\n'),
    // A mail server that hangs holds a job for a minute; others must not wait behind it.
    concurrency: 10,
    noHandleSignals: true,
    logger: workerLogger,
  });
  runner.promise.catch((error: unknown) => log().error({ err: error }, 'job worker stopped'));
  return async () => {
    await runner.stop();
    stopReleasing();
    letGo();
  };
}
