import type { Queryable } from '@/server/platform/db/sql';
import { rows } from '@/server/platform/db/sql';

/** What became of an outbound message, as its conversation tells it. The caller keeps the outbox in step, in the same transaction. */

type Outcome = 'queued' | 'sent' | 'failed';

/** A failed message is for somebody to look at; one that goes out after all puts its conversation back to waiting for the customer. */
const conversationChange: Record<Outcome, string> = {
  queued: `status = CASE WHEN c.status = 'failed' THEN 'waiting_customer' ELSE c.status END`,
  sent: `status = CASE WHEN c.status = 'failed' THEN 'waiting_customer' ELSE c.status END`,
  failed: `status = CASE WHEN c.status = 'waiting_customer' THEN 'failed' ELSE c.status END`,
};

/** Notes the outcome on a message and its conversation. */
export async function noteDelivery(
  db: Queryable,
  identityId: string,
  messageId: string,
  outcome: Outcome,
  at: Date,
): Promise<void> {
  await db.query({
    name: `message-delivery-${outcome}`,
    text: `WITH noted AS (
        UPDATE messages SET status = '${outcome}'${outcome === 'sent' ? ', sent_at = $3' : ''}
        WHERE identity_id = $1 AND id = $2 AND direction = 'outbound' RETURNING conversation_id
      )
      UPDATE conversations c SET updated_at = $3, ${conversationChange[outcome]}
      FROM noted WHERE c.identity_id = $1 AND c.id = noted.conversation_id`,
    values: [identityId, messageId, at],
  });
}

/** The outbound message of this Message-ID, which a bounce may be about. */
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
