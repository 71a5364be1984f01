import { pool } from '@/server/platform/db/pool';
import type { MailReceiver } from '@/server/platform/mail/smtp-listener';
import { routeRecipients } from '../mailboxes/own-address.service';
import { refuseWhereFull } from '../usage/quota.service';
import { receiveMail } from './inbound.service';

/** What the SMTP listener needs to know of identities. */
export const mailReceiver: MailReceiver = {
  isKnown: async (recipient) => {
    const routes = await routeRecipients(pool(), [recipient]);
    // One who is full is told so for themselves; at the end of the message the answer would be for all recipients.
    for (const { identityId } of routes.values()) await refuseWhereFull(identityId);
    return routes.size > 0;
  },
  receive: async (raw, { sender, recipients }) => {
    await receiveMail(raw, { source: 'smtp', sender, recipients });
  },
};
