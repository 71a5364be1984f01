import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { afterAll, expect, test } from 'vitest';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { findLostJobs } from './lost-jobs';
import { addJob } from './queue';
import { startWorker } from './worker';

withFreshDatabase();

afterAll(closeLeases);

/** Simulates the queue's events. */
function tellingEvents() {
  const events: WorkerEvents = new EventEmitter();
  const tell = (name: 'job:start' | 'job:complete', id: string) => (events as EventEmitter).emit(name, { job: { id } });
  const begin = () => (events as EventEmitter).emit('pool:create', { workerPool: { id: 'ours' } });
  return { events, tell, begin };
}

/** A job of the queue `name` that the database records as run by `worker`. */
async function jobAtWork(name: string, worker: string): Promise<string> {
  await addJob(pool(), name, {}, { queue: name });
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now()
    WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = $2) RETURNING id::text`,
    [worker, name],
  );
  await pool().query('UPDATE graphile_worker._private_job_queues SET locked_by = $1, locked_at = now() WHERE queue_name = $2', [
    worker,
    name,
  ]);
  return rows[0]?.id ?? '';
}

async function held(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    'SELECT id::text FROM graphile_worker.jobs WHERE locked_by IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

test('a job that nobody is at work on is given free, and is done', async () => {
  const { events, tell, begin } = tellingEvents();
  const { release } = findLostJobs(events);
  begin();
  const unheard = await jobAtWork('unheard', 'ours');
  const unnoted = await jobAtWork('unnoted', 'ours');
  tell('job:start', unnoted);
  tell('job:complete', unnoted);
  const busy = await jobAtWork('busy', 'ours');
  tell('job:start', busy);
  const elsewhere = await jobAtWork('elsewhere', 'another server');

  await release();
  expect(await held()).toEqual([unheard, unnoted, busy, elsewhere]);
  await release();
  expect(await held()).toEqual([busy, elsewhere]);

  const done: string[] = [];
  const note = (name: string) => async () => {
    done.push(name);
  };
  const tasks = { unheard: note('unheard'), unnoted: note('unnoted') };
  const stop = await startWorker({ tasks, crontab: [] });
  await expect.poll(() => done.sort()).toEqual(['unheard', 'unnoted']);
  await stop();
});

test('a job that is taken anew between two looks is not lost', async () => {
  const { events, begin } = tellingEvents();
  const { release } = findLostJobs(events);
  begin();
  const id = await jobAtWork('again', 'ours');
  await release();
  await pool().query(`UPDATE graphile_worker._private_jobs SET locked_at = locked_at + interval '1 second' WHERE id = $1`, [id]);
  await release();
  expect(await held()).toContain(id);
});
