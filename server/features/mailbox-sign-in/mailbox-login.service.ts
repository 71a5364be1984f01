import type pg from 'pg';
import { openSecret, sealSecret } from '@/server/platform/auth/sealed-secret';
import { pool } from '@/server/platform/db/pool';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { AppError } from '@/server/platform/errors';
import type { MailLogin } from '@/server/platform/mail/mail-server';
import { openPassword } from '@/server/platform/mail/mailbox-password';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { mailProviders } from './mail-provider';
import type { MailProvider } from './mail-provider.schema';
import { clientOf } from './mailbox-client.service';
import { refreshTokens, type Tokens } from './provider-client';

/** How Frontdesk signs in to the servers of a mailbox: with its password, or with what a member's sign-in at its provider gave. */

export interface MailboxKey {
  identityId: string;
  mailboxId: string;
}

/** What is stored of it with the mailbox; one of both is null. */
export interface StoredLogin extends MailboxKey {
  provider: MailProvider | null;
  /** Encrypted. */
  password: string | null;
}

interface TokensRow {
  refreshToken: string;
  accessToken: string;
  /** Whether the access token can be used for a while. */
  isFresh: boolean;
}

/** A session with a server begins with a token that is good for so long, in seconds. */
const spareSeconds = 300;

const purpose = 'mailbox token';

const seal = (token: string, mailboxId: string) =>
  Buffer.from(sealSecret(Buffer.from(token), purpose, mailboxId)).toString('base64');

function unseal(stored: string, mailboxId: string): string {
  const plain = openSecret(Buffer.from(stored, 'base64'), purpose, mailboxId);
  if (plain) return plain.toString();
  throw new MailboxProblem(
    'credentials',
    'What the sign-in gave can’t be decrypted, since AUTH_SECRET has changed. Sign in again.',
  );
}

/** Keeps what a sign-in gave, in the caller's transaction. @throws AppError conflict if the client is gone */
export async function keepTokens(
  client: pg.PoolClient,
  { identityId, mailboxId, provider }: MailboxKey & { provider: MailProvider },
  { refreshToken, accessToken, expiresAt }: Required<Tokens>,
): Promise<void> {
  const statement = {
    name: 'mailbox-tokens-keep',
    text: `INSERT INTO mailbox_tokens (identity_id, mailbox_id, provider, refresh_token, access_token, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (identity_id, mailbox_id) DO UPDATE SET provider = excluded.provider, refresh_token = excluded.refresh_token,
        access_token = excluded.access_token, expires_at = excluded.expires_at`,
    values: [identityId, mailboxId, provider, seal(refreshToken, mailboxId), seal(accessToken, mailboxId), expiresAt],
  };
  try {
    await client.query(statement);
  } catch (error) {
    if (violatedConstraint(error) !== 'mailbox_tokens_identity_id_provider_fkey') throw error;
    throw new AppError('conflict', `Set the client at ${mailProviders[provider].name} first.`);
  }
}

/** Gets a further access token, and keeps it unless a member has signed in, or disconnected the mailbox, in between. */
async function renew({ identityId, mailboxId }: MailboxKey, provider: MailProvider, { refreshToken: stored }: TokensRow) {
  const client = await clientOf(identityId, provider);
  const { name } = mailProviders[provider];
  if (!client) throw new MailboxProblem('credentials', `The client at ${name} is gone. Set it again.`);
  const before = unseal(stored, mailboxId);
  const { refreshToken = before, accessToken, expiresAt } = await refreshTokens(provider, client, before);
  await pool().query({
    name: 'mailbox-tokens-renew',
    text: `UPDATE mailbox_tokens SET refresh_token = $4, access_token = $5, expires_at = $6
      WHERE identity_id = $1 AND mailbox_id = $2 AND refresh_token = $3`,
    values: [
      ...[identityId, mailboxId, stored, refreshToken === before ? stored : seal(refreshToken, mailboxId)],
      ...[seal(accessToken, mailboxId), expiresAt],
    ],
  });
  return accessToken;
}

async function accessTokenOf(key: MailboxKey, provider: MailProvider): Promise<string> {
  const [found] = await rows<TokensRow>(pool(), {
    name: 'mailbox-tokens',
    text: `SELECT refresh_token AS "refreshToken", access_token AS "accessToken", expires_at > now() + interval '${spareSeconds} seconds' AS "isFresh"
      FROM mailbox_tokens WHERE identity_id = $1 AND mailbox_id = $2`,
    values: [key.identityId, key.mailboxId],
  });
  if (!found) throw new MailboxProblem('credentials', `Sign in again at ${mailProviders[provider].name}.`);
  return found.isFresh ? unseal(found.accessToken, key.mailboxId) : renew(key, provider, found);
}

/**
 * How to sign in now; an access token is good for five minutes at least.
 * @throws MailboxProblem if it can't be decrypted, and if the provider gives no further access token
 */
export async function loginOf({ password, provider, ...key }: StoredLogin): Promise<MailLogin> {
  if (provider !== null) return { accessToken: await accessTokenOf(key, provider) };
  const plain = password === null ? null : openPassword(password, key.mailboxId);
  if (plain !== null) return { password: plain };
  throw new MailboxProblem(
    'credentials',
    'The stored password can’t be decrypted, since AUTH_SECRET has changed. Enter it again.',
  );
}

/** An access token that a server refused is not used again: the provider may have ended it before its time. */
export async function dropAccessToken({ identityId, mailboxId }: MailboxKey): Promise<void> {
  await pool().query({
    name: 'mailbox-tokens-drop',
    text: 'UPDATE mailbox_tokens SET expires_at = now() WHERE identity_id = $1 AND mailbox_id = $2',
    values: [identityId, mailboxId],
  });
}
