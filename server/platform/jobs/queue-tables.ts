import type pg from 'pg';
import { pool } from '../db/pool';

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
