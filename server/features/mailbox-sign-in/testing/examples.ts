import { pool } from '@/server/platform/db/pool';
import type { Examples } from '@/server/testing/examples';
import { setMailboxClient } from '../mailbox-client.service';

const client = { clientId: '4711-abc.apps.googleusercontent.com', clientSecret: 'GOCSPX-4711' };

/** Of the provider at which no example has a client. */
const unknown = '/api/v1/mailbox-clients/microsoft';

/** What a member's sign-in leaves. */
export const signedInMailbox = `WITH mailbox AS (
    INSERT INTO mailboxes (identity_id, id, address, host, port, security, username, provider, folder, import_days, is_paused)
    VALUES ($1, gen_random_uuid(), 'signed-in@quark.example', '127.0.0.1', 1, 'tls', 'ann', 'google', 'INBOX', 0, true) RETURNING id
  ), state AS (
    INSERT INTO mailbox_states (identity_id, mailbox_id) SELECT $1, id FROM mailbox
  )
  INSERT INTO mailbox_tokens (identity_id, mailbox_id, provider, refresh_token, access_token, expires_at)
  SELECT $1, id, 'google', 'x', 'x', now() FROM mailbox RETURNING mailbox_id`;

export const examples: Examples = {
  bodies: { 'mailboxClients.set': client },
  records: {
    parameters: ['provider'],
    async create({ actor }) {
      return { provider: (await setMailboxClient(actor, { provider: 'google', ...client, tenantId: null })).provider };
    },
  },
  begins: ['mailboxClients.set'],
  async fill({ as, known: { marker } }) {
    await as.mailboxClients.set({ provider: 'google', clientId: `${marker}.googleusercontent.example`, clientSecret: marker });
    return { provider: 'google' };
  },
  rows: [signedInMailbox],
  unaudited: ['mailbox_tokens'],
  rules: [
    { operation: /mailbox-clients/, problem: /^clientSecret: is (required|needed)/, why: 'depends on what is stored' },
    { operation: /mailbox-clients/, problem: /^tenantId: is for Microsoft/, why: 'depends on the provider' },
  ],
  notFound: {
    'mailboxClients.get': ({ call, caller: { key } }) => call('GET', unknown, { key }),
    'mailboxClients.delete': ({ call, caller: { key } }) => call('DELETE', unknown, { key }),
  },
  conflicts: {
    'mailboxClients.delete': [
      'conflict',
      async ({ send, caller: { identityId } }) => {
        await pool().query(signedInMailbox, [identityId]);
        const answer = await send();
        await pool().query('DELETE FROM mailboxes WHERE identity_id = $1 AND provider IS NOT NULL', [identityId]);
        return answer;
      },
    ],
  },
};
