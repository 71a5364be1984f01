import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { pool } from '../db/pool';
import { addJob } from './queue';
import { hasQueue, jobsToKeep, releaseHeldJobs, setLastCronRunsBack } from './queue-tables';

withFreshDatabase();

test('the queue is the one whose private tables were read: look at queue-tables.ts before raising this version', () => {
  const { version } = createRequire(import.meta.url)('graphile-worker/package.json') as { version: string };
  expect(version).toBe('0.17.3');
});

test('its tables have the columns that are used', async () => {
  const client = await pool().connect();
  expect(await hasQueue(client)).toBe(true);
  client.release();
  await addJob(pool(), 'kept', { a: 1 }, { queue: 'one by one', key: 'k' });
  const kept = await pool().query(jobsToKeep);
  expect(kept.rows).toMatchObject([{ identifier: 'kept', payload: { a: 1 }, queue_name: 'one by one', key: 'k' }]);

  const held = await pool().query<{ id: string; since: string }>(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now() RETURNING id::text, locked_at::text AS since`,
  );
  await pool().query(`UPDATE graphile_worker._private_job_queues SET locked_by = 'gone', locked_at = now()`);
  await releaseHeldJobs(held.rows.map((job) => ({ ...job, worker: 'gone' })));
  const locked = await pool().query(`SELECT 1 FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL
    UNION ALL SELECT 1 FROM graphile_worker._private_job_queues WHERE locked_by IS NOT NULL`);
  expect(locked.rowCount).toBe(0);

  await pool().query(`INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    VALUES ('tick', now(), now() + interval '1 year')`);
  await setLastCronRunsBack(new Date(), new Date());
  const ahead = await pool().query('SELECT 1 FROM graphile_worker._private_known_crontabs WHERE last_execution > now()');
  expect(ahead.rowCount).toBe(0);
});
