import type pg from 'pg';
import { pool } from '../db/pool';
import { errorCodes } from '../errors';

/**
 * All access to private tables of graphile-worker, which has no functions for this. An upgrade may change them;
 * queue-tables.test.ts fails then.
 */

/** A job recorded as running. */
export interface HeldJob {
  id: string;
  worker: string;
  /** When the job was locked; distinguishes its runs. */
  since: string;
}

/** Unlocks these jobs and their queues; those taken by another worker since are left unchanged. */
export async function releaseHeldJobs(held: readonly HeldJob[]): Promise<void> {
  await pool().query(
    `WITH released AS (
      UPDATE graphile_worker._private_jobs jobs SET locked_by = NULL, locked_at = NULL, run_at = greatest(jobs.run_at, now())
      FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS lost(id, worker, since)
      WHERE jobs.id = lost.id AND jobs.locked_by = lost.worker AND jobs.locked_at = lost.since
      RETURNING jobs.job_queue_id, lost.worker)
    UPDATE graphile_worker._private_job_queues queues SET locked_by = NULL, locked_at = NULL
    FROM released WHERE queues.id = released.job_queue_id AND queues.locked_by = released.worker`,
    [held.map(({ id }) => id), held.map(({ worker }) => worker), held.map(({ since }) => since)],
  );
}

/** Resets cron lines with a last run after `latest` to `now`: cron does not run before its last run. */
export async function setLastCronRunsBack(now: Date, latest: Date): Promise<void> {
  await pool().query('UPDATE graphile_worker._private_known_crontabs SET last_execution = $1 WHERE last_execution > $2', [
    now,
    latest,
  ]);
}

/** How often and how long, in milliseconds, `removeIdleQueues` waits for a moment in which no job is being added. */
const [lockAttempts, lockPatience] = [10, 200];

/**
 * Removes the named queues of a kind of job that have no jobs, and jobs of that kind that were replaced while they ran and whose server
 * died. The queue looks at all rows of queues for each job, and never removes one.
 *
 * A job of a transaction that has not committed can't be seen, and would never run without its queue. So this waits until nobody is adding
 * jobs, but only for a moment, since others wait behind it; if there is none, the next night will do.
 * @param task the kind of job; names of its queues begin with it and a colon
 */
export async function removeIdleQueues(task: string): Promise<void> {
  for (let attempt = 1; attempt <= lockAttempts; attempt++) {
    const client = await pool().connect();
    try {
      await client.query('BEGIN');
      await removeUnlocked(client, task);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!errorCodes(error).includes('55P03')) throw error;
    } finally {
      client.release();
    }
  }
}

async function removeUnlocked(client: pg.PoolClient, task: string): Promise<void> {
  await client.query(
    `SET LOCAL lock_timeout = ${lockPatience}; LOCK TABLE graphile_worker._private_jobs IN SHARE ROW EXCLUSIVE MODE`,
  );
  await client.query({
    text: `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
      WHERE t.id = j.task_id AND t.identifier = $1 AND j.key IS NULL AND j.attempts >= j.max_attempts AND j.locked_at IS NULL`,
    values: [task],
  });
  await client.query({
    text: `DELETE FROM graphile_worker._private_job_queues q WHERE q.queue_name LIKE $1 AND q.locked_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.job_queue_id = q.id)`,
    values: [`${task}:%`],
  });
}

/** Waiting and running jobs, in the form of `add_job`; excludes those that failed permanently. */
export const jobsToKeep = `SELECT t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
  WHERE j.attempts < j.max_attempts ORDER BY j.id`;

/** True if the database has a job queue. */
export async function hasQueue(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS exists`,
  );
  return rows[0]?.exists ?? false;
}
