import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { openSecret, sealSecret } from '@/server/platform/auth/sealed-secret';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import type { RecordVersion } from '@/server/platform/operations/operation';
import type { MailProvider } from './mail-provider.schema';
import type { MailboxClient, MailboxClientList, SetMailboxClientInput } from './mailbox-client.schema';

/**
 * The clients of a business at Google and Microsoft (RFC 6749, section 2): it registers Frontdesk there by itself, so that no one in between
 * has access to its mailboxes, or can end it (docs/adr/0045).
 */

/** Where providers send browsers back to; the business registers it there. */
export const redirectUri = () => `${publicUrl()}/settings/mailboxes/signed-in`;

interface ClientRow extends Omit<MailboxClient, 'redirectUri'> {
  /** Encrypted. */
  clientSecret: string;
}

const columns = `c.id, c.identity_id AS "identityId", c.provider, c.client_id AS "clientId", c.client_secret AS "clientSecret",
  c.tenant_id AS "tenantId", c.revision, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  (SELECT count(*)::int FROM mailbox_tokens t WHERE t.identity_id = c.identity_id AND t.provider = c.provider) AS mailboxes`;

const toClient = ({ clientSecret: _, ...row }: ClientRow): MailboxClient => ({ ...row, redirectUri: redirectUri() });

/** `GET /mailbox-clients`, by provider. */
export async function listMailboxClients({ identityId }: IdentityActor): Promise<MailboxClientList> {
  const found = await rows<ClientRow>(pool(), {
    name: 'mailbox-clients',
    isoTimes: true,
    text: `SELECT ${columns} FROM mailbox_clients c WHERE c.identity_id = $1 ORDER BY c.provider`,
    values: [identityId],
  });
  return { mailboxClients: found.map(toClient), total: found.length, redirectUri: redirectUri() };
}

async function findClient(db: Queryable, identityId: string, provider: MailProvider): Promise<ClientRow | undefined> {
  const [found] = await rows<ClientRow>(db, {
    name: 'mailbox-client',
    isoTimes: true,
    text: `SELECT ${columns} FROM mailbox_clients c WHERE c.identity_id = $1 AND c.provider = $2`,
    values: [identityId, provider],
  });
  return found;
}

async function requireClient(db: Queryable, identityId: string, provider: MailProvider): Promise<ClientRow> {
  const found = await findClient(db, identityId, provider);
  if (!found) throw notFound();
  return found;
}

export const mailboxClientVersion: RecordVersion<{ provider: MailProvider }, MailboxClient> = {
  lock: (db, { identityId }, { provider }) =>
    lockRevision(db, {
      name: 'mailbox-client-revision',
      text: 'SELECT revision FROM mailbox_clients WHERE identity_id = $1 AND provider = $2 FOR NO KEY UPDATE',
      values: [identityId, provider],
    }),
  // What members do, and what the operator sets.
  others: ({ mailboxes, redirectUri }) => [mailboxes, redirectUri],
};

/** `GET /mailbox-clients/{provider}` @throws AppError not_found */
export async function getMailboxClient({ identityId }: IdentityActor, provider: MailProvider): Promise<MailboxClient> {
  return toClient(await requireClient(pool(), identityId, provider));
}

const purpose = 'mailbox client';
const ownerOf = (identityId: string, provider: MailProvider) => `${identityId} ${provider}`;

/**
 * `PUT /mailbox-clients/{provider}`: begins or replaces it. Mailboxes that were signed in to by another client have to be signed in to again.
 * @throws AppError invalid_request for another `clientId` without its secret, and for a directory of a provider that has none
 */
export function setMailboxClient(actor: IdentityActor, input: SetMailboxClientInput): Promise<MailboxClient> {
  const { identityId } = actor;
  const { provider, clientId, clientSecret, tenantId } = input;
  if (tenantId !== null && provider !== 'microsoft') throw invalidFields({ tenantId: 'is for Microsoft only' });
  return transaction(actor, async (client) => {
    await serialize(client, 'mailboxes', identityId);
    const before = await findClient(client, identityId, provider);
    if (clientSecret === undefined && before?.clientId !== clientId) {
      throw invalidFields({ clientSecret: before ? 'is needed for another client' : 'is required' });
    }
    const sealed =
      clientSecret === undefined
        ? before?.clientSecret
        : Buffer.from(sealSecret(Buffer.from(clientSecret), purpose, ownerOf(identityId, provider))).toString('base64');
    await client.query({
      name: 'mailbox-client-set',
      text: `INSERT INTO mailbox_clients (identity_id, provider, id, client_id, client_secret, tenant_id) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (identity_id, provider) DO UPDATE SET client_id = excluded.client_id, client_secret = excluded.client_secret,
          tenant_id = excluded.tenant_id, updated_at = now()`,
      values: [identityId, provider, uuidv7(), clientId, sealed, tenantId],
    });
    return toClient(await requireClient(client, identityId, provider));
  });
}

/** `DELETE /mailbox-clients/{provider}` @throws AppError not_found; conflict while mailboxes are signed in to by it */
export async function deleteMailboxClient(actor: IdentityActor, provider: MailProvider): Promise<void> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    await serialize(client, 'mailboxes', identityId);
    const { mailboxes } = await requireClient(client, identityId, provider);
    if (mailboxes > 0) throw new AppError('conflict', 'Mailboxes are signed in to by this client. Disconnect them first.');
    await client.query({
      name: 'mailbox-client-delete',
      text: 'DELETE FROM mailbox_clients WHERE identity_id = $1 AND provider = $2',
      values: [identityId, provider],
    });
  });
}

/** A client as it introduces itself to the provider. */
export interface KnownClient {
  clientId: string;
  /** Null if it can't be decrypted, since AUTH_SECRET has changed. */
  clientSecret: string | null;
  tenantId: string | null;
}

/** @returns null if the business has none there */
export async function clientOf(identityId: string, provider: MailProvider): Promise<KnownClient | null> {
  const found = await findClient(pool(), identityId, provider);
  if (!found) return null;
  const { clientId, clientSecret, tenantId } = found;
  const plain = openSecret(Buffer.from(clientSecret, 'base64'), purpose, ownerOf(identityId, provider));
  return { clientId, clientSecret: plain?.toString() ?? null, tenantId };
}
