import { pool } from '@/server/platform/db/pool';
import { env, overrideEnv } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { type MailReceiver, startSmtpListener } from '@/server/platform/mail/smtp-listener';
import { routeRecipients } from '../own-addresses/own-address.service';
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

/** Receives mail over SMTP if INBOUND_SMTP_PORT is set. @returns what ends it */
export async function startReceiver(): Promise<(() => Promise<void>) | undefined> {
  const { INBOUND_SMTP_PORT } = env();
  if (INBOUND_SMTP_PORT === undefined) return undefined;
  const listener = await startSmtpListener(INBOUND_SMTP_PORT, mailReceiver);
  // If the system chose the port, record it.
  overrideEnv({ INBOUND_SMTP_PORT: listener.port });
  log().info({ port: listener.port }, 'mail comes in');
  return listener.close;
}
