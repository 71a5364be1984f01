import { besidePool } from '../db/listen';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { transaction } from '../db/transaction';
import { type Every, type Lane, lanes, standingKey } from './job';

/** What a worker does with the table of jobs. All times are the database's. */

/** A job that this process has claimed. */
export interface ClaimedJob {
  id: string;
  kind: string;
  payload: object;
  attempts: number;
  fence: number;
}

interface Claimed {
  jobs: ClaimedJob[];
  /** Seconds until the next one of the lane is due; null if none waits. */
  nextIn: number | null;
}

interface Request {
  lane: Lane;
  holderId: string;
  limit: number;
  /** Kinds that this process knows: servers of another version may have others. */
  kinds: readonly string[];
  /**
   * After a claim that failed, all jobs of this process that are at work: the database may have carried the claim out without an answer.
   */
  atWork: readonly string[] | null;
}

type ClaimRow = { [Column in keyof ClaimedJob]: ClaimedJob[Column] | null } & { nextIn: number | null };

/**
 * Claims what is due in a lane, at most `limit` jobs. One process at a time does so for a lane, so that the number of jobs with the same
 * destination holds over all of them. Jobs behind many of a full destination are found by the next call, so call it until it claims none.
 */
export async function claimJobs({ lane, holderId, limit, kinds, atWork }: Request): Promise<Claimed> {
  const found = await transaction({ kind: 'system', cause: 'upkeep' }, async (client) => {
    await client.query({
      name: 'jobs-lane',
      text: `SELECT pg_advisory_xact_lock(hashtextextended('jobs:' || $1, 1))`,
      values: [lane],
    });
    // The lock means that no earlier claim is still open.
    if (atWork) {
      await client.query({
        name: 'jobs-unanswered',
        text: `UPDATE jobs SET holder_id = NULL, fence = fence + 1 WHERE lane = $1 AND holder_id = $2 AND id <> ALL ($3::bigint[])`,
        values: [lane, holderId, atWork],
      });
    }
    return rows<ClaimRow>(client, {
      name: 'jobs-claim',
      text: `WITH busy AS MATERIALIZED (
          SELECT destination, count(*)::int AS running FROM jobs
          WHERE lane = $1 AND holder_id IS NOT NULL AND destination IS NOT NULL GROUP BY destination
        ), due AS MATERIALIZED (
          SELECT id, destination, due_at FROM jobs
          WHERE lane = $1 AND holder_id IS NULL AND due_at <= now() AND kind = ANY ($5)
            AND (destination IS NULL OR destination <> ALL (ARRAY(SELECT destination FROM busy WHERE running >= $4)))
          ORDER BY due_at LIMIT $2 * 5 FOR UPDATE SKIP LOCKED
        ), ranked AS (
          SELECT d.*, coalesce(b.running, 0) + row_number() OVER (PARTITION BY destination ORDER BY d.due_at, d.id) AS place
          FROM due d LEFT JOIN busy b USING (destination)
        ), claimed AS (
          UPDATE jobs SET holder_id = $3, attempts = attempts + 1, fence = fence + 1
          FROM (SELECT id FROM ranked WHERE destination IS NULL OR place <= $4 ORDER BY due_at, id LIMIT $2) chosen
          WHERE jobs.id = chosen.id RETURNING jobs.id, kind, payload, attempts, fence
        )
        SELECT claimed.id::text, claimed.kind, claimed.payload, claimed.attempts, claimed.fence, next.seconds AS "nextIn"
        FROM (SELECT extract(epoch FROM min(due_at) - now())::float8 AS seconds FROM (
            SELECT due_at FROM jobs WHERE lane = $1 AND holder_id IS NULL AND due_at > now() ORDER BY due_at LIMIT 1) waiting
          ) next LEFT JOIN claimed ON true`,
      values: [lane, limit, holderId, lanes[lane].perDestination, kinds],
    });
  });
  const jobs = found.filter((row): row is ClaimRow & ClaimedJob => row.id !== null);
  return { jobs, nextIn: found[0]?.nextIn ?? null };
}

/** How a run ended. */
export interface EndedJob {
  id: string;
  fence: number;
  /** Of a standing job, which is due again. */
  every: Every | undefined;
  /** Why it failed, and in how many seconds it is tried again. */
  failure: { error: string; retryIn: number } | null;
}

/** SQL for the next time of a rhythm. */
const nextRun = (seconds: string, later: string) =>
  `to_timestamp((floor((extract(epoch FROM clock_timestamp())::float8 - ${later}) / ${seconds}) + 1) * ${seconds} + ${later})`;

/**
 * Records the ends of runs. A job is removed if its work is done, unless it was scheduled again while it ran. What another process has taken
 * over stays as it is. Repeatable.
 */
export async function recordEnds(ended: readonly EndedJob[]): Promise<void> {
  const done = ended.filter(({ every, failure }) => !every && !failure);
  const removed = await rows<{ id: string }>(pool(), {
    name: 'jobs-done',
    text: `DELETE FROM jobs USING unnest($1::bigint[], $2::int[]) AS ended(id, fence)
      WHERE jobs.id = ended.id AND jobs.fence = ended.fence AND NOT is_rescheduled RETURNING jobs.id::text`,
    values: [done.map(({ id }) => id), done.map(({ fence }) => fence)],
  });
  const removedIds = new Set(removed.map(({ id }) => id));
  const others = ended.filter(({ id }) => !removedIds.has(id));
  if (others.length === 0) return;
  const given = others.map(({ id, fence, every, failure }) => ({ id, fence, ...every, ...failure }));
  await pool().query({
    name: 'jobs-again',
    text: `UPDATE jobs SET holder_id = NULL, is_rescheduled = false, last_error = error,
        attempts = CASE WHEN error IS NULL OR is_rescheduled THEN 0 ELSE attempts END,
        due_at = CASE
          WHEN error IS NULL AND (is_rescheduled OR seconds IS NULL) THEN due_at
          WHEN error IS NULL THEN ${nextRun('seconds', 'later')}
          WHEN is_rescheduled THEN least(due_at, clock_timestamp() + make_interval(secs => "retryIn"))
          ELSE clock_timestamp() + make_interval(secs => "retryIn") END
      FROM jsonb_to_recordset($1::jsonb) AS ended(id bigint, fence int, seconds float8, later float8, error text, "retryIn" float8)
      WHERE jobs.id = ended.id AND jobs.fence = ended.fence AND holder_id IS NOT NULL`,
    values: [JSON.stringify(given)],
  });
}

/** Adds the standing jobs, and brings those forward that are due later than they should: a clock was ahead, or their rhythm has changed. */
export async function keepStanding(standing: readonly { kind: string; lanes: readonly Lane[]; every: Every }[]): Promise<void> {
  const given = standing.map(({ kind, lanes: [lane], every }) => ({ kind, lane, ...every }));
  await pool().query({
    name: 'jobs-standing',
    text: `INSERT INTO jobs (kind, lane, key, payload, due_at)
      SELECT kind, lane, $2, '{}', ${nextRun('seconds', 'later')}
      FROM jsonb_to_recordset($1::jsonb) AS given(kind text, lane text, seconds float8, later float8) ORDER BY kind
      ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at WHERE jobs.due_at > excluded.due_at AND jobs.holder_id IS NULL`,
    values: [JSON.stringify(given), standingKey],
  });
}

/** Jobs that were scheduled by a clock that was ahead are due at once; they look at the time themselves. */
export async function correctTimes(): Promise<void> {
  await pool().query({
    name: 'jobs-correct-times',
    text: `UPDATE jobs SET due_at = least(due_at, now()), scheduled_at = now()
      WHERE scheduled_at > now() + interval '1 minute' AND holder_id IS NULL`,
    values: [],
  });
}

export async function addWorker(id: string): Promise<void> {
  const text = 'INSERT INTO job_workers (id) VALUES ($1) ON CONFLICT DO NOTHING';
  await besidePool((db) => rows(db, { name: 'job-worker-add', text, values: [id] }));
}

export interface WorkerBeat {
  id: string;
  beat: string;
}

interface Beat {
  /** False if another worker has removed this one. */
  isKnown: boolean;
  now: Date;
  others: WorkerBeat[];
}

/** Shows that a worker is alive, also while requests hold all connections, and reads those of other processes. */
export async function beat(id: string): Promise<Beat> {
  const text = `WITH own AS (UPDATE job_workers SET beat = beat + 1 WHERE id = $1 RETURNING id)
    SELECT EXISTS (SELECT 1 FROM own) AS "isKnown", clock_timestamp() AS now,
      coalesce((SELECT json_agg(json_build_object('id', id, 'beat', beat::text)) FROM job_workers WHERE id <> $1), '[]') AS others`;
  const [found] = await besidePool((db) => rows<Beat>(db, { name: 'job-worker-beat', text, values: [id] }));
  if (!found) throw new Error('unreachable');
  return found;
}

/**
 * Removes workers that have stopped or died, and frees their jobs, which are due at once. An end that one of them records later changes
 * nothing, also if no other worker has claimed the job since.
 */
export async function removeWorkers(ids: readonly string[]): Promise<void> {
  await pool().query({
    name: 'job-workers-remove',
    text: `WITH freed AS (
        UPDATE jobs SET holder_id = NULL, fence = fence + 1, is_rescheduled = false, due_at = least(due_at, now())
        WHERE holder_id = ANY ($1)
      ) DELETE FROM job_workers WHERE id = ANY ($1)`,
    values: [ids],
  });
}
