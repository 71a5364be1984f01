import type { Queryable } from '../db/sql';
import type { StatementRunner } from '../db/transaction';

/** When and how often a job runs. */
export interface JobOptions {
  /** Replaces a waiting job with this key, so that nothing is queued twice. */
  key?: string;
  /** Immediately by default. */
  runAt?: Date;
  /** Jobs of one queue run sequentially, on any server. */
  queue?: string;
  /** Lower ones run first; 0 by default. */
  priority?: number;
}

/** Adds several jobs that run immediately, each with its key, in one statement. Lower priorities run first; 0 by default. */
export async function addJobs(
  db: StatementRunner,
  name: string,
  jobs: readonly { key: string; payload: object; priority?: number }[],
): Promise<void> {
  await db.query({
    name: 'jobs-add',
    text: `SELECT graphile_worker.add_job($1, payload, job_key := key, priority := coalesce(priority, 0))
      FROM json_to_recordset($2) AS given(key text, payload json, priority int)`,
    values: [name, JSON.stringify(jobs)],
  });
}

/** Removes a waiting job with this key; a running one continues. */
export async function removeJob(db: Queryable, key: string): Promise<void> {
  await db.query({ name: 'job-remove', text: 'SELECT graphile_worker.remove_job($1)', values: [key] });
}

/** Adds a job on the given connection; in a transaction, it exists only if the transaction commits. */
export async function addJob(
  db: Queryable,
  name: string,
  payload: object,
  { key, runAt, queue, priority }: JobOptions = {},
): Promise<void> {
  await db.query({
    name: 'job-add',
    text: `SELECT graphile_worker.add_job($1, $2::json, run_at := coalesce($3::timestamptz, now()), job_key := $4, queue_name := $5,
      priority := coalesce($6, 0))`,
    values: [name, JSON.stringify(payload), runAt?.toISOString() ?? null, key ?? null, queue ?? null, priority ?? null],
  });
}
