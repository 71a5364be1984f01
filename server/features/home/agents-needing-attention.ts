import { agents } from '@/server/features/agents/agent.sql';
import { agentActivity, usageRecords } from '@/server/features/usage/usage.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { agentsWithoutMail } from '../own-addresses/agent-mail.service';
import { countingLimit, type Home, type HomeAgent } from './home.schema';

/** Milliseconds. Older failures are not shown. */
const recent = 3 * 86_400_000;
const shown = 5;

const [lowestId, highestId] = ['0', 'f'].map(
  (digit) => `'${'00000000-0000-0000-0000-000000000000'.replaceAll('0', digit)}'::uuid`,
);

/**
 * The newest executions of the agent `a`. Written as a pure range scan of `usage_records_executions_by_time_idx`: with a query
 * by agent and time, the planner may scan backwards over all agents' records until it has found enough.
 */
const newest = `SELECT id, task_id, outcome, created_at FROM ${usageRecords} usage_records
  WHERE (identity_id, agent_id, created_at, id) >= ($1, a.id::text, '-infinity', ${lowestId})
    AND (identity_id, agent_id, created_at, id) <= ($1, a.id::text, 'infinity', ${highestId})
    AND outcome IS NOT NULL AND worked.agent_id IS NOT NULL
  ORDER BY identity_id DESC, agent_id DESC, created_at DESC, id DESC LIMIT ${countingLimit}`;

/**
 * Failures among them by task: the latest execution determines a task's state, so a successful retry is not a failure. Reads
 * only agents whose sums show failures and activity since $2.
 */
const failures = `SELECT count(*)::int AS failures, max(latest.created_at) AS last_failed_at FROM (
    SELECT DISTINCT ON (coalesce(task_id, id::text)) outcome, created_at FROM (${newest}) newest
    WHERE created_at > $2 ORDER BY coalesce(task_id, id::text), created_at DESC, id DESC
  ) latest WHERE latest.outcome = 'failed'`;

/** Agents that are paused, have failed recently, or have no mail; most failures first. */
export async function readAgents(identityId: string, now: Date): Promise<Home['agents']> {
  const withoutMail = await agentsWithoutMail(identityId);
  const found = await rows<HomeAgent>(pool(), {
    name: 'home-agents',
    isoTimes: true,
    text: `WITH worked AS (
        SELECT agent_id FROM ${agentActivity} agent_activity WHERE identity_id = $1
        GROUP BY agent_id HAVING sum(failed) > 0 AND max(last_active_at) > $2
      )
      SELECT a.id, a.name, a.status, f.failures, f.last_failed_at AS "lastFailedAt", a.id = ANY($3::uuid[]) AS "hasNoMail"
      FROM ${agents} a LEFT JOIN worked ON worked.agent_id = a.id::text CROSS JOIN LATERAL (${failures}) f
      WHERE a.identity_id = $1 AND a.status <> 'archived' AND (a.status = 'paused' OR f.failures > 0 OR a.id = ANY($3::uuid[]))
      ORDER BY f.failures DESC, a.id = ANY($3::uuid[]) DESC, a.name_key, a.id LIMIT ${countingLimit}`,
    values: [identityId, new Date(now.getTime() - recent), withoutMail.map(({ id }) => id)],
  });
  return {
    paused: found.filter(({ status }) => status === 'paused').length,
    failing: found.filter(({ failures }) => failures > 0).length,
    withoutMail: Math.min(withoutMail.length, countingLimit),
    shown: found.slice(0, shown),
  };
}
