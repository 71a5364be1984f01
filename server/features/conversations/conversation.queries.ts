import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { ConversationRecord, ConversationStatus } from './conversation.schema';

export interface ConversationRow {
  id: string;
  identity_id: string;
  subject: string;
  channel: string;
  preview: string;
  status: ConversationStatus;
  is_read: boolean;
  is_archived: boolean;
  is_spam: boolean;
  /** ISO 8601: see Statement.isoTimes. */
  last_message_at: string;
  message_count: number;
  counterpart_email: string;
  counterpart_name: string | null;
}

export const conversationColumns = `c.id, c.identity_id, c.subject, c.channel, c.preview, c.status, c.is_read, c.is_archived, c.is_spam,
  c.last_message_at, c.message_count, c.counterpart_email, c.counterpart_name`;

/** Converts a row to a conversation of the list. */
export function toConversationRecord(row: ConversationRow): ConversationRecord {
  return {
    id: row.id,
    identityId: row.identity_id,
    subject: row.subject,
    channel: row.channel,
    preview: row.preview,
    status: row.status,
    isRead: row.is_read,
    lastMessageAt: row.last_message_at,
    counterpart: { email: row.counterpart_email, displayName: row.counterpart_name },
    messageCount: row.message_count,
    isArchived: row.is_archived,
    isSpam: row.is_spam,
  };
}

export interface ConversationDetailRow extends ConversationRow {
  origin_address: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** The conversation with this id, or the one it was merged into. @throws AppError not_found for an unknown or foreign id. */
export async function findConversation(db: Queryable, identityId: string, id: string): Promise<ConversationDetailRow> {
  const [found] = await rows<ConversationDetailRow>(db, {
    name: 'conversation-get',
    isoTimes: true,
    text: `SELECT ${conversationColumns}, c.origin_address, c.metadata, c.created_at, c.updated_at FROM conversations c
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
  const [found] = await rows<{ conversation_id: string }>(db, {
    name: 'message-conversation',
    text: 'SELECT conversation_id FROM messages WHERE identity_id = $1 AND id = $2',
    values: [identityId, messageId],
  });
  if (!found) throw notFound();
  return found.conversation_id;
}
