import type { ApiKeyActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import { oncePerProcess } from '@/server/platform/process-globals';

/**
 * The daily limit: requests per key and UTC day (contract section 3). The count is one row per key and day, incremented only
 * below the limit: of 300 concurrent requests with 100 left, exactly 100 pass. Unlimited plans are not counted.
 */
export interface DailyCount {
  /** The counted day, as `YYYY-MM-DD`. */
  day: string;
  limit: number;
  /** When the day ends, in Unix seconds. */
  reset: number;
  headers: Record<string, string>;
}

function limitHeaders(limit: number, remaining: number, resetSeconds: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}

interface CountRow {
  /** Null if the limit was reached and nothing was counted. */
  requests: number | null;
  day: string;
  reset: number;
  now: number;
}

/**
 * Counts one request of this key.
 * @returns null for a plan without a limit
 * @throws AppError rate_limit_exceeded, with the same headers as a successful response
 */
export function countRequest(actor: ApiKeyActor): Promise<DailyCount> | null {
  const { dailyRequestsPerKey: limit } = planTerms[actor.plan];
  return limit === null ? null : count(actor, limit);
}

async function count(actor: ApiKeyActor, limit: number): Promise<DailyCount> {
  const { label } = planTerms[actor.plan];
  const [row] = await rows<CountRow>(pool(), {
    name: 'daily-limit-count',
    text: `WITH clock AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day), counted AS (
        INSERT INTO api_key_daily_usage AS used (api_key_id, day, requests) SELECT $1, day, 1 FROM clock
        ON CONFLICT (api_key_id, day) DO UPDATE SET requests = used.requests + 1 WHERE used.requests < $2
        RETURNING requests
      )
      SELECT (SELECT requests FROM counted) AS requests, day::text,
        extract(epoch FROM (day + 1)::timestamp AT TIME ZONE 'UTC')::float8 AS reset, extract(epoch FROM now())::float8 AS now
      FROM clock`,
    values: [actor.apiKeyId, limit],
  });
  if (!row) throw new Error('the daily count gave no row');
  if (row.requests === null) {
    throw new AppError('rate_limit_exceeded', `The plan ${label} allows ${limit} requests a day and key.`, {
      details: { limit, remaining: 0, resetAt: new Date(row.reset * 1000).toISOString(), plan: label },
      headers: { ...limitHeaders(limit, 0, row.reset), 'Retry-After': String(Math.max(1, Math.ceil(row.reset - row.now))) },
    });
  }
  const { day, requests, reset } = row;
  return { day, limit, reset, headers: limitHeaders(limit, limit - requests, reset) };
}

/** Requests of one key and day that are uncounted by one statement. */
interface Uncounting {
  requests: number;
  done: Promise<DailyCount['headers'] | undefined>;
  /** Those that came meanwhile: they wait for this statement, as the database would make them do, but without a connection. */
  next: Uncounting | null;
}

function uncounting(): Map<string, Uncounting> {
  return oncePerProcess('daily-limit-uncounting', () => new Map<string, Uncounting>());
}

/**
 * Uncounts a request that failed because of a server error, or whose answer the client has already. It was counted before its
 * work, so that a key at its limit causes none: that key's conditional requests are refused as well.
 * @returns the headers of the limit without the request
 */
export function uncountRequest(actor: ApiKeyActor, count: DailyCount): Uncounting['done'] {
  const id = `${actor.apiKeyId} ${count.day}`;
  const current = uncounting().get(id);
  if (current?.next) {
    current.next.requests++;
    return current.next.done;
  }
  const own: Uncounting = { requests: 1, done: Promise.resolve(undefined), next: null };
  const start = () => {
    uncounting().set(id, own);
    return subtract(actor, count, own.requests).finally(() => {
      if (!own.next) uncounting().delete(id);
    });
  };
  if (current) current.next = own;
  own.done = current ? current.done.then(start, start) : start();
  return own.done;
}

async function subtract(
  actor: ApiKeyActor,
  { day, limit, reset }: DailyCount,
  requests: number,
): Promise<DailyCount['headers'] | undefined> {
  const [row] = await rows<{ requests: number }>(pool(), {
    name: 'daily-limit-uncount',
    text: `UPDATE api_key_daily_usage SET requests = greatest(requests - $3, 0) WHERE api_key_id = $1 AND day = $2 RETURNING requests`,
    values: [actor.apiKeyId, day, requests],
  });
  return row && limitHeaders(limit, limit - row.requests, reset);
}
