import type { Task } from 'graphile-worker';
import { pool } from '../db/pool';
import { removeInBatches } from '../db/remove-in-batches';
import { isTimeCertain } from '../jobs/clock-jump';
import type { JobDefinitions } from '../jobs/worker';

/**
 * Removes stored responses of requests with an Idempotency-Key after 24 hours. Those from a clock that was ahead expire 24
 * hours from now: their keys become free, but not while a client may still repeat the request.
 */
export const removeExpiredAnswers: Task = async (_payload, helpers) => {
  if (!(await isTimeCertain())) return;
  // A record without a response keeps its time, which distinguishes usage reports of this request from later ones.
  await pool().query(`UPDATE idempotent_requests SET created_at = now()
    WHERE created_at > now() + interval '1 minute' AND (status IS NOT NULL OR is_applied)`);
  await removeInBatches({
    table: 'idempotent_requests',
    condition: `created_at < now() - interval '24 hours'`,
    signal: helpers?.abortSignal,
  });
};

export const operationJobs: JobDefinitions = {
  tasks: { 'remove-expired-answers': removeExpiredAnswers },
  crontab: ['29 * * * * remove-expired-answers ?fill=1h'],
};
