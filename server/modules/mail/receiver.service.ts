import { pool } from '@/server/db/pool';
import type { MailReceiver } from '@/server/mail/smtp-listener';
import { routeRecipients } from './address.service';
import { receiveMail } from './inbound.service';

/** What the SMTP listener needs to know of identities. */
export const mailReceiver: MailReceiver = {
  isKnown: async (recipient) => (await routeRecipients(pool(), [recipient])).size > 0,
  receive: async (raw, { sender, recipients }) => {
    await receiveMail(raw, { source: 'smtp', sender, recipients });
  },
};
