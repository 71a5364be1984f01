import type { ApiKeyActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';

/**
 * The daily limit: requests per key and UTC day (contract section 3). The count is one row per key and day, incremented only
 * below the limit: of 300 concurrent requests with 100 left, exactly 100 pass. Unlimited plans are not counted.
 */
export interface DailyCount {
  /** The counted day, as `YYYY-MM-DD`. */
  day: string;
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
  return { day: row.day, headers: limitHeaders(limit, limit - row.requests, row.reset) };
}

/** Uncounts a request that failed because of a server error. */
export async function uncountRequest(actor: ApiKeyActor, count: DailyCount): Promise<void> {
  await pool().query({
    name: 'daily-limit-uncount',
    text: 'UPDATE api_key_daily_usage SET requests = requests - 1 WHERE api_key_id = $1 AND day = $2 AND requests > 0',
    values: [actor.apiKeyId, count.day],
  });
}
