import type { WorkerEvents } from 'graphile-worker';
import { pool } from '../db/pool';
import { log } from '../log';
import { type HeldJob, releaseHeldJobs } from './queue-tables';

/**
 * Jobs that the queue records as running in this process but that are not: the database failed after handing one out, or when
 * one ended, which the queue does not retry. By default the queue would block them, and all others of their queue, for four
 * hours.
 */
export interface LostJobs {
  /** Releases jobs that were already lost at the previous call, since jobs that are just starting or ending look lost too. */
  release: () => Promise<void>;
}

const interval = 15_000;

const keyOf = ({ id, since }: HeldJob) => `${id} ${since}`;

/** Tracks the jobs of this process' workers. */
export function findLostJobs(events: WorkerEvents): LostJobs {
  const workers = new Set<string>();
  const running = new Set<string>();
  let idleBefore = new Set<string>();
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));
  events.on('job:start', ({ job }) => running.add(job.id));
  events.on('job:complete', ({ job }) => running.delete(job.id));

  const release = async () => {
    const { rows } = await pool().query<HeldJob>(
      'SELECT id::text, locked_by AS worker, locked_at::text AS since FROM graphile_worker.jobs WHERE locked_by = ANY($1)',
      [[...workers]],
    );
    const idle = rows.filter(({ id }) => !running.has(id));
    const lost = idle.filter((job) => idleBefore.has(keyOf(job)));
    idleBefore = new Set(idle.map(keyOf));
    if (lost.length === 0) return;
    await releaseHeldJobs(lost);
    log().warn({ jobs: lost.length }, 'jobs whose end could not be noted are begun again');
  };
  return { release };
}

/** Checks periodically. @returns a function that stops it */
export function keepReleasing(lostJobs: LostJobs): () => void {
  // While the database is unavailable nothing can be released; the next run retries.
  const timer = setInterval(() => void lostJobs.release().catch(() => undefined), interval);
  timer.unref();
  return () => clearInterval(timer);
}
