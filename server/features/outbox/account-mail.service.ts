import { isIP } from 'node:net';
import type pg from 'pg';
import { identities, users } from '@/server/platform/auth/accounts.sql';
import { rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { env, publicUrl } from '@/server/platform/env';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { textToHtml } from '@/server/platform/mail/text-to-html';
import { enqueueUncounted, type NewOutboxMail } from './outbox.service';

/**
 * Mail to an account holder: links, codes, and notices about the account. It goes through the outbox like any other mail and is
 * as durable, but belongs to no identity: it appears in no outbox page, search, API or audit log, and its text is removed from
 * the database once it is sent or has failed.
 */
export interface AccountMail {
  /** The only recipient, in lower case. */
  to: string;
  /** Kept for a week: no secrets here. */
  subject: string;
  /** Plain text; may contain a secret. Links are clickable in the mail. */
  text: string;
  /** The kind of mail, e.g. `password_reset`; for the operator, who reads the table. */
  kind: string;
  /** Not sent after this time. Defaults to three days from now. */
  expiresAt?: Date;
}

/** An open transaction, of either kind. */
type Transaction = pg.PoolClient | PrismaTransaction;

const defaultLifetime = 3 * 24 * 3_600_000;

/** MAIL_FROM, else an address at the host of PUBLIC_URL. */
export function accountMailSender(): { email: string; displayName: string | null } {
  const { MAIL_FROM } = env();
  if (MAIL_FROM) return MAIL_FROM;
  const host = new URL(publicUrl()).hostname;
  return { email: `frontdesk@${isIP(host.replace(/^\[|\]$/g, '')) ? 'localhost' : host}`, displayName: 'Frontdesk' };
}

function outboxMail({ to, subject, text, kind, expiresAt }: AccountMail): NewOutboxMail {
  const from = accountMailSender();
  return {
    identityId: null,
    kind,
    messageId: null,
    messageIdHeader: newMessageId(from.email),
    subject,
    expiresAt: expiresAt ?? new Date(Date.now() + defaultLifetime),
    mail: {
      from,
      to: [{ email: to, displayName: null }],
      cc: [],
      bcc: [],
      text,
      html: textToHtml(text),
      inReplyTo: null,
      references: [],
      isAutomatic: true,
    },
  };
}

/**
 * Sends a mail to an account holder if, and only if, the transaction succeeds. Without SMTP_URL nothing is written: it would be
 * outdated by the time mail can be sent.
 *
 * @returns false if SMTP_URL is not set
 */
export async function sendAccountMail(tx: Transaction, mail: AccountMail): Promise<boolean> {
  if (!canSendMail()) return false;
  await enqueueUncounted('$executeRawUnsafe' in tx ? rawStatements(tx) : tx, [outboxMail(mail)]);
  return true;
}

const ownerQuery = `SELECT u.email, coalesce(nullif(i.display_name, ''), i.handle) AS business
  FROM ${identities} i JOIN ${users} u ON u.id = i.owner_user_id WHERE i.id = $1::uuid`;

interface OwnerRow {
  email: string;
  business: string;
}

/**
 * Notifies the owner of an identity of a change, if the transaction succeeds.
 *
 * @param compose composes the mail from the business' name
 */
export async function notifyOwner(
  tx: Transaction,
  identityId: string,
  compose: (business: string) => Pick<AccountMail, 'subject' | 'text' | 'kind'>,
): Promise<void> {
  if (!canSendMail()) return;
  const [owner] =
    '$queryRawUnsafe' in tx
      ? await tx.$queryRawUnsafe<OwnerRow[]>(ownerQuery, identityId)
      : await rows<OwnerRow>(tx, { name: 'identity-owner', text: ownerQuery, values: [identityId] });
  if (owner) await sendAccountMail(tx, { to: owner.email, ...compose(owner.business) });
}
