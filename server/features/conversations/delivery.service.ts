import type { Queryable } from '@/server/platform/db/sql';
import { rows } from '@/server/platform/db/sql';

/** Delivery outcome of an outbound message in its conversation. The caller updates the outbox in the same transaction. */

type Outcome = 'queued' | 'sent' | 'failed';

/** A failed message needs attention; one that is sent after all returns its conversation to waiting for the customer. */
const conversationChange: Record<Outcome, string> = {
  queued: `status = CASE WHEN c.status = 'failed' THEN 'waiting_customer' ELSE c.status END`,
  sent: `status = CASE WHEN c.status = 'failed' THEN 'waiting_customer' ELSE c.status END`,
  failed: `status = CASE WHEN c.status = 'waiting_customer' THEN 'failed' ELSE c.status END`,
};

/** Records the outcome on a message and its conversation. */
export async function recordDelivery(
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
