import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { ConversationDetail, ConversationRecord } from './conversation.schema';

export type ConversationRow = Omit<ConversationRecord, 'counterpart'> & {
  counterpartEmail: string;
  counterpartName: string | null;
};

export const conversationColumns = `c.id, c.identity_id AS "identityId", c.subject, c.channel, c.preview, c.status, c.is_read AS "isRead",
  c.is_archived AS "isArchived", c.is_spam AS "isSpam", c.last_message_at AS "lastMessageAt", c.message_count AS "messageCount",
  c.counterpart_email AS "counterpartEmail", c.counterpart_name AS "counterpartName"`;

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
  };
}

export interface ConversationDetailRow extends ConversationRow, Pick<ConversationDetail, 'metadata' | 'createdAt' | 'updatedAt'> {
  originAddress: string | null;
}

/** The conversation with this id, or the one it was merged into. @throws AppError not_found for an unknown or foreign id. */
export async function findConversation(db: Queryable, identityId: string, id: string): Promise<ConversationDetailRow> {
  const [found] = await rows<ConversationDetailRow>(db, {
    name: 'conversation-get',
    isoTimes: true,
    text: `SELECT ${conversationColumns}, c.origin_address AS "originAddress", c.metadata, c.created_at AS "createdAt", c.updated_at AS "updatedAt"
      FROM conversations c
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
