import { setTimeout } from 'node:timers/promises';
import { parseCrontab, type Runner, run, type Task, type Worker, type WorkerEvents } from 'graphile-worker';
import { within } from '../db/connection';
import { directPool } from '../db/pool';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { holdWorkerLease, releaseAbandonedJobs } from './abandoned-jobs';
import { isTimeCertain, repairQueueTimes, watchClock } from './clock-jump';
import { keepListenerAlive } from './listener';
import { findLostJobs, keepReleasing } from './lost-jobs';
import { queuePool } from './queue-pool';
import { workerLogger } from './worker-logger';

/** The jobs of a module. */
export interface JobDefinitions {
  /** Job handlers by name. */
  tasks: Record<string, Task>;
  /** Cron lines in UTC. */
  crontab: readonly string[];
  /** Where they run: jobs that wait for other systems do not hold up other jobs. */
  slots?: keyof typeof slots;
  /** Removes expired data; called once a day, safe to repeat. */
  removeExpired?: (signal?: AbortSignal) => Promise<void>;
}

/** Concurrent jobs, of all kinds without a group of their own, of those that wait for a mail server, and of those that send requests. */
const slots = { shared: 6, mail: 5, outbound: 40 } as const;

/**
 * Milliseconds after which an idle slot looks for jobs by itself; new ones are announced. Many slots each look less often, so that
 * together they look about three times a second.
 */
const pollInterval = (count: number) => Math.round((2_000 * Math.max(count, slots.shared)) / slots.shared);

/** How long running jobs may take to end when the server stops, in milliseconds; then they are aborted (`abortSignal`). */
const grace = 5_000;

/** Total timeout in milliseconds; then the jobs are abandoned. Jobs can be run again. */
const stopLimit = 15_000;

/** Recovers abandoned jobs, and those scheduled by a wrong clock. */
async function recoverJobs(): Promise<void> {
  await releaseAbandonedJobs();
  await repairQueueTimes();
}

/** Runs each feature's removal of expired data. Skipped while the current time is doubtful. */
export async function removeExpired(all: readonly JobDefinitions[], signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  for (const { removeExpired: remove } of all) await remove?.(signal);
}

/** A run missed while no server was up is made up for within a day. */
function maintenance(all: readonly JobDefinitions[]): JobDefinitions {
  return {
    tasks: {
      'remove-expired': (_payload, { abortSignal }) => removeExpired(all, abortSignal),
      'release-abandoned-jobs': recoverJobs,
    },
    crontab: ['17 3 * * * remove-expired ?fill=1d', '* * * * * release-abandoned-jobs'],
  };
}

/** @returns a function that stops the workers, which finish running jobs first */
async function startWorkers(all: readonly JobDefinitions[], clockJumped: (by: number) => void): Promise<() => Promise<void>> {
  await recoverJobs();
  const { events, releaseLease } = holdWorkerLease();
  const lostJobs = findLostJobs(events);
  watchClock(events, clockJumped);
  keepListenerAlive(events);
  const runners: Runner[] = [];
  const stopAll = () => Promise.all(runners.map((runner) => runner.stop()));
  try {
    for (const definitions of grouped(all)) runners.push(await startRunner(definitions, events));
  } catch (error) {
    await stopAll();
    releaseLease();
    throw error;
  }
  const stopReleasing = keepReleasing(lostJobs);
  return async () => {
    try {
      if (!(await within(stopLimit, stopAll()))) log().warn('jobs were still at work when the server stopped');
    } finally {
      stopReleasing();
      releaseLease();
    }
  };
}

/** The jobs of each group of slots, if there are any; the shared ones last. */
function grouped(all: readonly JobDefinitions[]): (JobDefinitions & { concurrency: number })[] {
  return (['mail', 'outbound', 'shared'] as const).flatMap((group) => {
    const members = all.filter((definitions) => (definitions.slots ?? 'shared') === group);
    const tasks: JobDefinitions['tasks'] = Object.assign({}, ...members.map((definitions) => definitions.tasks));
    if (Object.keys(tasks).length === 0) return [];
    return [{ tasks, crontab: members.flatMap(({ crontab }) => crontab), concurrency: slots[group] }];
  });
}

/**
 * Resolves with the first fetch of the new workers. It loads the ids of the job kinds; if it fails, the queue never retries,
 * and its workers would find no job until restarted.
 */
async function firstFetch(events: WorkerEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      const ofThese = (worker: Worker) => worker.workerPool === workerPool;
      events.on('job:start', ({ worker }) => ofThese(worker) && resolve());
      events.on('worker:getJob:empty', ({ worker }) => ofThese(worker) && resolve());
      events.on('worker:getJob:error', ({ worker, error }) => ofThese(worker) && reject(error));
    });
  });
}

async function startRunner(
  { tasks, crontab, concurrency }: JobDefinitions & { concurrency: number },
  events: WorkerEvents,
): Promise<Runner> {
  const fetched = firstFetch(events);
  fetched.catch(() => undefined);
  const runner = await run({
    events,
    pgPool: queuePool(directPool()),
    taskList: tasks,
    parsedCronItems: parseCrontab(crontab.join('\n')),
    concurrency,
    pollInterval: pollInterval(concurrency),
    gracefulShutdownAbortTimeout: grace,
    noHandleSignals: true,
    logger: workerLogger,
  });
  runner.promise.catch((error: unknown) => logFailure(error, {}, 'job worker stopped'));
  try {
    await fetched;
  } catch (error) {
    await runner.stop();
    throw error;
  }
  return runner;
}

const retryAfter = 1_000;

/**
 * Starts processing jobs, next to requests and on the same connections. Several servers on one database share the work: each
 * job runs on one of them, at least once. After a clock change the workers restart at the new time.
 * @returns a function that stops the workers: running jobs are finished first.
 */
export async function startWorker(...definitions: readonly JobDefinitions[]): Promise<() => Promise<void>> {
  let isOver = false;
  let isRestarting = false;
  const startOnce = () => startWorkers([maintenance(definitions), ...definitions], clockJumped);

  async function restart(stop: () => Promise<void>): Promise<() => Promise<void>> {
    await stop().catch((error: unknown) => logFailure(error, {}, 'job worker did not stop cleanly'));
    while (!isOver) {
      try {
        return await startOnce();
      } catch (error) {
        logFailure(error, {}, 'job worker could not begin anew yet');
        await setTimeout(retryAfter);
      }
    }
    return async () => undefined;
  }

  function clockJumped(by: number): void {
    if (isOver || isRestarting) return;
    isRestarting = true;
    log().warn({ seconds: Math.round(by / 1000) }, 'the clock was set; jobs go on by the new time');
    current = current.then(restart).finally(() => {
      isRestarting = false;
    });
  }

  let current = startOnce();
  await current;
  return async () => {
    isOver = true;
    await (await current)();
  };
}
