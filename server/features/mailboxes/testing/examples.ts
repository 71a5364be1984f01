import type { Examples } from '@/server/testing/examples';
import { createMailboxInput } from '../mailbox.schema';
import { createMailbox } from '../mailbox.service';

// An address where no mail server answers: nothing is sent there, and no name has to be resolved.
const mailbox = { address: 'shop@quark.example', host: '127.0.0.1', port: 1, password: 'secret' };

export const examples: Examples = {
  bodies: {
    'mailboxes.create': mailbox,
    'mailboxes.check': mailbox,
    'mailboxes.update': { isPaused: true },
  },
  records: {
    parameters: ['mailboxId'],
    async create({ actor }) {
      return {
        mailboxId: (await createMailbox(actor, createMailboxInput.parse({ ...mailbox, address: 'old@quark.example' }))).id,
      };
    },
  },
  async fill({ as, known: { marker } }) {
    const { id: mailboxId } = await as.mailboxes.create({ ...mailbox, address: `${marker}@quark.example` });
    return { mailboxId };
  },
  unaudited: ['mailbox_states'],
  rules: [{ operation: /mailboxes/, problem: /^password: is needed/, why: 'depends on what changes' }],
};
