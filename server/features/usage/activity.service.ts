import { agentActivity } from '@/server/features/usage/usage.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pageOf } from '@/server/platform/db/newest-first';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { ExecutionList, ListExecutionsInput } from './usage.schema';

export const noActivity = {
  actions: 0,
  /** Unfinished tasks. */
  active: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  escalations: 0,
  minutesSaved: 0,
  lastActiveAt: null as Date | null,
};

/** Sums over the executions of an agent. */
export type Activity = typeof noActivity;

/** The activity of each of these agents, from maintained sums; in one statement. */
export async function activitiesOf(identityId: string, agentIds: readonly string[]): Promise<(agentId: string) => Activity> {
  const found = await rows<Activity & { agentId: string }>(pool(), {
    name: 'agent-activity',
    text: `SELECT agent_id AS "agentId", sum(actions)::float8 AS actions, sum(active)::float8 AS active, sum(completed)::float8 AS completed,
        sum(failed)::float8 AS failed, sum(cancelled)::float8 AS cancelled, sum(escalations)::float8 AS escalations,
        sum(minutes_saved) AS "minutesSaved", max(last_active_at) AS "lastActiveAt"
      FROM agent_activity WHERE identity_id = $1 AND agent_id = ANY($2) GROUP BY agent_id`,
    values: [identityId, agentIds],
  });
  const byAgent = new Map(found.map((row) => [row.agentId, row]));
  return (agentId) => byAgent.get(agentId) ?? noActivity;
}

/**
 * The load and last activity of agents as a join, which saves lists a second round trip: columns "activeTasks" and
 * "lastActiveAt" of `activity`.
 *
 * @param identityId SQL of the identity's id
 * @param agentId SQL of the agent's id, as text
 */
export function joinActivity(identityId: string, agentId: string): string {
  return `LEFT JOIN LATERAL (
      SELECT coalesce(sum(active), 0)::float8 AS "activeTasks", max(last_active_at) AS "lastActiveAt"
      FROM ${agentActivity} agent_activity WHERE identity_id = ${identityId} AND agent_id = ${agentId}
    ) activity ON true`;
}

const executionsPerPage = 30;

/** Tracked executions of an agent, newest first, paged; ids may come from servers whose clocks differ. */
export async function listExecutions(actor: IdentityActor, input: ListExecutionsInput): Promise<ExecutionList> {
  const { before } = input;
  const found = await rows<ExecutionList['executions'][number]>(pool(), {
    isoTimes: true,
    name: before === undefined ? 'agent-executions' : 'agent-executions-before',
    text: `SELECT id, status, outcome, operation, task_id AS "taskId", conversation_id AS "conversationId", created_at AS "createdAt"
      FROM usage_records
      WHERE identity_id = $1 AND agent_id = $2 AND outcome IS NOT NULL
        ${before === undefined ? '' : 'AND (created_at, id) < (SELECT created_at, id FROM usage_records WHERE identity_id = $1 AND id = $4)'}
      ORDER BY created_at DESC, id DESC LIMIT $3`,
    values: [actor.identityId, input.agentId.toLowerCase(), executionsPerPage + 1, ...(before === undefined ? [] : [before])],
  });
  const { page: executions, next } = pageOf(found, executionsPerPage);
  return { executions, next };
}
