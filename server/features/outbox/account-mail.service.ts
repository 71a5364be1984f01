import { isIP } from 'node:net';
import type pg from 'pg';
import { identities, owners, users } from '@/server/platform/auth/accounts.sql';
import { rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, rawStatements, type StatementRunner } from '@/server/platform/db/transaction';
import { env, publicUrl } from '@/server/platform/env';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { textToHtml } from '@/server/platform/mail/text-to-html';
import type { Notice, Recipient } from './account-copy.service';
import { enqueueUncounted, type NewOutboxMail } from './outbox.service';

/**
 * Mail to an account holder: links, codes, and notices about the account. It goes through the outbox like any other mail and is
 * as durable, but belongs to no identity: it appears in no outbox page, search, API or audit log, and its text is removed from
 * the database once it is sent or has failed.
 */
export interface AccountMail extends Notice {
  /** The only recipient, in lower case. */
  to: string;
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

function runnerOf(tx: Transaction): StatementRunner {
  return '$executeRawUnsafe' in tx ? rawStatements(tx) : tx;
}

/**
 * Sends a mail to an account holder if, and only if, the transaction succeeds. Without SMTP_URL nothing is written: it would be
 * outdated by the time mail can be sent.
 *
 * @returns false if SMTP_URL is not set
 */
export async function sendAccountMail(tx: Transaction, mail: AccountMail): Promise<boolean> {
  if (!canSendMail()) return false;
  await enqueueUncounted(runnerOf(tx), [outboxMail(mail)]);
  return true;
}

const ownersQuery = `SELECT u.email, u.language, coalesce(nullif(i.display_name, ''), i.handle) AS business
  FROM ${identities} i JOIN ${owners} o ON o.identity_id = i.id JOIN ${users} u ON u.id = o.user_id WHERE i.id = $1::uuid`;

interface OwnerRow extends Recipient {
  business: string;
}

/**
 * Notifies all owners of an identity of a change, each in their language, if the transaction succeeds.
 *
 * @param compose composes the mail from the business' name
 */
export async function notifyOwners(
  tx: Transaction,
  identityId: string,
  compose: (language: Language, business: string) => Notice,
): Promise<void> {
  if (!canSendMail()) return;
  const found =
    '$queryRawUnsafe' in tx
      ? await tx.$queryRawUnsafe<OwnerRow[]>(ownersQuery, identityId)
      : await rows<OwnerRow>(tx, { name: 'identity-owners', text: ownersQuery, values: [identityId] });
  const mails = found.map(({ email, business, ...owner }) => outboxMail({ to: email, ...compose(languageOf(owner), business) }));
  if (mails.length > 0) await enqueueUncounted(runnerOf(tx), mails);
}
