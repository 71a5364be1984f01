import type { IdentityActor } from '@/server/actor';
import { pool } from '@/server/db/pool';
import { retried, rows } from '@/server/db/sql';
import { AppError, type FieldErrors } from '@/server/errors';
import { type Plan, planTerms } from '@/server/plan';
import { fieldErrorsOf } from '../fields.schema';
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
import { type RecordRow, recordUsage, toRecordRow } from './usage.statement';

interface Written {
  id: string;
  created_at: Date;
}

/** Writes records and answers what stands in the database for each of them, in their order. */
async function write(identityId: string, records: RecordRow[]): Promise<Written[]> {
  const inserted = await retried(() => rows<Written>(pool(), recordUsage(identityId, records)));
  const byId = new Map(inserted.map((row) => [row.id, row]));
  const repeated = records.filter((record) => !byId.has(record.id));
  const byEvent = repeated.length === 0 ? new Map() : await findEvents(identityId, repeated);
  return records.map((record) => {
    const written = byId.get(record.id) ?? byEvent.get(record.event_id);
    if (!written) throw new Error('a usage record is neither new nor known');
    return written;
  });
}

/** The records that were written first under the same event ids. */
async function findEvents(identityId: string, records: RecordRow[]): Promise<Map<string | undefined, Written>> {
  const found = await rows<Written & { event_id: string }>(pool(), {
    name: 'usage-events',
    text: 'SELECT event_id, id, created_at FROM usage_records WHERE identity_id = $1 AND event_id = ANY($2)',
    values: [identityId, records.map((record) => record.event_id)],
  });
  return new Map(found.map((row) => [row.event_id, row]));
}

/** `POST /usage/track`: durable when it answers. The same `eventId` again answers with the first record and counts once. */
export async function trackUsage(actor: IdentityActor, record: TrackInput): Promise<Tracked> {
  const [written] = await write(actor.identityId, [toRecordRow(record)]);
  if (!written) throw new Error('nothing was written');
  return { success: true, id: written.id, createdAt: written.created_at.toISOString() };
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

/** Every problem of a record in one line. */
function describe(fields: FieldErrors): string {
  return Object.entries(fields)
    .map(([field, problem]) => `${field} ${problem}`)
    .join('; ');
}

/**
 * `POST /usage/track/batch`: every record is judged by itself; the sound ones are written together.
 *
 * @throws AppError identity_override where a record names another identity; nothing is written then.
 */
export async function trackUsageBatch(actor: IdentityActor, input: TrackBatchInput): Promise<TrackedBatch> {
  refuseOverride(actor, input.records);
  const judged = input.records.map((record, index) => ({ index, parsed: trackInput.safeParse(record) }));
  const sound = judged.flatMap(({ index, parsed }) => (parsed.success ? [{ index, row: toRecordRow(parsed.data) }] : []));
  const written =
    sound.length === 0
      ? []
      : await write(
          actor.identityId,
          sound.map(({ row }) => row),
        );
  const ids = new Map(sound.map(({ index }, position) => [index, written[position]?.id]));
  const results = judged.map(({ index, parsed }) =>
    parsed.success ? { index, id: ids.get(index) } : { index, error: describe(fieldErrorsOf(parsed.error, 'record')) },
  );
  return { success: sound.length === judged.length, results };
}

const grouped = new Intl.NumberFormat('en-US');

/** A meter as the specification's "Usage statistics" shows it. */
export function meter(current: number, limit: number): Meter {
  if (limit < 0) return { current, limit: -1, percentage: 0, formatted: `${grouped.format(current)} / Unlimited` };
  const percentage = limit === 0 ? (current > 0 ? 100 : 0) : Math.round((current / limit) * 1000) / 10;
  return { current, limit, percentage, formatted: `${grouped.format(current)} / ${grouped.format(limit)}` };
}

interface MonthRow {
  plan: Plan;
  tokens: number;
  executions: number;
  period_start: Date;
  period_end: Date;
}

/** `GET /usage/stats`: what was used this UTC month, from sums that are kept as records come in. */
export async function getUsageStats(actor: IdentityActor): Promise<UsageStats> {
  const [row] = await rows<MonthRow>(pool(), {
    name: 'usage-stats',
    text: `SELECT i.plan, coalesce(sum(m.tokens), 0)::float8 AS tokens, coalesce(sum(m.executions), 0)::float8 AS executions,
        c.month::timestamp AT TIME ZONE 'UTC' AS period_start,
        (c.month + interval '1 month') AT TIME ZONE 'UTC' AS period_end
      FROM identities i
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
    period: { start: row.period_start.toISOString(), end: row.period_end.toISOString() },
  };
}
