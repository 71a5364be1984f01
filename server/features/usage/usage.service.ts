import { createHash } from 'node:crypto';
import { type IdentityActor, requestOf } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError, type FieldErrors } from '@/server/platform/errors';
import { fieldErrorsOf } from '@/server/platform/fields.schema';
import { type Plan, planTerms } from '@/server/platform/plan';
import { monthlyLimitsOf } from './plan-limits';
import {
  type Meter,
  type TrackBatchInput,
  type Tracked,
  type TrackedBatch,
  type TrackInput,
  trackInput,
  type UsageStats,
} from './usage.schema';
import { serializeRecord } from './usage.statement';
import { writeRecords } from './usage.writer';

/**
 * Adds an `eventId` to a record that has none but came under an Idempotency-Key: records are written together with those of
 * other requests, and only the `eventId` keeps one from counting twice.
 */
function countedOnce(actor: IdentityActor, record: TrackInput, index: number): TrackInput {
  const claimed = requestOf(actor)?.idempotency;
  if (claimed === undefined || record.eventId !== undefined || actor.kind !== 'apiKey') return record;
  const digest = createHash('sha256').update(`${actor.apiKeyId}\0${claimed.key}\0${claimed.since}\0${index}`).digest('base64url');
  return { ...record, eventId: `idempotency-key:${digest}` };
}

/** `POST /usage/track`: durable when it responds. A repeated `eventId` returns the first record and counts once. */
export async function trackUsage(actor: IdentityActor, record: TrackInput): Promise<Tracked> {
  const [written] = await writeRecords(actor.identityId, [serializeRecord(countedOnce(actor, record, 0))]);
  if (!written) throw new Error('nothing was written');
  return { success: true, id: written.id, createdAt: written.createdAt.toISOString() };
}

/** A key acts for its own identity only, in every record as in any body. */
function refuseOverride(actor: IdentityActor, records: readonly unknown[]): void {
  for (const record of records) {
    if (typeof record !== 'object' || record === null || !('identityId' in record)) continue;
    const { identityId } = record;
    if (typeof identityId === 'string' && identityId.toLowerCase() === actor.identityId) continue;
    throw new AppError('identity_override', 'identityId does not match the API key');
  }
}

/** All problems of a record in one line. */
function describe(fields: FieldErrors): string {
  return Object.entries(fields)
    .map(([field, problem]) => `${field} ${problem}`)
    .join('; ');
}

/**
 * `POST /usage/track/batch`: every record is validated separately; the valid ones are written together.
 *
 * @throws AppError identity_override if a record names another identity; nothing is written then.
 */
export async function trackUsageBatch(actor: IdentityActor, input: TrackBatchInput): Promise<TrackedBatch> {
  refuseOverride(actor, input.records);
  const judged = input.records.map((record) => trackInput.safeParse(record));
  const sound = judged.flatMap((parsed, index) =>
    parsed.success ? [serializeRecord(countedOnce(actor, parsed.data, index))] : [],
  );
  const ids = (await writeRecords(actor.identityId, sound)).map(({ id }) => id).values();
  const results = judged.map((parsed, index) =>
    parsed.success ? { index, id: ids.next().value } : { index, error: describe(fieldErrorsOf(parsed.error, 'record')) },
  );
  return { success: sound.length === judged.length, results };
}

const grouped = new Intl.NumberFormat('en-US');

/** A meter in the form of the specification's "Usage statistics". */
export function meter(current: number, limit: number): Meter {
  if (limit < 0) return { current, limit: -1, percentage: 0, formatted: `${grouped.format(current)} / Unlimited` };
  const percentage = limit === 0 ? (current > 0 ? 100 : 0) : Math.round((current / limit) * 1000) / 10;
  return { current, limit, percentage, formatted: `${grouped.format(current)} / ${grouped.format(limit)}` };
}

/** `GET /usage/stats`: usage of this UTC month, from sums that are maintained with every record. */
export async function getUsageStats(actor: IdentityActor): Promise<UsageStats> {
  const [row] = await rows<{ plan: Plan; tokens: number; executions: number; start: string; end: string }>(pool(), {
    name: 'usage-stats',
    isoTimes: true,
    text: `SELECT i.plan, coalesce(sum(m.tokens), 0)::float8 AS tokens, coalesce(sum(m.executions), 0)::float8 AS executions,
        c.month::timestamp AT TIME ZONE 'UTC' AS start,
        (c.month + interval '1 month') AT TIME ZONE 'UTC' AS "end"
      FROM ${identities} i
      CROSS JOIN (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) c
      LEFT JOIN usage_months m ON m.identity_id = i.id AND m.month = c.month
      WHERE i.id = $1 GROUP BY i.plan, c.month`,
    values: [actor.identityId],
  });
  if (!row) throw new AppError('identity_not_found', 'The identity no longer exists.');
  const limits = monthlyLimitsOf(row.plan);
  return {
    tokenUsage: meter(row.tokens, limits.tokens),
    executions: meter(row.executions, limits.executions),
    plan: planTerms[row.plan].label,
    period: { start: row.start, end: row.end },
  };
}
