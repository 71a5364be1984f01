import { afterAll, expect, test } from 'vitest';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { addJob } from './queue';
import { startWorker } from './worker';

withFreshDatabase();

afterAll(closeLeases);

test('workers whose first look for a job fails do not seem to work: they begin again, and find it', async () => {
  let runs = 0;
  const work = async () => {
    runs++;
  };
  const definitions = { tasks: { work }, crontab: [] };
  await addJob(pool(), 'work', {});
  await queryAsOwner('ALTER TABLE graphile_worker._private_tasks RENAME TO away');
  try {
    await expect(startWorker(definitions)).rejects.toThrow('_private_tasks');
  } finally {
    await queryAsOwner('ALTER TABLE graphile_worker.away RENAME TO _private_tasks');
  }
  const stop = await startWorker(definitions);
  await expect.poll(() => runs).toBe(1);
  await stop();
});
