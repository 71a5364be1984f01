import { agents } from '@/server/features/agents/agent.sql';
import { memberships, publicUserName, users } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { ConversationDetail, ConversationRecord } from './conversation.schema';
import { trashDays } from './conversation.sql';
import { waitingSince } from './waiting';

export type ConversationRow = Omit<ConversationRecord, 'counterpart'> & {
  counterpartEmail: string;
  counterpartName: string | null;
};

/**
 * Only conversations with an assignee cost a look at it. Events and other keys show it too, so it never has an address. A person who is no
 * member any more is none (assignee.ts).
 */
const assignee = `CASE
    WHEN c.assignee_user_id IS NOT NULL THEN (
      SELECT json_build_object('type', 'member', 'id', u.id, 'name', ${publicUserName})
      FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id WHERE m.identity_id = c.identity_id AND m.user_id = c.assignee_user_id)
    WHEN c.assignee_agent_id IS NOT NULL THEN json_build_object('type', 'agent', 'id', c.assignee_agent_id, 'name', (
      SELECT a.name FROM ${agents} a WHERE a.identity_id = c.identity_id AND a.id = c.assignee_agent_id))
  END`;

/** Only conversations with labels cost a look at them. A deleted one is none. */
const labels = `CASE WHEN c.label_ids = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) ORDER BY lower(l.name), l.id), '[]')
    FROM conversation_labels l WHERE l.identity_id = c.identity_id AND l.id = ANY(c.label_ids)) END`;

export const conversationColumns = `c.id, c.identity_id AS "identityId", c.subject, c.channel, c.preview, c.status, c.is_read AS "isRead",
  c.is_archived AS "isArchived", c.is_spam AS "isSpam", c.is_trashed AS "isTrashed",
  c.trashed_at + interval '${trashDays} days' AS "restorableUntil", c.snoozed_until AS "snoozedUntil", ${waitingSince} AS "waitingSince",
  c.last_message_at AS "lastMessageAt", c.message_count AS "messageCount",
  c.counterpart_email AS "counterpartEmail", c.counterpart_name AS "counterpartName", ${assignee} AS assignee, ${labels} AS labels`;

/** Converts a row to a conversation of the list. Written out, since taking fields out with `...rest` costs ten times as much. */
export function toConversationRecord(row: ConversationRow): ConversationRecord {
  return {
    id: row.id,
    identityId: row.identityId,
    subject: row.subject,
    channel: row.channel,
    preview: row.preview,
    status: row.status,
    isRead: row.isRead,
    lastMessageAt: row.lastMessageAt,
    counterpart: { email: row.counterpartEmail, displayName: row.counterpartName },
    messageCount: row.messageCount,
    isArchived: row.isArchived,
    isSpam: row.isSpam,
    isTrashed: row.isTrashed,
    restorableUntil: row.restorableUntil,
    snoozedUntil: row.snoozedUntil,
    waitingSince: row.waitingSince,
    assignee: row.assignee,
    labels: row.labels,
  };
}

export interface ConversationDetailRow
  extends ConversationRow,
    Pick<ConversationDetail, 'metadata' | 'revision' | 'createdAt' | 'updatedAt'> {
  originAddress: string | null;
}

export const conversationDetailColumns = `${conversationColumns}, c.origin_address AS "originAddress", c.metadata, c.revision,
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** The conversation with this id, or the one it was merged into. @throws AppError not_found for an unknown or foreign id. */
export async function findConversation(db: Queryable, identityId: string, id: string): Promise<ConversationDetailRow> {
  const [found] = await rows<ConversationDetailRow>(db, {
    name: 'conversation-get',
    isoTimes: true,
    text: `SELECT ${conversationDetailColumns} FROM conversations c
      WHERE c.identity_id = $1 AND (c.id = $2 OR c.id = (
        SELECT conversation_id FROM merged_conversations WHERE identity_id = $1 AND id = $2
      ))`,
    values: [identityId, id],
  });
  if (!found) throw notFound();
  return found;
}

/** Like `findConversation`, and locks it until the end of the transaction. */
export async function lockConversation(db: Queryable, identityId: string, id: string): Promise<ConversationDetailRow> {
  const { id: currentId } = await findConversation(db, identityId, id);
  const [locked] = await rows<{ id: string }>(db, {
    name: 'conversation-lock',
    text: 'SELECT id FROM conversations WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [identityId, currentId],
  });
  // Merged between the two statements: follow the id to the other conversation.
  if (!locked) return lockConversation(db, identityId, id);
  return findConversation(db, identityId, currentId);
}

/** Locks conversations, or those that they were merged into, until the end of the transaction. Unknown and foreign ids are left out. */
export async function lockConversations(
  db: Queryable,
  identityId: string,
  ids: readonly string[],
): Promise<ConversationDetailRow[]> {
  const chosen = `c.identity_id = $1 AND (c.id = ANY($2::uuid[]) OR c.id IN (
    SELECT conversation_id FROM merged_conversations WHERE identity_id = $1 AND id = ANY($2::uuid[])
  ))`;
  const values = [identityId, ids];
  const locked = new Set<string>();
  for (;;) {
    const found = await rows<{ id: string }>(db, {
      name: 'conversations-lock',
      text: `SELECT c.id FROM conversations c WHERE ${chosen} ORDER BY c.id FOR NO KEY UPDATE`,
      values,
    });
    for (const { id } of found) locked.add(id);
    const conversations = await rows<ConversationDetailRow>(db, {
      name: 'conversations-get',
      isoTimes: true,
      text: `SELECT ${conversationDetailColumns} FROM conversations c WHERE ${chosen}`,
      values,
    });
    // Else one was merged between the two statements.
    if (conversations.every(({ id }) => locked.has(id))) return conversations;
  }
}

/** The conversation of a message. @throws AppError not_found */
export async function conversationIdOf(db: Queryable, identityId: string, messageId: string): Promise<string> {
  const [found] = await rows<{ id: string }>(db, {
    name: 'message-conversation',
    text: 'SELECT conversation_id AS id FROM messages WHERE identity_id = $1 AND id = $2',
    values: [identityId, messageId],
  });
  if (!found) throw notFound();
  return found.id;
}
