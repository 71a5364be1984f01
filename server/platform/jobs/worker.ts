import { setTimeout } from 'node:timers/promises';
import { parseCrontab, type Runner, run, type Task, type Worker, type WorkerEvents } from 'graphile-worker';
import { within } from '../db/connection';
import { pool } from '../db/pool';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { keepWorkersKnown, releaseAbandonedJobs } from './abandoned-jobs';
import { isTimeCertain, mendQueueTimes, watchClock } from './clock-jump';
import { keepListenerAlive } from './listener';
import { findLostJobs, keepReleasing } from './lost-jobs';
import { queuePool } from './queue-pool';
import { workerLogger } from './worker-logger';

/** What modules give the worker to do. */
export interface JobDefinitions {
  /** Every kind of job by its name in the queue. */
  tasks: Record<string, Task>;
  /** Cron lines in UTC. */
  crontab: readonly string[];
  /** For jobs that wait for someone else: so many of them run at once, and never in the places of others, which they would hold up. */
  ownPlaces?: number;
  /** Removes what has had its time; called once a day, safe to repeat. */
  removeExpired?: (signal?: AbortSignal) => Promise<void>;
}

/** Jobs of all other kinds that run at once. */
const sharedPlaces = 6;

/** How long jobs at work may take to end when the server stops, in milliseconds; after that they are told to (`abortSignal`). */
const grace = 5_000;

/** After which no one waits for them any more. They are written to be begun again. */
const stopLimit = 15_000;

/** Takes up what would wait for nobody, or for a time that is not to come. */
async function takeUp(): Promise<void> {
  await releaseAbandonedJobs();
  await mendQueueTimes();
}

/** Lets each feature remove what has had its time. While the present is in doubt, everything is kept until the next run. */
export async function removeExpired(all: readonly JobDefinitions[], signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  for (const { removeExpired: remove } of all) await remove?.(signal);
}

/** A run missed while no server was up is caught up within a day. */
function maintenance(all: readonly JobDefinitions[]): JobDefinitions {
  return {
    tasks: {
      'remove-expired': (_payload, { abortSignal }) => removeExpired(all, abortSignal),
      'release-abandoned-jobs': takeUp,
    },
    crontab: ['17 3 * * * remove-expired ?fill=1d', '* * * * * release-abandoned-jobs'],
  };
}

/** @returns stops the workers, which finish the jobs at work first */
async function begin(all: readonly JobDefinitions[], clockJumped: (by: number) => void): Promise<() => Promise<void>> {
  await takeUp();
  const { events, letGo } = keepWorkersKnown();
  const lostJobs = findLostJobs(events);
  watchClock(events, clockJumped);
  keepListenerAlive(events);
  const runners: Runner[] = [];
  const stopAll = () => Promise.all(runners.map((runner) => runner.stop()));
  try {
    for (const definitions of grouped(all)) runners.push(await start(definitions, events));
  } catch (error) {
    await stopAll();
    letGo();
    throw error;
  }
  const stopReleasing = keepReleasing(lostJobs);
  return async () => {
    try {
      if (!(await within(stopLimit, stopAll()))) log().warn('jobs were still at work when the server stopped');
    } finally {
      stopReleasing();
      letGo();
    }
  };
}

/** Those with places of their own, and all others as one. */
function grouped(all: readonly JobDefinitions[]): JobDefinitions[] {
  const sharing = all.filter(({ ownPlaces }) => ownPlaces === undefined);
  const shared = {
    tasks: Object.assign({}, ...sharing.map(({ tasks }) => tasks)),
    crontab: sharing.flatMap(({ crontab }) => crontab),
  };
  return [...all.filter(({ ownPlaces }) => ownPlaces !== undefined), shared];
}

/**
 * Resolves with the first look for a job of the workers that are about to be made. By it the queue learns the numbers of its kinds of jobs;
 * if that fails it never asks again, and its workers would find no job until they are restarted.
 */
async function firstLook(events: WorkerEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      const ofThese = (worker: Worker) => worker.workerPool === workerPool;
      events.on('job:start', ({ worker }) => ofThese(worker) && resolve());
      events.on('worker:getJob:empty', ({ worker }) => ofThese(worker) && resolve());
      events.on('worker:getJob:error', ({ worker, error }) => ofThese(worker) && reject(error));
    });
  });
}

async function start({ tasks, crontab, ownPlaces }: JobDefinitions, events: WorkerEvents): Promise<Runner> {
  const looked = firstLook(events);
  looked.catch(() => undefined);
  const runner = await run({
    events,
    pgPool: queuePool(pool()),
    taskList: tasks,
    parsedCronItems: parseCrontab(crontab.join('\n')),
    concurrency: ownPlaces ?? sharedPlaces,
    gracefulShutdownAbortTimeout: grace,
    noHandleSignals: true,
    logger: workerLogger,
  });
  runner.promise.catch((error: unknown) => logFailure(error, {}, 'job worker stopped'));
  try {
    await looked;
  } catch (error) {
    await runner.stop();
    throw error;
  }
  return runner;
}

const retryAfter = 1_000;

/**
 * Starts working off jobs, beside the requests and on the same connections. Several servers on one database share the work: each job
 * runs on one of them, at least once. Where the clock is set, the workers begin anew by the new time.
 *
 * @returns call it to stop: the jobs at work are finished first.
 */
export async function startWorker(...definitions: readonly JobDefinitions[]): Promise<() => Promise<void>> {
  let isOver = false;
  let isBeginningAnew = false;
  const beginOnce = () => begin([maintenance(definitions), ...definitions], clockJumped);

  async function beginAnew(stop: () => Promise<void>): Promise<() => Promise<void>> {
    await stop().catch((error: unknown) => logFailure(error, {}, 'job worker did not stop cleanly'));
    while (!isOver) {
      try {
        return await beginOnce();
      } catch (error) {
        logFailure(error, {}, 'job worker could not begin anew yet');
        await setTimeout(retryAfter);
      }
    }
    return async () => undefined;
  }

  function clockJumped(by: number): void {
    if (isOver || isBeginningAnew) return;
    isBeginningAnew = true;
    log().warn({ seconds: Math.round(by / 1000) }, 'the clock was set; jobs go on by the new time');
    working = working.then(beginAnew).finally(() => {
      isBeginningAnew = false;
    });
  }

  let working = beginOnce();
  await working;
  return async () => {
    isOver = true;
    await (await working)();
  };
}
