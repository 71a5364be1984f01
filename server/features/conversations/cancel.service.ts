import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { notifyCancelledEmail } from '../notifications/notification-causes.service';
import { withdrawMessages } from '../outbox/outbox.service';
import { outboxMails } from '../outbox/outbox.sql';
import { type ConversationDetailRow, lockConversation } from './conversation.queries';
import { type ConversationChanges, conversationChanges } from './conversation-changes.service';
import type { Draft } from './draft.schema';
import { restoreDraft } from './draft.service';
import { type DraftAuthor, draftAuthorOf } from './draft-author';
import { findMessage } from './message.queries';
import type { MessageRecord } from './message.schema';
import { renamePictures } from './outgoing-content';
import type { WrittenAs } from './outgoing-message';
import type { CancelledMessage, CancelMessageInput } from './scheduled.schema';
import { removeConversations, trashConversations } from './trash.service';

/**
 * Cancelling emails that are not sent yet: an email becomes a draft again, and its conversation what it was before. Whether one is sent or
 * cancelled is decided by which transaction takes its row of the outbox.
 */

/** Why an email can't be cancelled. */
const refusals: Record<MessageRecord['status'], string> = {
  received: 'A received message can’t be cancelled.',
  // It is being sent, or some of its recipients have it.
  queued: 'This email is being sent already.',
  sent: 'This email was sent already.',
  failed: 'This email was not delivered; nothing more is sent.',
};

/**
 * `POST /conversations/{conversationId}/messages/{messageId}/cancel`: cancels an email that is not sent yet. Its draft belongs to the member
 * or program that cancels it.
 *
 * @throws AppError not_found; conflict if it is being sent, or was sent; insufficient_scope for a key that may not read what others wrote
 */
export async function cancelMessage(actor: IdentityActor, input: CancelMessageInput): Promise<CancelledMessage> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const conversation = await lockConversation(client, identityId, input.conversationId);
    const message = await findMessage(client, identityId, input.messageId);
    if (message?.conversationId !== conversation.id) throw notFound();
    const [withdrawn] = await withdrawMessages(client, identityId, [message.id]);
    if (!withdrawn) throw new AppError('conflict', refusals[message.status]);
    const written = withdrawn.draft as WrittenAs | null;
    // The draft says what others have written.
    if (!isOfProgram(actor, message, written)) requireScope(actor, 'conversations:read');
    const changes = conversationChanges(client, identityId);
    const isGone = await isOnlyMessage(client, conversation);
    if (!isGone) await changes.before([conversation.id]);
    const draft = await turnIntoDraft(client, { message, written, author: draftAuthorOf(actor), isGone });
    changes.message('message.deleted', message);
    if (!isGone) await takeBack(client, conversation, message, written);
    await changes.write(actor);
    if (isGone) await endConversation(client, actor, conversation);
    await notifyCancelledEmail(client, { ...aboutOf(message, isGone), cancelledBy: 'colleague' }, actor);
    return { draft };
  });
}

/**
 * Cancels what is scheduled in a conversation unless the other side writes first, because it has. The caller holds the conversation's
 * lock, and writes the changes.
 */
export async function cancelForReply(
  client: pg.PoolClient,
  conversation: Pick<ConversationDetailRow, 'id' | 'identityId'>,
  changes: ConversationChanges,
): Promise<void> {
  const { identityId } = conversation;
  const scheduled = await rows<{ messageId: string }>(client, {
    name: 'messages-cancelled-by-reply',
    text: `SELECT m.id AS "messageId" FROM ${outboxMails} o JOIN messages m ON m.identity_id = o.identity_id AND m.id = o.message_id
      WHERE o.identity_id = $1 AND o.state = 'queued' AND o.send_at IS NOT NULL AND o.cancel_if_reply AND m.conversation_id = $2`,
    values: [identityId, conversation.id],
  });
  if (scheduled.length === 0) return;
  const ids = scheduled.map(({ messageId }) => messageId);
  for (const { messageId, draft } of await withdrawMessages(client, identityId, ids)) {
    const message = await findMessage(client, identityId, messageId);
    if (!message) continue;
    const written = draft as WrittenAs | null;
    await turnIntoDraft(client, { message, written, author: written?.author ?? null, isGone: false });
    changes.message('message.deleted', message);
    await takeBack(client, conversation, message, written);
    await notifyCancelledEmail(client, { ...aboutOf(message, false), cancelledBy: 'reply' }, { kind: 'system', cause: 'mail' });
  }
}

/** Whether an email was written by the same program. Keys without an agent are all one author. */
function isOfProgram(actor: IdentityActor, { sentBy }: MessageRecord, written: WrittenAs | null): boolean {
  const { type, id } = draftAuthorOf(actor);
  return sentBy === null && written?.author?.type === type && written.author.id === id;
}

function aboutOf({ identityId, conversationId, id: messageId, subject, sentBy }: MessageRecord, isGone: boolean) {
  return { identityId, conversationId: isGone ? null : conversationId, messageId, subject, userId: sentBy?.userId ?? null };
}

/** Whether a conversation has no other message, so that it ends with this one. */
async function isOnlyMessage(db: Queryable, { id, identityId }: ConversationDetailRow): Promise<boolean> {
  const found = await rows(db, {
    name: 'conversation-two-messages',
    text: 'SELECT 1 FROM messages WHERE identity_id = $1 AND conversation_id = $2 LIMIT 2',
    values: [identityId, id],
  });
  return found.length < 2;
}

interface Cancelled {
  message: MessageRecord;
  /** Null for an email of a version before 0.11.0. */
  written: WrittenAs | null;
  author: DraftAuthor | null;
  /** True if its conversation ends with it. */
  isGone: boolean;
}

/** Replaces a message by a draft with the same recipients and attachments. */
async function turnIntoDraft(client: pg.PoolClient, { message, written, author, isGone }: Cancelled): Promise<Draft> {
  const { id, identityId, conversationId, to, cc, bcc, subject } = message;
  const attachments = await releaseAttachments(client, identityId, id);
  await client.query({
    name: 'message-delete',
    text: 'DELETE FROM messages WHERE identity_id = $1 AND id = $2',
    values: [identityId, id],
  });
  const isReply = written === null ? message.inReplyTo !== null : written.statusBefore !== null;
  const {
    from = message.from.email,
    format = 'plain',
    text,
    html,
    agentId,
    quote,
    forwardMessageId,
  } = written ?? { text: message.text, html: message.html, agentId: null, quote: false, forwardMessageId: null };
  return restoreDraft(client, identityId, author, {
    conversationId: isReply && !isGone ? conversationId : null,
    ...{ forwardMessageId, from, to, cc, bcc, subject, format, html, agentId, quote },
    text: format === 'markdown' ? renamePictures(text, attachments) : text,
    attachmentIds: attachments.map((attachment) => attachment.id),
  });
}

/** Makes the attachments of a message uploads again. @returns them in their order, as they were */
async function releaseAttachments(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
): Promise<{ id: string; contentId: string | null }[]> {
  return rows<{ id: string; contentId: string | null }>(client, {
    name: 'attachments-release',
    text: `WITH own AS (
        SELECT id, position, content_id FROM attachments WHERE identity_id = $1 AND message_id = $2
      ), released AS (
        UPDATE attachments a SET message_id = NULL, position = 0, content_id = NULL, is_inline = false, uploaded_at = now() FROM own WHERE a.identity_id = $1 AND a.id = own.id
      )
      SELECT id, content_id AS "contentId" FROM own ORDER BY position`,
    values: [identityId, messageId],
  });
}

/** Makes a conversation what it would be without a message that it had. */
async function takeBack(
  client: pg.PoolClient,
  { id, identityId }: Pick<ConversationDetailRow, 'id' | 'identityId'>,
  message: MessageRecord,
  written: WrittenAs | null,
): Promise<void> {
  const [after] = await rows<{ isNewest: boolean }>(client, {
    name: 'conversation-take-back',
    text: `WITH newest AS (
        SELECT created_at, preview FROM messages WHERE identity_id = $1 AND conversation_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1
      )
      UPDATE conversations c SET message_count = message_count - 1, last_message_at = newest.created_at, preview = newest.preview,
        status = CASE WHEN newest.created_at <= $3 AND c.status = 'waiting_customer' THEN coalesce($4::conversation_status, c.status)
          ELSE c.status END, updated_at = now()
      FROM newest WHERE c.identity_id = $1 AND c.id = $2 RETURNING newest.created_at <= $3 AS "isNewest"`,
    values: [identityId, id, message.createdAt, written?.statusBefore ?? null],
  });
  if (!after) return;
  await takeBackParticipants(client, { id, identityId }, message);
  // Later messages may have been for the agent, too.
  if (!after.isNewest || !written?.addsAgent) return;
  await client.query({
    name: 'conversation-agent-remove',
    text: 'DELETE FROM conversation_agents WHERE identity_id = $1 AND conversation_id = $2 AND agent_id = $3',
    values: [identityId, id, message.agentId],
  });
}

/** Makes those whom a message named what they are in a conversation without it; they may be in it by this message alone. */
async function takeBackParticipants(
  client: pg.PoolClient,
  { id, identityId }: Pick<ConversationDetailRow, 'id' | 'identityId'>,
  { from, to, cc, bcc }: MessageRecord,
): Promise<void> {
  const emails = [from, ...to, ...cc, ...bcc].map(({ email }) => email.toLowerCase());
  const ofRole = (role: string) =>
    `SELECT entry ->> 'email', entry ->> 'displayName', '${role}' FROM jsonb_array_elements(m."${role}") entry`;
  await client.query({
    name: 'participants-take-back',
    text: `WITH named AS (
        SELECT lower(person.email) AS email, min(person.role) AS role,
          (array_agg(person.name ORDER BY m.created_at, m.id) FILTER (WHERE person.name IS NOT NULL))[1] AS name
        FROM messages m CROSS JOIN LATERAL (
          SELECT m.from_email AS email, m.from_name AS name, 'from'::participant_role AS role
          UNION ALL ${ofRole('to')} UNION ALL ${ofRole('cc')} UNION ALL ${ofRole('bcc')}
        ) person
        WHERE m.identity_id = $1 AND m.conversation_id = $2 AND lower(person.email) = ANY($3::text[]) GROUP BY 1
      ), removed AS (
        DELETE FROM conversation_participants p WHERE p.identity_id = $1 AND p.conversation_id = $2 AND p.email = ANY($3::text[])
          AND NOT EXISTS (SELECT 1 FROM named WHERE named.email = p.email)
      )
      UPDATE conversation_participants p SET role = named.role, display_name = named.name FROM named
      WHERE p.identity_id = $1 AND p.conversation_id = $2 AND p.email = named.email`,
    values: [identityId, id, emails],
  });
}

/** Ends a conversation without messages. Notes that colleagues have written in it are kept for their time in the trash. */
async function endConversation(
  client: pg.PoolClient,
  actor: IdentityActor,
  { id, identityId }: ConversationDetailRow,
): Promise<void> {
  const notes = await rows(client, {
    name: 'conversation-has-notes',
    text: 'SELECT 1 FROM conversation_notes WHERE identity_id = $1 AND conversation_id = $2 LIMIT 1',
    values: [identityId, id],
  });
  // What colleagues have begun to reply would be deleted with it.
  await client.query({
    name: 'drafts-leave',
    text: 'UPDATE mail_drafts SET conversation_id = NULL WHERE identity_id = $1 AND conversation_id = $2',
    values: [identityId, id],
  });
  if (notes.length === 0) return removeConversations(client, actor, identityId, [id]);
  await client.query({
    name: 'conversation-empty',
    text: `UPDATE conversations SET message_count = 0, preview = '' WHERE identity_id = $1 AND id = $2`,
    values: [identityId, id],
  });
  await trashConversations(client, actor, identityId, [id]);
}
