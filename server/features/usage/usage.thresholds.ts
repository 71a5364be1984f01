import { type Change, change, emit } from '@/server/features/events/emit.service';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { logFailure } from '@/server/platform/outage-log';
import { type MonthlyLimits, type Plan, planTerms } from '@/server/platform/plan';
import { oncePerProcess } from '@/server/platform/process-globals';
import { monthlyLimitsOf } from './plan-limits';
import { figures, thresholds, type UsageThreshold, usageEvents } from './usage.events.schema';

/**
 * Events when usage reaches 80 and 100 per cent of a plan's figure. The sums are spread over rows that requests add to without
 * waiting for each other, so no request knows the total. Each process looks it up after a write, but only once it has written a
 * fair part of what is missing since it looked last, or a minute has passed: far below a threshold that is rarely. Of writes at the
 * same time, the last one sees them all. The database holds that each event is written once.
 */

type Usage = MonthlyLimits;

/** What one process may write before it looks again, as a share of what is missing: more servers than this never run. */
const shareWithoutLook = 1 / 16;
/** Milliseconds until it looks in any case: another plan, other servers. */
const lookAgainAfter = 60_000;
/** Identities that are remembered; forgetting one costs a look. */
const rememberedMaximum = 10_000;

interface Look {
  month: string;
  at: number;
  /** What may be written until the next look. */
  left: Usage;
}

function looks(): Map<string, Look> {
  return oncePerProcess('usage-thresholds', () => new Map<string, Look>());
}

interface MonthRow extends Usage {
  plan: Plan;
  month: string;
  start: string;
  end: string;
}

async function readMonth(identityId: string, at: Date): Promise<MonthRow | undefined> {
  const [row] = await rows<MonthRow>(pool(), {
    name: 'usage-threshold-month',
    isoTimes: true,
    text: `SELECT i.plan, to_char(c.month, 'YYYY-MM') AS month, coalesce(sum(m.tokens), 0)::float8 AS tokens,
        coalesce(sum(m.executions), 0)::float8 AS executions, c.month::timestamp AT TIME ZONE 'UTC' AS start,
        (c.month + interval '1 month') AT TIME ZONE 'UTC' AS "end"
      FROM ${identities} i CROSS JOIN (SELECT date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date AS month) c
      LEFT JOIN usage_months m ON m.identity_id = i.id AND m.month = c.month
      WHERE i.id = $1 GROUP BY i.plan, c.month`,
    values: [identityId, at],
  });
  return row;
}

/** The use at which a threshold is reached; nothing used reaches none, and no limit has none. */
function reachedAt(limit: number, threshold: number): number {
  return limit < 0 ? Number.POSITIVE_INFINITY : Math.max(1, (limit * threshold) / 100);
}

function reached(row: MonthRow): Change[] {
  const limits = monthlyLimitsOf(row.plan);
  const { month, start, end } = row;
  return figures.flatMap((figure) =>
    thresholds.flatMap((threshold) => {
      const [current, limit] = [row[figure], limits[figure]];
      if (current < reachedAt(limit, threshold)) return [];
      const percentage = limit === 0 ? 100 : Math.round((current / limit) * 1000) / 10;
      const plan = planTerms[row.plan].label;
      const object: UsageThreshold = { figure, threshold, current, limit, percentage, plan, period: { start, end } };
      const id = `${figure}-${month}-${threshold}`;
      return [change({ kind: usageEvents, type: 'usage.threshold_reached', id, object })];
    }),
  );
}

/** What may be written until the next threshold of a figure comes near. */
function leftOf(current: number, limit: number): number {
  const next = thresholds.map((threshold) => reachedAt(limit, threshold)).find((amount) => amount > current);
  return next === undefined ? Number.POSITIVE_INFINITY : (next - current) * shareWithoutLook;
}

async function look(identityId: string, at: Date): Promise<void> {
  const row = await readMonth(identityId, at);
  if (!row) return;
  const changes = reached(row);
  if (changes.length > 0) {
    const author = { kind: 'system', identityId, cause: 'upkeep' } as const;
    await transaction(author, (client) => emit(client, author, changes, { once: true }));
  }
  const limits = monthlyLimitsOf(row.plan);
  const left = { tokens: leftOf(row.tokens, limits.tokens), executions: leftOf(row.executions, limits.executions) };
  if (looks().size >= rememberedMaximum) looks().clear();
  looks().set(identityId, { month: row.month, at: performance.now(), left });
}

/**
 * Notes what has just been written for an identity. Never fails: the records are written, and the next ones look again.
 *
 * @param at the time of the records
 */
export async function noteUsage(identityId: string, { tokens, executions }: Usage, at: Date): Promise<void> {
  const last = looks().get(identityId);
  if (last && last.month === at.toISOString().slice(0, 7) && performance.now() - last.at < lookAgainAfter) {
    last.left.tokens -= tokens;
    last.left.executions -= executions;
    if (last.left.tokens > 0 && last.left.executions > 0) return;
  }
  try {
    await look(identityId, at);
  } catch (error) {
    looks().delete(identityId);
    logFailure(error, { identityId }, 'thresholds of usage could not be checked');
  }
}
