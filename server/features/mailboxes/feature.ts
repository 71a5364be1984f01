import { feature } from '@/server/platform/feature';
import { mailboxesRouter } from './mailbox.router';

export const mailboxes = feature({
  name: 'mailboxes',
  routers: { mailboxes: mailboxesRouter },
});
