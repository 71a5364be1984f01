import { isIP } from 'node:net';
import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { identities, owners, users } from '@/server/platform/auth/accounts.sql';
import { countNoticedChange } from '@/server/platform/auth/sign-in-throttle';
import { rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, rawStatements, type StatementRunner } from '@/server/platform/db/transaction';
import { env, publicUrl } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import type { Notice, Recipient } from './account-copy.service';
import { accountHtml } from './account-html';
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

function outboxMail({ to, expiresAt, ...notice }: AccountMail): NewOutboxMail {
  const { subject, text, footer, kind } = notice;
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
      text: footer === undefined ? text : `${text}\n\n${footer}`,
      html: accountHtml(notice),
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

/**
 * `sendAccountMail` of what may happen often: one mail an hour of a kind and cause. The caller has locked the account, in a
 * transaction without row security.
 *
 * @returns false if SMTP_URL is not set, or one was written in the last hour
 */
export async function sendHourlyMail(tx: PrismaTransaction, mail: AccountMail, cause: string): Promise<boolean> {
  if (!canSendMail()) return false;
  const earlier = await tx.$queryRaw<unknown[]>`SELECT 1 FROM outbox_mails WHERE identity_id IS NULL AND kind = ${mail.kind}
    AND topic = ${cause} AND recipients = ARRAY[${mail.to}] AND created_at > now() - interval '1 hour' LIMIT 1`;
  if (earlier.length > 0) return false;
  await enqueueUncounted(rawStatements(tx), [{ ...outboxMail(mail), topic: cause }]);
  return true;
}

/**
 * Counts a change of which all owners are notified (`notifyOwners`), by the account that makes it; the operator's are not counted.
 *
 * @throws AppError rate_limit_exceeded
 */
export async function requireRoomForNotice(actor: IdentityActor): Promise<void> {
  if (actor.kind === 'system') return;
  const wait = await countNoticedChange(actor.kind === 'session' ? actor.userId : actor.ownerUserId);
  if (wait === null) return;
  throw new AppError(
    'rate_limit_exceeded',
    `Too many changes of keys and addresses. Try again in ${Math.ceil(wait / 60)} minutes.`,
    {
      headers: { 'Retry-After': String(wait) },
    },
  );
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
