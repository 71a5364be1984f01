import type pg from 'pg';
import { rows } from '@/server/platform/db/sql';
import type { DeliveryReport } from '@/server/platform/mail/parsed-mail';
import { cutText } from '@/server/platform/text';
import type { ConversationChanges } from '../conversations/conversation-changes.service';
import { findOutboundMessage, noteDelivery } from '../conversations/delivery.service';
import { deliveryLogWith } from '../outbox/outbox.service';

const returnedEntry = `jsonb_build_object(
  'kind', 'returned', 'delivered', '[]'::jsonb, 'refusals', returned.reasons, 'error', NULL, 'response', ''
)`;

/**
 * Adds returned recipients to the mail's refusals. Only recipients of the mail count: everyone who got it knows its Message-ID,
 * and could forge a report. For the same reason, and since nothing changes, further reports about a recipient are ignored. While the
 * mail is being sent, its sender updates its state.
 *
 * @returns true if the mail has failed as a result
 */
async function recordReturned(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  reasons: Record<string, string>,
): Promise<boolean> {
  const changed = await rows<{ failed: boolean }>(client, {
    name: 'outbox-returned',
    text: `UPDATE outbox_mails o SET refusals = refusals || returned.reasons,
        state = CASE WHEN state = 'sent' THEN 'failed'::outbox_state ELSE state END,
        delivery_log = ${deliveryLogWith(returnedEntry, 'now()')}
      FROM (
        SELECT coalesce(jsonb_object_agg(recipient, $3::jsonb ->> lower(recipient)), '{}') AS reasons
        FROM outbox_mails, unnest(recipients) AS recipient
        WHERE identity_id = $1 AND message_id = $2 AND $3::jsonb ? lower(recipient)
      ) returned
      WHERE o.identity_id = $1 AND o.message_id = $2 AND NOT o.refusals ?& ARRAY(SELECT jsonb_object_keys(returned.reasons))
      RETURNING o.state = 'failed' AS failed`,
    values: [identityId, messageId, JSON.stringify(reasons)],
  });
  return changed[0]?.failed ?? false;
}

/** Records on an outbound message that a remote server gave up delivery to a recipient (RFC 3464, action "failed"). */
export async function recordBounce(
  client: pg.PoolClient,
  identityId: string,
  report: DeliveryReport,
  changes: ConversationChanges,
): Promise<void> {
  const failed = report.recipients.filter(({ action }) => action === 'failed');
  if (failed.length === 0 || report.originalMessageId === null) return;
  const messageId = await findOutboundMessage(client, identityId, report.originalMessageId);
  if (messageId === undefined) return;
  const reasons = failed.map(({ email, diagnostic, status }) => [
    email.toLowerCase(),
    cutText(`Returned: ${diagnostic || status || 'not delivered'}`, 500),
  ]);
  if (await recordReturned(client, identityId, messageId, Object.fromEntries(reasons))) {
    await noteDelivery(client, identityId, messageId, 'bounced', new Date(), changes);
  }
}
