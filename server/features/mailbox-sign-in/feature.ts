import { feature } from '@/server/platform/feature';
import { mailboxClientsRouter } from './mailbox-clients.router';

/** Signing in to mailboxes at Google and Microsoft (OAuth 2.0, RFC 6749). */
export const mailboxSignIn = feature({
  name: 'mailbox-sign-in',
  routers: { mailboxClients: mailboxClientsRouter },
  tables: [{ names: ['mailbox_clients', 'mailbox_tokens'] }],
});
