import type { AgentStatus as StoredStatus } from '@/server/platform/db/generated/client';
import { type MailDomainSource, mailDomainOf } from '../addresses/address-claim.service';
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

/** The stored fields that list and detail share. */
export interface StoredAgent {
  id: string;
  name: string;
  kind: string;
  roleId: string;
  status: StoredStatus;
  avatarUrl: string;
}

/** An agent as queried for the list, with its load and last activity. */
export interface ListedAgent extends StoredAgent, MailDomainSource {
  avatarEmoji: string;
  activeTasks: number;
  /** ISO 8601, like the next two. */
  lastActiveAt: string | null;
  createdAt: string;
  updatedAt: string | null;
}

/** An agent as shown in lists. */
export function toAgentRecord(agent: ListedAgent): AgentRecord {
  const { id, name, kind, roleId, status, avatarUrl, avatarEmoji, activeTasks, lastActiveAt, createdAt, updatedAt } = agent;
  const email = `${roleId}@${mailDomainOf(agent)}`;
  return { id, name, kind, roleId, email, status, avatarUrl, avatarEmoji, activeTasks, lastActiveAt, createdAt, updatedAt };
}

/** An agent's statistics. Source: contract section 5. */
function toStats(activity: Activity): AgentStats {
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

export interface StoredRoute {
  level: number;
  label: string | null;
  instructions: string | null;
  timeoutMins: number;
  toRole: string | null;
  toUserId: string | null;
  channels: string[];
  email: string | null;
  phone: string | null;
  slack: string | null;
}

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

export interface StoredAgentDetail extends StoredAgent {
  tags: string[];
  persona: unknown;
  setup: unknown;
  escalationRoutes: StoredRoute[];
  createdAt: Date;
  updatedAt: Date | null;
}

/** An agent with all its details. */
export function toAgentDetail(agent: StoredAgentDetail, mailDomain: string, activity: Activity): AgentDetail {
  const { id, name, kind, roleId, status, avatarUrl } = agent;
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
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt?.toISOString() ?? null,
  };
}
