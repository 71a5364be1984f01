import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { lockConversation } from './conversation.queries';
import { conversationChanges } from './conversation-changes.service';
import { type MessageRow, messageColumns, toPlainRecord } from './message.queries';
import type { DeleteAttachmentInput, RemovedAttachment, StoredContent } from './message.schema';
import { indexAgain } from './message-search';

/**
 * Name, type and hash of an attachment; its bytes are in the content store. @throws AppError not_found for an unknown or
 * foreign id.
 */
export async function getAttachment(actor: IdentityActor, id: string): Promise<StoredContent> {
  const [found] = await rows<StoredContent>(pool(), {
    name: 'attachment-get',
    text: `SELECT filename, content_type AS "contentType", size, sha256 FROM attachments WHERE identity_id = $1 AND id = $2`,
    values: [actor.identityId, id],
  });
  if (!found) throw notFound();
  return found;
}

/**
 * `DELETE /conversations/{conversationId}/messages/{messageId}/attachments/{attachmentId}`: permanently. The message says what was
 * there. The next sweep of the store removes the file, unless another attachment has the same bytes.
 *
 * @throws AppError not_found; conflict if it is about to be sent
 */
export async function deleteAttachment(actor: IdentityActor, input: DeleteAttachmentInput): Promise<{ success: true }> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const { id: conversationId } = await lockConversation(client, identityId, input.conversationId);
    const removed = await removeAttachment(client, { identityId, ...input, conversationId });
    const row = await noteRemoval(client, identityId, input.messageId, removed);
    const changes = conversationChanges(client, identityId);
    const message = toPlainRecord(row);
    const removedAttachments = message.removedAttachments.slice(1);
    changes.message('message.updated', message, { ...message, attachmentCount: message.attachmentCount + 1, removedAttachments });
    await changes.write(actor);
    return { success: true };
  });
}

/** `admin attachment delete`. @throws AppError not_found for an unknown handle or id */
export async function deleteAttachmentAsOperator({ identity, id }: { identity: string; id: string }): Promise<{ success: true }> {
  const actor = await operatorActingFor(identity);
  const [found] = await rows<{ messageId: string; conversationId: string }>(pool(), {
    name: 'attachment-message',
    text: `SELECT m.id AS "messageId", m.conversation_id AS "conversationId" FROM attachments a
        JOIN messages m ON m.identity_id = a.identity_id AND m.id = a.message_id
      WHERE a.identity_id = $1 AND a.id = $2`,
    values: [actor.identityId, id],
  });
  if (!found) throw notFound();
  return deleteAttachment(actor, { ...found, attachmentId: id });
}

/** Deletes the row of an attachment in a locked conversation. @throws AppError not_found; conflict if it is about to be sent */
async function removeAttachment(
  client: pg.PoolClient,
  { identityId, conversationId, messageId, attachmentId }: DeleteAttachmentInput & { identityId: string },
): Promise<RemovedAttachment> {
  const [removed] = await rows<Omit<RemovedAttachment, 'removedAt'> & { isQueued: boolean }>(client, {
    name: 'attachment-delete',
    text: `DELETE FROM attachments a USING messages m
      WHERE a.identity_id = $1 AND a.id = $4 AND a.message_id = $3 AND m.identity_id = $1 AND m.id = $3 AND m.conversation_id = $2
      RETURNING a.filename, a.size, m.status = 'queued' AS "isQueued"`,
    values: [identityId, conversationId, messageId, attachmentId],
  });
  if (!removed) throw notFound();
  const { filename, size, isQueued } = removed;
  if (isQueued) throw new AppError('conflict', 'This attachment is about to be sent.');
  return { filename, size, removedAt: new Date().toISOString() };
}

/** Notes on its message that an attachment was deleted. Stored pages of the message may show it, so they are deleted, and no search finds it. */
async function noteRemoval(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  removed: RemovedAttachment,
): Promise<MessageRow> {
  const [row] = await rows<MessageRow>(client, {
    name: 'message-attachment-removed',
    isoTimes: true,
    text: `WITH m AS (
        UPDATE messages SET attachment_count = attachment_count - 1, removed_attachments = $3::jsonb || removed_attachments
        WHERE identity_id = $1 AND id = $2 RETURNING *
      ), touched AS (
        UPDATE conversations c SET updated_at = now() FROM m WHERE c.identity_id = $1 AND c.id = m.conversation_id
      )
      SELECT ${messageColumns} FROM m`,
    values: [identityId, messageId, JSON.stringify([removed])],
  });
  // By itself: only now is a page seen that was stored while the row was waited for.
  await client.query({
    name: 'message-renderings-remove',
    text: 'DELETE FROM message_renderings WHERE identity_id = $1 AND message_id = $2',
    values: [identityId, messageId],
  });
  await indexAgain(client, { identityId, id: messageId });
  if (!row) throw new Error('A message whose conversation is locked is there.');
  return row;
}
