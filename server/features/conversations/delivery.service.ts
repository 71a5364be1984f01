import type pg from 'pg';
import type { Author } from '@/server/platform/actor';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { ConcurrentChange } from '@/server/platform/db/transaction';
import { notifyFailedEmail, withdrawFailedEmail } from '../notifications/notification-causes.service';
import { outboxMails } from '../outbox/outbox.sql';
import type { ConversationStatus } from './conversation.schema';
import { type ConversationChanges, conversationChanges } from './conversation-changes.service';
import { type MessageRow, messageColumns, toPlainRecord } from './message.queries';
import type { MessageRecord } from './message.schema';

/** Delivery outcome of an outbound message in its conversation. The caller updates the outbox in the same transaction. */

type Outcome = 'queued' | 'sent' | 'failed' | 'bounced';

/** A failed message needs attention; one that is sent after all returns its conversation to waiting for the customer. */
function statusAfter(status: ConversationStatus, outcome: Outcome): ConversationStatus {
  if (outcome === 'queued' || outcome === 'sent') return status === 'failed' ? 'waiting_customer' : status;
  return status === 'waiting_customer' ? 'failed' : status;
}

interface Conversation {
  id: string;
  status: ConversationStatus;
  /** The member it is assigned to. */
  assigneeId: string | null;
}

/** Locks the conversation of an outbound message. Undefined if there is no such message. */
async function lockConversationOf(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
): Promise<Conversation | undefined> {
  const values = [identityId, messageId];
  const [locked] = await rows<Conversation>(client, {
    name: 'message-delivery-lock',
    text: `SELECT c.id, c.status, c.assignee_user_id AS "assigneeId" FROM messages m JOIN conversations c ON c.identity_id = m.identity_id AND c.id = m.conversation_id
      WHERE m.identity_id = $1 AND m.id = $2 AND m.direction = 'outbound' FOR NO KEY UPDATE OF c`,
    values,
  });
  if (locked) return locked;
  const found = await rows(client, {
    name: 'message-delivery-missed',
    text: `SELECT 1 FROM messages WHERE identity_id = $1 AND id = $2 AND direction = 'outbound'`,
    values,
  });
  if (found.length > 0) throw new ConcurrentChange('the conversation of a message was merged meanwhile');
  return undefined;
}

interface Noted extends MessageRow {
  statusBefore: MessageRecord['status'];
  sentAtBefore: string | null;
  createdAtBefore: string;
}

/** A message that was scheduled, or held, belongs to the time when it was sent. */
const whenSent = {
  message: `, sent_at = $3::timestamptz, created_at = greatest(created_at, (
      SELECT o.send_at FROM ${outboxMails} o WHERE o.identity_id = $1 AND o.message_id = $2))`,
  conversation: `, last_message_at = greatest(c.last_message_at, m.created_at),
      preview = CASE WHEN m.created_at > c.last_message_at THEN m.preview ELSE c.preview END`,
};

/** Changes the message and its conversation, whose row is locked: so nobody else changes the message's status either. */
async function noteMessage(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  outcome: Outcome,
  at: Date,
): Promise<{ message: MessageRecord; previous: MessageRecord }> {
  const status = outcome === 'bounced' ? 'failed' : outcome;
  const [noted] = await rows<Noted>(client, {
    name: `message-delivery-${status}`,
    isoTimes: true,
    text: `WITH before AS (
        SELECT status, sent_at, created_at FROM messages WHERE identity_id = $1 AND id = $2
      ), m AS (
        UPDATE messages SET status = '${status}'${status === 'sent' ? whenSent.message : ''}
        WHERE identity_id = $1 AND id = $2 RETURNING *
      ), touched AS (
        UPDATE conversations c SET updated_at = $3::timestamptz${status === 'sent' ? whenSent.conversation : ''}
        FROM m WHERE c.identity_id = $1 AND c.id = m.conversation_id
      )
      SELECT ${messageColumns}, before.status AS "statusBefore", before.sent_at AS "sentAtBefore", before.created_at AS "createdAtBefore"
      FROM m, before`,
    values: [identityId, messageId, at],
  });
  if (!noted) throw new Error('A message whose conversation is locked is there.');
  const { statusBefore, sentAtBefore, createdAtBefore, ...row } = noted;
  const message = toPlainRecord(row);
  return { message, previous: { ...message, status: statusBefore, sentAt: sentAtBefore, createdAt: createdAtBefore } };
}

/** Records the outcome on a message and its conversation. @param changes takes what changes; the caller writes it */
export async function noteDelivery(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  outcome: Outcome,
  at: Date,
  changes: ConversationChanges,
): Promise<void> {
  const conversation = await lockConversationOf(client, identityId, messageId);
  if (!conversation) return;
  const status = statusAfter(conversation.status, outcome);
  if (status !== conversation.status) {
    await changes.before([conversation.id]);
    await client.query({
      name: 'conversation-delivery',
      text: 'UPDATE conversations SET status = $3::conversation_status WHERE identity_id = $1 AND id = $2',
      values: [identityId, conversation.id, status],
    });
  }
  const { message, previous } = await noteMessage(client, identityId, messageId, outcome, at);
  // A bounce of another recipient leaves the message as it is, and is an event all the same.
  const isAgain = outcome === 'bounced' && previous.status === message.status;
  changes.message(`message.${outcome}`, message, isAgain ? undefined : previous);
  if (outcome === 'queued') await withdrawFailedEmail(client, identityId, messageId);
  if (message.status !== 'failed') return;
  const userIds = [message.sentBy?.userId, conversation.assigneeId].filter((id) => id != null);
  const about = { identityId, conversationId: conversation.id, messageId, subject: message.subject, userIds };
  await notifyFailedEmail(client, about, { kind: 'system', cause: 'delivery' });
}

/** The same, with its events. */
export async function recordDelivery(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  outcome: Outcome,
  at: Date,
  author: Author = { kind: 'system', cause: 'delivery' },
): Promise<void> {
  const changes = conversationChanges(client, identityId);
  await noteDelivery(client, identityId, messageId, outcome, at, changes);
  await changes.write(author);
}

/** The outbound message with this Message-ID, which a bounce may refer to. */
export async function findOutboundMessage(
  db: Queryable,
  identityId: string,
  messageIdHeader: string,
): Promise<string | undefined> {
  const [found] = await rows<{ id: string }>(db, {
    name: 'message-outbound-by-header',
    text: `SELECT id FROM messages WHERE identity_id = $1 AND message_id_header = $2 AND direction = 'outbound'`,
    values: [identityId, messageIdHeader],
  });
  return found?.id;
}
