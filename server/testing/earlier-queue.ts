import type pg from 'pg';

/** The queue of versions before 0.8.8: those of its tables and columns in which jobs wait. */

const schema = `CREATE SCHEMA graphile_worker;
  CREATE TABLE graphile_worker._private_tasks (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identifier text NOT NULL UNIQUE);
  CREATE TABLE graphile_worker._private_job_queues (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, queue_name text NOT NULL UNIQUE,
    locked_at timestamptz, locked_by text);
  CREATE TABLE graphile_worker._private_jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job_queue_id int, task_id int NOT NULL,
    payload json NOT NULL, priority smallint NOT NULL, run_at timestamptz NOT NULL, attempts smallint NOT NULL,
    max_attempts smallint NOT NULL, key text UNIQUE, locked_at timestamptz, locked_by text)`;

export interface EarlierJob {
  task: string;
  key: string | null;
  payload: object;
  queue?: string;
  priority?: number;
  runAt?: Date;
  attempts?: number;
  /** It was at work when the server stopped. */
  isLocked?: boolean;
}

/** Makes such a queue in a database of that time. */
export async function makeEarlierQueue(client: pg.ClientBase, jobs: readonly EarlierJob[]): Promise<void> {
  await client.query(schema);
  for (const { task, key, payload, queue, priority = 0, runAt, attempts = 0, isLocked = false } of jobs) {
    await client.query(
      `WITH task AS (INSERT INTO graphile_worker._private_tasks (identifier) VALUES ($1)
          ON CONFLICT (identifier) DO UPDATE SET identifier = excluded.identifier RETURNING id),
        queue AS (INSERT INTO graphile_worker._private_job_queues (queue_name) SELECT $2 WHERE $2::text IS NOT NULL
          ON CONFLICT (queue_name) DO UPDATE SET queue_name = excluded.queue_name RETURNING id)
      INSERT INTO graphile_worker._private_jobs
        (job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, key, locked_at, locked_by)
      VALUES ((SELECT id FROM queue), (SELECT id FROM task), $3, $4, coalesce($5, now()), $6, 25, $7, $8, $9)`,
      [
        task,
        queue ?? null,
        payload,
        priority,
        runAt ?? null,
        attempts,
        key,
        isLocked ? new Date() : null,
        isLocked ? 'worker-1' : null,
      ],
    );
  }
}
