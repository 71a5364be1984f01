import { type Queryable, rows } from '@/server/platform/db/sql';
import { invalidFields } from '@/server/platform/errors';

/** Read marks of messages. The caller holds the locks of the conversations' rows. */

/**
 * Marks all messages of conversations as read, or those until `seenUntil`.
 * @returns the conversations that are wholly read afterwards
 */
export async function markRead(
  db: Queryable,
  identityId: string,
  conversationIds: readonly string[],
  seenUntil: string | undefined,
): Promise<Set<string>> {
  await db.query({
    name: 'messages-read',
    text: `UPDATE messages SET is_read = true
      WHERE identity_id = $1 AND conversation_id = ANY($2::uuid[]) AND NOT is_read AND created_at <= coalesce($3::timestamptz, 'infinity')`,
    values: [identityId, conversationIds, seenUntil ?? null],
  });
  const read = await rows<{ id: string }>(db, {
    name: 'messages-all-read',
    text: `SELECT given.id FROM unnest($2::uuid[]) AS given(id) WHERE NOT EXISTS (
        SELECT 1 FROM messages m WHERE m.identity_id = $1 AND m.conversation_id = given.id AND NOT m.is_read
      )`,
    values: [identityId, conversationIds],
  });
  return new Set(read.map(({ id }) => id));
}

/** Marks a received message and all after it as unread. @throws AppError invalid_request if it is none of the conversation */
export async function markUnreadFrom(
  db: Queryable,
  identityId: string,
  conversationId: string,
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

/** Marks the last received message of each conversation as unread. */
export async function markUnread(db: Queryable, identityId: string, conversationIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'messages-unread',
    text: `UPDATE messages SET is_read = false WHERE id IN (
        SELECT last.id FROM unnest($2::uuid[]) AS conversations(id), LATERAL (
          SELECT m.id FROM messages m WHERE m.identity_id = $1 AND m.conversation_id = conversations.id AND m.direction = 'inbound'
          ORDER BY m.created_at DESC, m.id DESC LIMIT 1
        ) last
      )`,
    values: [identityId, conversationIds],
  });
}
