import { type Change, change, emit } from '@/server/features/events/emit.service';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { maximumMailBytes } from '@/server/platform/mail/raw-mail';
import { type Plan, plans, planTerms } from '@/server/platform/plan';
import { quotasOf } from './plan-limits';
import { thresholds, type UsageThreshold, usageEvents } from './usage.events.schema';

/** Events when storage reaches 80 and 100 per cent of the plan, once a month each. */

interface FullRow {
  identityId: string;
  plan: Plan;
  bytes: number;
  month: string;
  start: string;
  end: string;
}

const [warning] = thresholds;

/**
 * The bytes at which a threshold is reached. What would go beyond the plan is refused, so storage seldom has exactly its size: it is
 * full when there is no room for a large message any more, and less than 1 per cent is free.
 */
function reachedAt(limit: number, threshold: UsageThreshold['threshold']): number {
  const bytes = threshold === 100 ? Math.max(limit * 0.99, limit - maximumMailBytes) : (limit * threshold) / 100;
  return Math.max(1, bytes);
}

/** The identities that use as much of their plan's storage as the first threshold, or more. */
function findNearlyFull(): Promise<FullRow[]> {
  const reached = plans.flatMap((plan) => {
    const { storageBytes } = quotasOf(plan);
    return storageBytes < 0 ? [] : [{ plan, bytes: reachedAt(storageBytes, warning) }];
  });
  return rows<FullRow>(pool(), {
    name: 'storage-nearly-full',
    isoTimes: true,
    text: `SELECT i.id AS "identityId", i.plan, s.bytes, to_char(c.month, 'YYYY-MM') AS month,
        c.month::timestamp AT TIME ZONE 'UTC' AS start, (c.month + interval '1 month') AT TIME ZONE 'UTC' AS "end"
      FROM (SELECT identity_id, sum(bytes)::float8 AS bytes FROM storage_usage GROUP BY identity_id) s
        JOIN ${identities} i ON i.id = s.identity_id
        JOIN json_to_recordset($1::json) AS reached(plan text, bytes float8) ON reached.plan = i.plan::text AND s.bytes >= reached.bytes
        CROSS JOIN (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) c
      ORDER BY i.id`,
    values: [JSON.stringify(reached)],
  });
}

function reachedBy({ plan, bytes, month, start, end }: FullRow): { threshold: UsageThreshold['threshold']; event: Change }[] {
  const { storageBytes: limit } = quotasOf(plan);
  return thresholds.flatMap((threshold) => {
    if (bytes < reachedAt(limit, threshold)) return [];
    const percentage = limit === 0 ? 100 : Math.round((bytes / limit) * 1000) / 10;
    const period = { start, end };
    const object: UsageThreshold = {
      ...{ figure: 'storage', threshold, current: bytes, limit, percentage, plan: planTerms[plan].label, period },
    };
    const id = `storage-${month}-${threshold}`;
    return [{ threshold, event: change({ kind: usageEvents, type: 'usage.threshold_reached', id, object }) }];
  });
}

/** A threshold that an identity has reached. */
export interface ReachedThreshold {
  identityId: string;
  /** "2026-11" */
  month: string;
  /** Per cent of the plan, the highest that is reached. */
  threshold: UsageThreshold['threshold'];
}

/** Writes the events of what is reached; the database holds that each is written once. */
export async function noteStorage(): Promise<ReachedThreshold[]> {
  const reached: ReachedThreshold[] = [];
  for (const row of await findNearlyFull()) {
    const { identityId, month } = row;
    const author = { kind: 'system', identityId, cause: 'upkeep' } as const;
    const found = reachedBy(row);
    const changes = found.map(({ event }) => event);
    await transaction(author, (client) => emit(client, author, changes, { once: true }));
    reached.push({ identityId, month, threshold: found.at(-1)?.threshold ?? warning });
  }
  return reached;
}
