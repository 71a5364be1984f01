import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { rows } from '@/server/platform/db/sql';
import { firstRoutes } from '../agents/escalation.service';
import { notifyEscalation } from '../notifications/notification-causes.service';
import type { ConversationDetailRow } from './conversation.queries';
import type { ConversationStatus } from './conversation.schema';

/** Agents that have a part in a conversation. */
async function agentsOf(client: pg.PoolClient, { id, identityId }: ConversationDetailRow): Promise<string[]> {
  const found = await rows<{ agentId: string }>(client, {
    name: 'conversation-agent-ids',
    text: 'SELECT agent_id AS "agentId" FROM conversation_agents WHERE identity_id = $1 AND conversation_id = $2',
    values: [identityId, id],
  });
  return found.map(({ agentId }) => agentId);
}

/**
 * Notifies people when an agent leaves a conversation to them: those that the routes of its agents name, else the owners.
 * @param before the conversation before the change, whose row is locked
 */
export async function notifyIfEscalated(
  client: pg.PoolClient,
  actor: IdentityActor,
  before: ConversationDetailRow,
  status: ConversationStatus | undefined,
): Promise<void> {
  if (status !== 'waiting_human' || before.status === 'waiting_human') return;
  const agent = actor.kind === 'apiKey' ? actor.agent : null;
  if (!agent && actor.kind !== 'system') return;
  const { id: conversationId, identityId, subject, updatedAt } = before;
  const agentIds = new Set([...(await agentsOf(client, before)), ...(agent ? [agent.id] : [])]);
  const routes = await firstRoutes(client, identityId, [...agentIds]);
  const about = { identityId, conversationId, subject, routes, after: updatedAt, agentName: agent?.name ?? null };
  await notifyEscalation(client, about, actor);
}
