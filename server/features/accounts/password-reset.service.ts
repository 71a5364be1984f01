import { createHash } from 'node:crypto';
import { rememberBrowser } from '@/server/platform/auth/remembered-browser';
import { countPasswordReset, resetAccountFailures } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { JobKind } from '@/server/platform/jobs/job';
import { languageOf } from '@/server/platform/languages.schema';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { sendAccountMail } from '../outbox/account-mail.service';
import { passwordChangedMail, resetPasswordMail } from '../outbox/account-notices.service';
import type { PasswordLink, RequestResetInput, ResetPasswordInput } from './account.schema';
import { tooManyAttempts } from './account.service';
import { consumeLink, findLink, issueLink } from './account-link';
import { hashNewPassword } from './new-password.service';
import { removeUsedChallenges } from './passkey-challenge';
import { raiseEpoch } from './session.service';

/**
 * Password reset by a link mailed to the account's address. Requests are counted and queued the same way whether or not the
 * account exists, so they do not reveal it; a job looks the account up.
 */

export interface ResetJob {
  email: string;
  /** ISO 8601. Makes the job idempotent: a link created after this time is the result of an earlier run. */
  requestedAt: string;
}

const resetJob = new JobKind<ResetJob>('mail-reset-link');

/** The recovery options of people who can't sign in. */
export function getRecoveryStatus(): { canSendMail: boolean } {
  return { canSendMail: canSendMail() };
}

/**
 * Requests a link by mail to the account with this address, if it exists.
 *
 * @param address client address of the request
 * @throws AppError conflict without SMTP_URL; rate_limit_exceeded after too many requests for one address or from one
 */
export async function requestPasswordReset({ email }: RequestResetInput, address: string): Promise<void> {
  if (!canSendMail()) throw withoutMail();
  const retryAfter = await countPasswordReset(email, address);
  if (retryAfter !== null) {
    throw tooManyAttempts(retryAfter, {
      kind: 'rate_limited',
      reason: 'rate_limit_exceeded',
      account: email,
      address,
      subject: 'password reset',
    });
  }
  const key = createHash('sha256').update(email).digest('base64url');
  await resetJob.schedule(pool(), { key, payload: { email, requestedAt: new Date().toISOString() } });
}

function withoutMail(): AppError {
  return new AppError(
    'conflict',
    'This installation sends no mail. Ask its operator, who can set a new password on the command line.',
  );
}

/** Issues and mails the link; a second run for the same request does nothing. */
export async function mailLink({ email, requestedAt }: ResetJob): Promise<void> {
  await prismaTransaction({ kind: 'system', cause: 'reset' }, async (tx) => {
    const [user] = await tx.$queryRaw<
      { id: string; language: string }[]
    >`SELECT id, language FROM users WHERE email = ${email} FOR NO KEY UPDATE`;
    if (!user) return;
    const done = { userId: user.id, kind: 'password', createdAt: { gte: new Date(requestedAt) } } as const;
    if ((await tx.accountLink.count({ where: done })) > 0) return;
    const link = await issueLink(tx, 'password', { userId: user.id, email });
    await sendAccountMail(tx, { to: email, ...resetPasswordMail(languageOf(user), email, link), expiresAt: link.expiresAt });
  });
}

/** The account a mailed link is for, without using it. @throws AppError not_found for one that does not work */
export async function readPasswordLink(token: string): Promise<PasswordLink> {
  const link = await findLink('password', token);
  if (!link) throw linkInvalid();
  return { email: link.email };
}

function linkInvalid(): AppError {
  return new AppError('not_found', 'This link does not work any more. Ask for a new one.');
}

/**
 * Sets the password by a mailed link and ends every session. It does not sign in: a second factor is still required at the next
 * sign-in. Receiving the link proves the address, so the browser is remembered for the account, and failed attempts of
 * strangers do not block or slow down the sign-in that follows.
 *
 * @param cookies the browser's Cookie header
 * @returns the cookie that remembers the browser
 * @throws AppError not_found for a link that does not work; invalid_request for a password that is easy to guess, which leaves
 *   the link
 */
export async function resetPassword({ token, newPassword }: ResetPasswordInput, cookies: string | null): Promise<string> {
  // Hashing a password is expensive: only after the link was checked.
  const found = await findLink('password', token);
  if (!found) throw linkInvalid();
  const passwordHash = await hashNewPassword(newPassword, found.email, 'newPassword');
  const userId = await prismaTransaction({ kind: 'system', cause: 'reset' }, async (tx) => {
    const link = await consumeLink(tx, 'password', token);
    if (!link) throw linkInvalid();
    const { email } = link;
    const now = new Date();
    const user = await tx.user.update({
      where: { id: link.userId, email },
      data: { passwordHash, emailVerifiedAt: now, updatedAt: now },
      select: { language: true },
    });
    await raiseEpoch(tx, link.userId, null);
    await sendAccountMail(tx, { to: email, ...passwordChangedMail(languageOf(user), email, 'link') });
    return link.userId;
  });
  await resetAccountFailures(found.email);
  return rememberBrowser(cookies, userId);
}

export const resetLinkMailing = resetJob.handledBy(({ payload }) => mailLink(payload));

export async function removeOldLinks(signal?: AbortSignal): Promise<void> {
  await removeInBatches({ table: 'account_links', condition: 'expires_at < now()', signal });
  await removeUsedChallenges(signal);
}
