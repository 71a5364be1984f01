import { pool } from '../db/pool';
import { removeInBatches } from '../db/remove-in-batches';
import { isTimeCertain } from '../jobs/clock';
import { everyMinutes, StandingJob } from '../jobs/job';

/**
 * Removes stored responses of requests with an Idempotency-Key after 24 hours. Those from a clock that was ahead expire 24
 * hours from now: their keys become free, but not while a client may still repeat the request.
 */
export async function removeExpiredAnswers(signal?: AbortSignal): Promise<void> {
  if (!(await isTimeCertain())) return;
  // A record without a response keeps its time, which distinguishes usage reports of this request from later ones.
  await pool().query(`UPDATE idempotent_requests SET created_at = now()
    WHERE created_at > now() + interval '1 minute' AND (status IS NOT NULL OR is_applied)`);
  await removeInBatches({
    table: 'idempotent_requests',
    condition: `created_at < now() - interval '24 hours'`,
    signal,
  });
}

export const expireAnswers = new StandingJob('remove-expired-answers', everyMinutes(60, 29), removeExpiredAnswers);
