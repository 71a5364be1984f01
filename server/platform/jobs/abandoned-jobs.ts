import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { makeWorkerUtils, type WorkerEvents } from 'graphile-worker';
import { withLease } from '../db/lease';
import { pool } from '../db/pool';
import { log } from '../log';
import { workerLogger } from './worker-logger';

/**
 * Recovers jobs of a server that died while running them. By default the queue would block them, and all others of their queue,
 * for four hours. So each process' workers hold a lease, which ends with the process; if another process can take it, they are
 * gone. The queue records one name for all workers of a process, that of their pool.
 */
const leaseOf = (poolId: string) => `workers:${poolId}`;

/** Takes this process' lease. @returns events for the queue, and a function to call once the workers have stopped */
export function holdWorkerLease(): { events: WorkerEvents; releaseLease: () => void } {
  const events: WorkerEvents = new EventEmitter();
  let releaseLease: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    releaseLease = resolve;
  });
  events.on('pool:create', ({ workerPool }) => {
    void holdUntil(stopped, leaseOf(workerPool.id));
  });
  return { events, releaseLease };
}

const retryAfter = 1_000;

/** Holds a lease, and retakes it if its connection was lost. */
async function holdUntil(stopped: Promise<void>, key: string): Promise<void> {
  let isOver = false;
  void stopped.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await withLease(key, (lost) => Promise.race([stopped, lost])).catch(() => undefined);
    if (!isOver) await setTimeout(retryAfter, undefined, { ref: false });
  }
}

/** Releases the jobs of dead workers. Safe at any time, since jobs can be run again. */
export async function releaseAbandonedJobs(): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    'SELECT DISTINCT locked_by AS id FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
  );
  const abandoned: string[] = [];
  for (const { id } of rows) await withLease(leaseOf(id), async () => abandoned.push(id));
  if (abandoned.length === 0) return;
  const utils = await makeWorkerUtils({ pgPool: pool(), logger: workerLogger });
  await utils.forceUnlockWorkers(abandoned).finally(() => utils.release());
  log().info({ workers: abandoned.length }, 'jobs of a server that is gone were taken over');
}
