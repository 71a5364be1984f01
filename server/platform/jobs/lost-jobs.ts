import type { WorkerEvents } from 'graphile-worker';
import { pool } from '../db/pool';
import { log } from '../log';
import { type HeldJob, releaseHeldJobs } from './queue-tables';

/**
 * Jobs that are noted as at work in this process and are not: the database went away after it had given one out and before that was heard,
 * or when the end of one was to be noted, which the queue does not try twice. By itself the queue would leave them, and all others of
 * their queue, alone for four hours.
 */
export interface LostJobs {
  /** Gives free what was lost already when this was called the last time: what begins or ends at this moment only seems to be. */
  release: () => Promise<void>;
}

const interval = 15_000;

const keyOf = ({ id, since }: HeldJob) => `${id} ${since}`;

/** Listens to what the workers of this process do. */
export function findLostJobs(events: WorkerEvents): LostJobs {
  const workers = new Set<string>();
  const atWork = new Set<string>();
  let seemedLost = new Set<string>();
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));
  events.on('job:start', ({ job }) => atWork.add(job.id));
  events.on('job:complete', ({ job }) => atWork.delete(job.id));

  const release = async () => {
    const { rows } = await pool().query<HeldJob>(
      'SELECT id::text, locked_by AS worker, locked_at::text AS since FROM graphile_worker.jobs WHERE locked_by = ANY($1)',
      [[...workers]],
    );
    const idle = rows.filter(({ id }) => !atWork.has(id));
    const lost = idle.filter((job) => seemedLost.has(keyOf(job)));
    seemedLost = new Set(idle.map(keyOf));
    if (lost.length === 0) return;
    await releaseHeldJobs(lost);
    log().warn({ jobs: lost.length }, 'jobs whose end could not be noted are begun again');
  };
  return { release };
}

/** Looks for them again and again. @returns call it to stop */
export function keepReleasing(lostJobs: LostJobs): () => void {
  // While the database is away there is nothing to give free; the next time comes.
  const timer = setInterval(() => void lostJobs.release().catch(() => undefined), interval);
  timer.unref();
  return () => clearInterval(timer);
}
