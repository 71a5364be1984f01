import type { Agent, EscalationRoute as EscalationRouteRow } from '@/server/platform/db/generated/client';
import type { Activity } from '../usage/activity.service';
import {
  type AgentDetail,
  type AgentRecord,
  type AgentSetup,
  type AgentStats,
  editableFields,
  type Persona,
} from './agent.schema';
import { byLevel } from './escalation';
import type { EscalationRoute } from './escalation.schema';

/** An agent as queried for the list. */
export type ListedAgent = Omit<AgentRecord, 'email'> & { mailDomain: string };

/** An agent as shown in lists. */
export function toAgentRecord(agent: ListedAgent): AgentRecord {
  const { id, name, kind, roleId, status, avatarUrl, avatarEmoji, activeTasks, lastActiveAt, createdAt, updatedAt } = agent;
  const email = `${roleId}@${agent.mailDomain}`;
  return { id, name, kind, roleId, email, status, avatarUrl, avatarEmoji, activeTasks, lastActiveAt, createdAt, updatedAt };
}

/** An agent's statistics. Source: contract section 5. */
export function toStats(activity: Activity): AgentStats {
  const ended = activity.completed + activity.failed + activity.cancelled;
  return {
    activeTasks: activity.active,
    completedTasks: activity.completed,
    hoursSaved: activity.minutesSaved / 60,
    completionRate: ended === 0 ? 0 : activity.completed / ended,
    escalations: activity.escalations,
    totalActions: activity.actions,
    lastActiveAt: activity.lastActiveAt?.toISOString() ?? null,
  };
}

export type StoredRoute = Omit<EscalationRouteRow, 'agentId'>;

/** Stored routes in the API's form: by level, with `label` and `instructions` only if set. */
export function toRoutes(stored: readonly StoredRoute[]): EscalationRoute[] {
  return byLevel(stored).map(({ label, instructions, email, phone, slack, level, timeoutMins, toRole, toUserId, channels }) => ({
    level,
    ...(label === null ? {} : { label }),
    ...(instructions === null ? {} : { instructions }),
    timeoutMins,
    toRole,
    toUserId,
    channels: channels as EscalationRoute['channels'],
    contactInfo: { email, phone, slack },
  }));
}

type StoredAgent = Pick<
  Agent,
  | 'id'
  | 'name'
  | 'kind'
  | 'roleId'
  | 'mailDomain'
  | 'status'
  | 'avatarUrl'
  | 'tags'
  | 'persona'
  | 'setup'
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
>;

export type StoredAgentDetail = StoredAgent & { escalationRoutes: StoredRoute[] };

/** An agent with all its details. */
export function toAgentDetail(agent: StoredAgentDetail, activity: Activity): AgentDetail {
  const { id, name, kind, roleId, mailDomain, status, avatarUrl } = agent;
  const routes = toRoutes(agent.escalationRoutes);
  return {
    id,
    name,
    kind,
    roleId,
    email: `${roleId}@${mailDomain}`,
    status,
    avatarUrl,
    tags: agent.tags,
    config: {
      persona: agent.persona as Persona,
      ...(agent.setup as AgentSetup),
      hitl: { enabled: routes.length > 0, routes },
    },
    stats: toStats(activity),
    editableFields: [...editableFields],
    revision: agent.revision,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt?.toISOString() ?? null,
  };
}
