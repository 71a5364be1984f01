import { type Queryable, rows } from '@/server/platform/db/sql';
import { type MailServer, mailPorts } from '@/server/platform/mail/mail-server';
import type { MailboxProblemCode } from '@/server/platform/mail/mailbox-problem';
import type { MailProvider } from '../mailbox-sign-in/mail-provider.schema';
import { loginOf } from '../mailbox-sign-in/mailbox-login.service';
import type { Mailbox, OutgoingInput } from './mailbox.schema';

/** Mailboxes as they are stored. */

export interface MailboxRow {
  id: string;
  identityId: string;
  address: string;
  host: string;
  port: number;
  security: MailServer['security'];
  username: string;
  /** Encrypted; null with a provider. */
  password: string | null;
  /** Where a member signed in to it. */
  provider: MailProvider | null;
  folder: string;
  smtpHost: string | null;
  smtpPort: number | null;
  smtpSecurity: MailServer['security'] | null;
  smtpUsername: string | null;
  /** Encrypted; null for `password`. */
  smtpPassword: string | null;
  importDays: number;
  isPaused: boolean;
  /** Which numbering of messages `lastUid` is of; null before the first look. */
  uidValidity: string | null;
  lastUid: number;
  /** Messages up to this one are earlier ones: of them, those since `importSince` are taken over. */
  importLastUid: number;
  importSince: string | null;
  importTotal: number | null;
  importDone: number;
  checkedAt: string | null;
  receivedAt: string | null;
  failingSince: string | null;
  problem: MailboxProblemCode | null;
  detail: string | null;
  revision: number;
  createdAt: string;
  updatedAt: string;
}

const columns = `m.id, m.identity_id AS "identityId", m.address, m.host, m.port, m.security, m.username, m.password, m.provider, m.folder,
  m.smtp_host AS "smtpHost", m.smtp_port AS "smtpPort", m.smtp_security AS "smtpSecurity", m.smtp_username AS "smtpUsername",
  m.smtp_password AS "smtpPassword",
  m.import_days AS "importDays", m.is_paused AS "isPaused", s.uid_validity::text AS "uidValidity", s.last_uid::float8 AS "lastUid",
  s.import_last_uid::float8 AS "importLastUid", s.import_since AS "importSince",
  s.import_total AS "importTotal", s.import_done AS "importDone", s.checked_at AS "checkedAt", s.received_at AS "receivedAt",
  s.failing_since AS "failingSince", s.problem, s.detail, m.revision, m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

const from = 'FROM mailboxes m JOIN mailbox_states s ON s.identity_id = m.identity_id AND s.mailbox_id = m.id';

/** Those of a business, oldest first. */
export function findMailboxes(db: Queryable, identityId: string): Promise<MailboxRow[]> {
  return rows<MailboxRow>(db, {
    name: 'mailboxes',
    isoTimes: true,
    text: `SELECT ${columns} ${from} WHERE m.identity_id = $1 ORDER BY m.created_at, m.id`,
    values: [identityId],
  });
}

export async function findMailbox(db: Queryable, identityId: string, mailboxId: string): Promise<MailboxRow | undefined> {
  const [found] = await rows<MailboxRow>(db, {
    name: 'mailbox-get',
    isoTimes: true,
    text: `SELECT ${columns} ${from} WHERE m.identity_id = $1 AND m.id = $2`,
    values: [identityId, mailboxId],
  });
  return found;
}

function statusOf({ isPaused, failingSince, uidValidity, importTotal, importDone }: MailboxRow): Mailbox['status'] {
  if (isPaused) return 'paused';
  if (failingSince !== null) return 'failing';
  if (uidValidity === null) return 'new';
  return importDone < (importTotal ?? 0) ? 'importing' : 'connected';
}

function outgoingOf({
  smtpHost: host,
  smtpPort: port,
  smtpSecurity: security,
  smtpUsername: username,
}: MailboxRow): Mailbox['outgoing'] {
  if (host === null || port === null || security === null || username === null) return null;
  return { host, port, security, username };
}

export function toMailbox(row: MailboxRow): Mailbox {
  const { id, identityId, address, host, port, security, username, provider, folder, importDays, isPaused } = row;
  const { importTotal, importDone, checkedAt, receivedAt, failingSince, problem, detail, revision, createdAt, updatedAt } = row;
  return {
    ...{ id, identityId, address, host, port, security, username, provider, folder, importDays, isPaused },
    ...{ failingSince, checkedAt, receivedAt, revision, createdAt, updatedAt },
    outgoing: outgoingOf(row),
    status: statusOf(row),
    problem: problem === null ? null : { code: problem, message: detail ?? '' },
    import: importTotal === null ? null : { total: importTotal, done: importDone },
  };
}

/** The server of an input, with what it leaves out. The password is that of the mailbox unless it has one. */
export function submissionServer({ password, ...given }: OutgoingInput, mailboxUsername: string) {
  const { host, security, port = mailPorts.submission[security], username = mailboxUsername } = given;
  return { host, port, security, username, ...(password === undefined ? {} : { password }) };
}

/** How to sign in now. @throws MailboxProblem if that is not possible */
export async function serverOf(row: MailboxRow): Promise<MailServer> {
  const { id: mailboxId, identityId, provider, password, host, port, security, username } = row;
  return { host, port, security, username, ...(await loginOf({ identityId, mailboxId, provider, password })) };
}
