import type { Queryable } from '../db/sql';
import type { StatementRunner } from '../db/transaction';

/** When and how often a job runs. */
export interface JobOptions {
  /** A job of this key that waits already is replaced, so that one thing is never queued twice. */
  key?: string;
  /** Now unless said otherwise. */
  runAt?: Date;
  /** Jobs of one queue run one after the other, on whichever server. */
  queue?: string;
}

/** Adds several jobs that run now, each under its key, in one statement. */
export async function addJobs(
  db: StatementRunner,
  name: string,
  jobs: readonly { key: string; payload: object }[],
): Promise<void> {
  await db.query({
    name: 'jobs-add',
    text: `SELECT graphile_worker.add_job($1, payload, job_key := key) FROM json_to_recordset($2) AS given(key text, payload json)`,
    values: [name, JSON.stringify(jobs)],
  });
}

/** Drops a job that waits under this key; one at work goes on. */
export async function removeJob(db: Queryable, key: string): Promise<void> {
  await db.query({ name: 'job-remove', text: 'SELECT graphile_worker.remove_job($1)', values: [key] });
}

/** Adds a job on the given connection: inside a transaction it exists if, and only if, the transaction succeeds. */
export async function addJob(
  db: Queryable,
  name: string,
  payload: object,
  { key, runAt, queue }: JobOptions = {},
): Promise<void> {
  await db.query({
    name: 'job-add',
    text: `SELECT graphile_worker.add_job($1, $2::json, run_at := coalesce($3::timestamptz, now()), job_key := $4, queue_name := $5)`,
    values: [name, JSON.stringify(payload), runAt?.toISOString() ?? null, key ?? null, queue ?? null],
  });
}
