import { feature } from '@/server/platform/feature';
import { mailboxReading } from './mailbox-reading';
import { mailboxesRouter } from './mailboxes.router';

export const mailboxes = feature({
  name: 'mailboxes',
  routers: { mailboxes: mailboxesRouter },
  jobs: [mailboxReading],
  api: { tags: [{ name: 'Mailboxes', description: 'Mailboxes of other servers, whose emails are taken over by IMAP.' }] },
  tables: [{ names: ['mailboxes', 'mailbox_states'] }],
});
