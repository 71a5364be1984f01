import { agents } from '@/server/features/agents/agent.sql';
import { externalContacts } from '@/server/features/customers/customer.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { guidOfContact } from '../customers/contact.service';
import type { OwnAddresses } from '../own-addresses/own-address.service';
import { tasksOfConversations } from '../usage/task.service';
import { type ConversationDetailRow, conversationDetailColumns, toConversationRecord } from './conversation.queries';
import type { ConversationDetail, ParticipantRecord } from './conversation.schema';

/** More participants than a conversation between people has. */
const participantsShown = 500;

interface DetailRow extends ConversationDetailRow {
  participants: Pick<ParticipantRecord, 'email' | 'displayName' | 'role' | 'customerId'>[];
  assignedAgents: ConversationDetail['assignedAgents'];
  mergedIds: string[];
}

function toDetail(row: DetailRow, own: OwnAddresses, linkedTasks: ConversationDetail['linkedTasks']): ConversationDetail {
  const { metadata, revision, createdAt, updatedAt, assignedAgents } = row;
  const participants = row.participants.map((participant) => ({
    ...participant,
    contactGuid: guidOfContact(participant.email),
    isSelf: own.has(participant.email),
  }));
  return { ...toConversationRecord(row), metadata, revision, createdAt, updatedAt, participants, assignedAgents, linkedTasks };
}

/**
 * Conversations as `GET /conversations/{conversationId}` answers them, by id; in two statements, however many there are.
 *
 * @param options.withTasks false where agents can't have reported any yet
 */
export async function readDetails(
  db: Queryable,
  identityId: string,
  ids: readonly string[],
  own: OwnAddresses,
  { withTasks = true }: { withTasks?: boolean } = {},
): Promise<Map<string, ConversationDetail>> {
  const found = await rows<DetailRow>(db, {
    name: 'conversation-details',
    isoTimes: true,
    text: `SELECT ${conversationDetailColumns},
        (
          SELECT coalesce(json_agg(json_build_object(
              'email', p.email, 'displayName', p.display_name, 'role', p.role, 'customerId', e.customer_id
            ) ORDER BY p.role, p.email), '[]')
          FROM (
            SELECT email, display_name, role FROM conversation_participants
            WHERE identity_id = $1 AND conversation_id = c.id ORDER BY role, email LIMIT ${participantsShown}
          ) p LEFT JOIN ${externalContacts} e ON e.identity_id = $1 AND e.email = p.email
        ) AS participants,
        (
          SELECT coalesce(json_agg(json_build_object(
              'id', a.id, 'name', a.name, 'roleId', a.role_id, 'avatarUrl', a.avatar_url,
              'avatarEmoji', coalesce(a.persona->>'avatarEmoji', ''), 'status', a.status
            ) ORDER BY assigned.created_at, a.id), '[]')
          FROM conversation_agents assigned JOIN ${agents} a ON a.identity_id = assigned.identity_id AND a.id = assigned.agent_id
          WHERE assigned.identity_id = $1 AND assigned.conversation_id = c.id
        ) AS "assignedAgents",
        ARRAY(SELECT id FROM merged_conversations WHERE identity_id = $1 AND conversation_id = c.id)::text[] AS "mergedIds"
      FROM conversations c WHERE c.identity_id = $1 AND c.id = ANY($2::uuid[])`,
    values: [identityId, ids],
  });
  const groups = found.map(({ id, mergedIds }) => ({ id, ids: [id, ...mergedIds] }));
  const tasks = withTasks && found.length > 0 ? await tasksOfConversations(db, identityId, groups) : undefined;
  return new Map(found.map((row) => [row.id, toDetail(row, own, tasks?.get(row.id) ?? [])]));
}
