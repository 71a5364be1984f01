import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { mailPorts } from '@/server/platform/mail/mail-server';
import { sealPassword } from '@/server/platform/mail/mailbox-password';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { providerSite } from '../mailbox-sign-in/provider-sign-in.service';
import { withdrawFailingMailbox } from '../notifications/notification-causes.service';
import { mailboxesMaximum } from './mailbox.limits';
import { findMailbox, findMailboxes, type MailboxRow, submissionServer, toMailbox } from './mailbox.record';
import type { CreateMailboxInput, Mailbox, MailboxList, UpdateMailboxInput } from './mailbox.schema';
import { readMailboxJob } from './mailbox-job';

/** Mailboxes of other servers, whose email is taken over (contract section 15). Nothing in them is changed or deleted. */

/** `GET /mailboxes`: all of the business, oldest first. */
export async function listMailboxes({ identityId }: IdentityActor): Promise<MailboxList> {
  const mailboxes = (await findMailboxes(pool(), identityId)).map(toMailbox);
  return { mailboxes, total: mailboxes.length };
}

export const mailboxVersion: RecordVersion<{ mailboxId: string }, Mailbox> = {
  lock: (db, { identityId }, { mailboxId }) =>
    lockRevision(db, {
      name: 'mailbox-revision',
      text: 'SELECT revision FROM mailboxes WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
      values: [identityId, mailboxId],
    }),
  // How far it has been read, and whether it can be.
  others: ({ status, problem, failingSince, import: progress, checkedAt, receivedAt }) => [
    ...[status, problem, failingSince, progress],
    ...[checkedAt, receivedAt],
  ],
};

export async function requireMailbox(db: Queryable, identityId: string, mailboxId: string): Promise<MailboxRow> {
  const found = await findMailbox(db, identityId, mailboxId);
  if (!found) throw notFound();
  return found;
}

/** `GET /mailboxes/{mailboxId}` @throws AppError not_found */
export async function getMailbox({ identityId }: IdentityActor, mailboxId: string): Promise<Mailbox> {
  return toMailbox(await requireMailbox(pool(), identityId, mailboxId));
}

/** @throws AppError conflict for a folder that another mailbox has */
async function refusingSameFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'mailboxes_identity_id_address_folder_key') throw error;
    throw new AppError('conflict', 'This folder of this mailbox is connected already.');
  }
}

/** A mailbox as it is stored first. Of password and provider, one is null. */
export type NewMailbox = Pick<
  MailboxRow,
  'address' | 'host' | 'port' | 'security' | 'username' | 'provider' | 'folder' | 'importDays'
> & {
  password: string | null;
  outgoing: Outgoing | null;
};

/** Stores a mailbox, and has it read at once. @throws AppError conflict at twenty of them, and for one that is connected already */
export async function insertMailbox(client: pg.PoolClient, identityId: string, mailbox: NewMailbox): Promise<Mailbox> {
  await serialize(client, 'mailboxes', identityId);
  if ((await countMailboxes(client, identityId)) >= mailboxesMaximum) {
    throw new AppError('conflict', `A business has at most ${mailboxesMaximum} mailboxes.`);
  }
  const id = uuidv7();
  const { address, host, port, security, username, password, provider, folder, importDays, outgoing } = mailbox;
  await refusingSameFolder(() =>
    client.query({
      name: 'mailbox-insert',
      text: `INSERT INTO mailboxes (identity_id, id, address, host, port, security, username, password, provider, folder, import_days,
            smtp_host, smtp_port, smtp_security, smtp_username, smtp_password)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      values: [
        ...[identityId, id, address, host, port, security, username],
        ...[password === null ? null : sealPassword(password, id), provider, folder, importDays],
        ...outgoingColumns(outgoing, id),
      ],
    }),
  );
  await client.query({
    name: 'mailbox-state-insert',
    text: 'INSERT INTO mailbox_states (identity_id, mailbox_id) VALUES ($1, $2)',
    values: [identityId, id],
  });
  await readMailboxJob.schedule(client, { key: id, payload: { identityId, mailboxId: id } });
  return toMailbox(await requireMailbox(client, identityId, id));
}

/** `POST /mailboxes`: it is read at once. @throws AppError conflict for one that is connected already, or at twenty of them */
export function createMailbox(actor: IdentityActor, input: CreateMailboxInput): Promise<Mailbox> {
  const { address, security, outgoing } = input;
  const { port = mailPorts.imap[security], username = address } = input;
  const mailbox = { ...input, port, username, provider: null, outgoing: outgoing && submissionServer(outgoing, username) };
  return transaction(actor, (client) => insertMailbox(client, actor.identityId, mailbox));
}

type Outgoing = ReturnType<typeof submissionServer>;

/** What is stored of it. */
function outgoingColumns(outgoing: Outgoing | null, mailboxId: string) {
  if (!outgoing) return [null, null, null, null, null];
  const { host, port, security, username, password } = outgoing;
  return [host, port, security, username, password === undefined ? null : sealPassword(password, mailboxId)];
}

/**
 * What is stored of `outgoing` after a change. A stored password goes only to the server that it was entered for.
 * @param isElsewhere whether the mailbox is read from another server, or as another user
 * @throws AppError invalid_request for another server or user without a password
 */
function changedOutgoing(
  before: MailboxRow,
  input: Omit<UpdateMailboxInput, 'mailboxId'>,
  username: string,
  isElsewhere: boolean,
) {
  const { id, provider, smtpHost, smtpPort, smtpSecurity, smtpUsername, smtpPassword } = before;
  const server = [smtpHost, smtpPort, smtpSecurity, smtpUsername];
  const stored = [...server, isElsewhere && smtpHost !== null ? (smtpPassword ?? before.password) : smtpPassword];
  const { outgoing } = input;
  if (outgoing === undefined) return stored;
  if (provider !== null) return outgoingColumns(outgoing && { ...providerSite(provider).smtp, username }, id);
  const columns = outgoingColumns(outgoing && submissionServer(outgoing, username), id);
  if (!outgoing || outgoing.password !== undefined || input.password !== undefined) return columns;
  if (server.some((value, index) => value !== columns[index])) {
    throw invalidFields({ 'outgoing.password': 'is needed for another server or user' });
  }
  return stored;
}

async function countMailboxes(db: Queryable, identityId: string): Promise<number> {
  const [row] = await rows<{ total: number }>(db, {
    name: 'mailboxes-count',
    text: 'SELECT count(*)::int AS total FROM mailboxes WHERE identity_id = $1',
    values: [identityId],
  });
  return row?.total ?? 0;
}

/** What is only for mailboxes with a password. */
const ofPasswords = ['host', 'port', 'security', 'username', 'password'] as const;

/** @throws AppError invalid_request for what is the provider's to say */
function requirePossible({ provider, username }: MailboxRow, input: Omit<UpdateMailboxInput, 'mailboxId'>): void {
  if (provider === null) return;
  const { name, smtp } = providerSite(provider);
  const given = ofPasswords.find((field) => input[field] !== undefined);
  if (given) throw invalidFields({ [given]: `can’t be changed, since a member signed in at ${name}` });
  const { outgoing } = input;
  const expected = { host: smtp.host, port: smtp.port, username };
  for (const field of ['host', 'port', 'username'] as const) {
    const wanted = outgoing?.[field];
    if (wanted !== undefined && wanted !== expected[field])
      throw invalidFields({ [`outgoing.${field}`]: `must be ${expected[field]}` });
  }
  if (outgoing?.password !== undefined) {
    throw invalidFields({ 'outgoing.password': `can’t be changed, since a member signed in at ${name}` });
  }
}

/** Has a mailbox read at once as it is now. @param isOther whether what was read before says nothing of it any more */
export async function readAgain(client: pg.PoolClient, identityId: string, mailboxId: string, isOther: boolean): Promise<void> {
  await client.query({
    name: 'mailbox-state-reset',
    text: `UPDATE mailbox_states SET failing_since = NULL, failures = 0, problem = NULL, detail = NULL,
        uid_validity = CASE WHEN $3 THEN NULL ELSE uid_validity END, last_uid = CASE WHEN $3 THEN 0 ELSE last_uid END,
        import_total = CASE WHEN $3 THEN NULL ELSE import_total END, import_done = CASE WHEN $3 THEN 0 ELSE import_done END
      WHERE identity_id = $1 AND mailbox_id = $2`,
    values: [identityId, mailboxId, isOther],
  });
  await withdrawFailingMailbox(client, identityId, mailboxId);
  await readMailboxJob.schedule(client, { key: mailboxId, payload: { identityId, mailboxId } });
}

/**
 * `PATCH /mailboxes/{mailboxId}`: it is read at once with what has changed. Another folder, or user, is read from its beginning.
 * @throws AppError not_found; invalid_request for another server or user without its password; conflict as for a new one
 */
export function updateMailbox(actor: IdentityActor, { mailboxId, ...input }: UpdateMailboxInput): Promise<Mailbox> {
  const { identityId } = actor;
  return refusingSameFolder(() =>
    transaction(actor, async (client) => {
      await mailboxVersion.lock(client, actor, { mailboxId });
      const before = await requireMailbox(client, identityId, mailboxId);
      requirePossible(before, input);
      const { host = before.host, security = before.security, username = before.username, folder = before.folder } = input;
      const port = input.port ?? (security === before.security ? before.port : mailPorts.imap[security]);
      const isElsewhere =
        host !== before.host || port !== before.port || security !== before.security || username !== before.username;
      // A stored password goes only to the server that it was entered for.
      if (isElsewhere && input.password === undefined) throw invalidFields({ password: 'is needed for another server or user' });
      const password = input.password === undefined ? before.password : sealPassword(input.password, mailboxId);
      const isPaused = input.isPaused ?? before.isPaused;
      await client.query({
        name: 'mailbox-update',
        text: `UPDATE mailboxes SET host = $3, port = $4, security = $5, username = $6, password = $7, folder = $8, is_paused = $9,
            smtp_host = $10, smtp_port = $11, smtp_security = $12, smtp_username = $13, smtp_password = $14, updated_at = now()
          WHERE identity_id = $1 AND id = $2`,
        values: [
          ...[identityId, mailboxId, host, port, security, username, password, folder, isPaused],
          ...changedOutgoing(before, input, username, isElsewhere),
        ],
      });
      const isOther = folder !== before.folder || username !== before.username || host !== before.host;
      await readAgain(client, identityId, mailboxId, isOther);
      return toMailbox(await requireMailbox(client, identityId, mailboxId));
    }),
  );
}

/** `DELETE /mailboxes/{mailboxId}`: what was taken over stays. @throws AppError not_found */
export async function deleteMailbox(actor: IdentityActor, mailboxId: string): Promise<void> {
  await transaction(actor, async (client) => {
    const { rowCount } = await client.query({
      name: 'mailbox-delete',
      text: 'DELETE FROM mailboxes WHERE identity_id = $1 AND id = $2',
      values: [actor.identityId, mailboxId],
    });
    if (rowCount !== 1) throw notFound();
    await withdrawFailingMailbox(client, actor.identityId, mailboxId);
    // One that runs finds that its mailbox is gone.
    await readMailboxJob.cancel(client, mailboxId);
  });
}
