import { afterAll, expect, test } from 'vitest';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { releaseAbandonedJobs } from './abandoned-jobs';
import { addJob } from './queue';
import { startWorker } from './worker';

withFreshDatabase();

afterAll(closeLeases);

test('a job that a server had at work when it died is done by the next one at once', async () => {
  await addJob(pool(), 'left', {}, { queue: 'one' });
  await pool().query(`UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now()`);
  await pool().query(`UPDATE graphile_worker._private_job_queues SET locked_by = 'gone', locked_at = now()`);
  let runs = 0;
  const left = async () => {
    runs++;
  };
  const stop = await startWorker({ tasks: { left }, crontab: [] });
  await expect.poll(() => runs).toBe(1);
  await stop();
});

test('a job at work stays with its worker', async () => {
  let runs = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = async () => {
    runs++;
    await finished;
  };
  const stop = await startWorker({ tasks: { slow }, crontab: [] });
  await addJob(pool(), 'slow', {});
  await expect.poll(() => runs).toBe(1);
  await releaseAbandonedJobs();
  const { rows } = await pool().query('SELECT count(*)::int AS locked FROM graphile_worker.jobs WHERE locked_by IS NOT NULL');
  expect(rows).toEqual([{ locked: 1 }]);
  finish();
  await stop();
});
