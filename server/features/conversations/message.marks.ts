import { type Queryable, rows } from '@/server/platform/db/sql';
import { invalidFields } from '@/server/platform/errors';

/** Read marks of messages. The caller holds the lock of the conversation's row. */

interface ConversationRef {
  identityId: string;
  conversationId: string;
}

/** Marks all messages as read, or those until `seenUntil`. @returns whether the whole conversation is read afterwards */
export async function markRead(
  db: Queryable,
  { identityId, conversationId }: ConversationRef,
  seenUntil: string | undefined,
): Promise<boolean> {
  await db.query({
    name: 'messages-read',
    text: `UPDATE messages SET is_read = true
      WHERE identity_id = $1 AND conversation_id = $2 AND NOT is_read AND created_at <= coalesce($3::timestamptz, 'infinity')`,
    values: [identityId, conversationId, seenUntil ?? null],
  });
  const unread = await rows(db, {
    name: 'messages-any-unread',
    text: 'SELECT 1 FROM messages WHERE identity_id = $1 AND conversation_id = $2 AND NOT is_read LIMIT 1',
    values: [identityId, conversationId],
  });
  return unread.length === 0;
}

/** Marks a received message and all after it as unread. @throws AppError invalid_request if it is none of the conversation */
export async function markUnreadFrom(
  db: Queryable,
  { identityId, conversationId }: ConversationRef,
  messageId: string,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'messages-unread-from',
    text: `UPDATE messages m SET is_read = false
      FROM (
        SELECT created_at, id FROM messages WHERE identity_id = $1 AND conversation_id = $2 AND id = $3 AND direction = 'inbound'
      ) first
      WHERE m.identity_id = $1 AND m.conversation_id = $2 AND m.direction = 'inbound' AND (m.created_at, m.id) >= (first.created_at, first.id)`,
    values: [identityId, conversationId, messageId],
  });
  if (rowCount === 0) throw invalidFields({ unreadFrom: 'is not a received message of this conversation' });
}

/** Marks the last received message as unread. */
export async function markUnread(db: Queryable, { identityId, conversationId }: ConversationRef): Promise<void> {
  await db.query({
    name: 'messages-unread',
    text: `UPDATE messages SET is_read = false WHERE id = (
        SELECT id FROM messages WHERE identity_id = $1 AND conversation_id = $2 AND direction = 'inbound'
        ORDER BY created_at DESC, id DESC LIMIT 1
      )`,
    values: [identityId, conversationId],
  });
}
