import { signedInMailbox } from '@/server/features/mailbox-sign-in/testing/examples';
import { pool } from '@/server/platform/db/pool';
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
  own: {
    // By the client that every example business has.
    'mailboxes.beginSignIn': () => [{ provider: 'google', address: 'new@quark.example' }],
    'mailboxes.beginSignInAgain': async ({ identityId }) => {
      const { rows } = await pool().query<{ mailbox_id: string }>(signedInMailbox, [identityId]);
      return rows.map(({ mailbox_id: mailboxId }) => ({ mailboxId }));
    },
    // Needs the visit at a provider that signed-in-mailbox.test.ts makes.
    'mailboxes.finishSignIn': () => [],
  },
  foreign: {
    'mailboxes.beginSignIn': ({ marker }) => [{ provider: 'google', address: `${marker}@quark.example` }],
    'mailboxes.beginSignInAgain': ({ mailboxId }) => [{ mailboxId }],
    'mailboxes.finishSignIn': () => [{ query: 'code=x&state=x' }],
  },
  async fill({ as, known: { marker } }) {
    const { id: mailboxId } = await as.mailboxes.create({ ...mailbox, address: `${marker}@quark.example` });
    return { mailboxId };
  },
  unaudited: ['mailbox_states'],
  rules: [{ operation: /mailboxes/, problem: /^password: is needed/, why: 'depends on what changes' }],
};
