import { pool } from '@/server/platform/db/pool';
import type { MailReceiver } from '@/server/platform/mail/smtp-listener';
import { routeRecipients } from '../mailboxes/own-address.service';
import { requireFreeStorage } from '../usage/quota.service';
import { requireRoomForSender } from '../usage/sender-quota.service';
import { receiveMail } from './inbound.service';

/** The SMTP listener's access to identities. */
export const mailReceiver: MailReceiver = {
  isKnown: async (recipient, from) => {
    const routes = await routeRecipients(pool(), [recipient]);
    // Rejects a full recipient individually; the response to the message itself would apply to all recipients.
    for (const { identityId } of routes.values()) {
      await requireFreeStorage(identityId);
      await requireRoomForSender(identityId, { source: 'smtp', ...from }, from.size);
    }
    return routes.size > 0;
  },
  receive: async (raw, envelope) => {
    await receiveMail(raw, { source: 'smtp', ...envelope });
  },
};
