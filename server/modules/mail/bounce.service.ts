import type pg from 'pg';
import type { DeliveryReport } from '@/server/mail/parsed-mail';
import { findOutboundMessage, noteDelivery } from '../conversations/delivery.service';

/** Notes on an outbound message that a server further on gave it up for one of its recipients (RFC 3464, action "failed"). */
export async function noteBounce(client: pg.PoolClient, identityId: string, report: DeliveryReport): Promise<void> {
  const failed = report.recipients.filter(({ action }) => action === 'failed');
  if (failed.length === 0 || report.originalMessageId === null) return;
  const messageId = await findOutboundMessage(client, identityId, report.originalMessageId);
  if (messageId === undefined) return;
  const error = failed
    .map(({ email, diagnostic, status }) => `${email}: ${diagnostic || status || 'not delivered'}`)
    .join('; ')
    .slice(0, 2000);
  await noteDelivery(client, identityId, messageId, 'failed', new Date());
  await client.query({
    name: 'outbox-bounced',
    text: `UPDATE outbox_mails SET state = 'failed', error = $3 WHERE identity_id = $1 AND message_id = $2 AND state = 'sent'`,
    values: [identityId, messageId, `Returned: ${error}`],
  });
}
