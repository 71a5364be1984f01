import type * as z from 'zod';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { projectUsage } from './projection.service';
import { getQuotaUse } from './quota.service';
import { chartDays, type consumptionSchema, sharesMaximum, type UsageOverview } from './usage.schema';
import { getUsageStats } from './usage.service';

interface ShareRow extends z.output<typeof consumptionSchema> {
  value: string;
  /** Rank by usage, from 1; the entries after the last shown one are summed up in one row with 0. */
  place: number;
}

/** UTC days from the first of the chart to today, as PostgreSQL dates. */
const window = `(now() AT TIME ZONE 'UTC')::date - ${chartDays - 1} AND (now() AT TIME ZONE 'UTC')::date`;

function readDays(identityId: string): Promise<UsageOverview['days']> {
  return rows(pool(), {
    name: 'usage-by-day',
    text: `SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(sum(u.tokens), 0)::float8 AS tokens,
        coalesce(sum(u.executions), 0)::float8 AS executions
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - ${chartDays - 1}, (now() AT TIME ZONE 'UTC')::date, interval '1 day') d(day)
      LEFT JOIN usage_days u ON u.identity_id = $1 AND u.day = d.day::date
      GROUP BY d.day ORDER BY d.day`,
    values: [identityId],
  });
}

/** Usage per agent, model or operation: the largest ones, and the rest as one. Sorted by tokens, then executions. */
function readShares(identityId: string, dimension: 'agent_id' | 'model' | 'operation'): Promise<ShareRow[]> {
  return rows<ShareRow>(pool(), {
    name: `usage-by-${dimension}`,
    text: `WITH used AS (
        SELECT ${dimension} AS value, sum(tokens) AS tokens, sum(executions) AS executions FROM usage_days
        WHERE identity_id = $1 AND day BETWEEN ${window} GROUP BY 1
      ), placed AS (
        SELECT *, row_number() OVER (ORDER BY tokens DESC, executions DESC, value) AS number FROM used
      )
      SELECT CASE WHEN number <= ${sharesMaximum} THEN value ELSE '' END AS value,
        CASE WHEN number <= ${sharesMaximum} THEN number ELSE 0 END::int AS place,
        sum(tokens)::float8 AS tokens, sum(executions)::float8 AS executions
      FROM placed GROUP BY 1, 2 ORDER BY place`,
    values: [identityId],
  });
}

type Breakdown = UsageOverview['byAgent'];

function toBreakdown(found: ShareRow[], name: (value: string) => { name: string; agentId: string | null }): Breakdown {
  const shares = found.filter(({ place }) => place > 0);
  const rest = found.find(({ place }) => place === 0);
  return {
    shares: shares.map(({ value, tokens, executions }) => ({ ...name(value), tokens, executions })),
    rest: rest ? { tokens: rest.tokens, executions: rest.executions } : null,
  };
}

const byOwnName = (value: string) => ({ name: value, agentId: null });

/** Data of other features that the page shows. */
interface Lookups {
  /** Names of agents by id; an unknown agent is shown by its reported id. */
  agentNames(actor: IdentityActor, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  dailyRequests(actor: IdentityActor): Promise<UsageOverview['keys']>;
}

/** All data of the usage page. */
export async function getUsageOverview(actor: IdentityActor, lookups: Lookups): Promise<UsageOverview> {
  const { identityId } = actor;
  const [stats, quotas, days, agents, models, operations, keys] = await Promise.all([
    getUsageStats(actor),
    getQuotaUse(identityId),
    readDays(identityId),
    readShares(identityId, 'agent_id'),
    readShares(identityId, 'model'),
    readShares(identityId, 'operation'),
    lookups.dailyRequests(actor),
  ]);
  const names = await lookups.agentNames(
    actor,
    agents.map(({ value }) => value),
  );
  return {
    stats,
    projection: projectUsage(stats, new Date()),
    quotas,
    days,
    byAgent: toBreakdown(agents, (value) => {
      const name = names.get(value);
      return name === undefined ? byOwnName(value) : { name, agentId: value };
    }),
    byModel: toBreakdown(models, byOwnName),
    byOperation: toBreakdown(operations, byOwnName),
    keys,
  };
}
