import { requestOf, type SessionActor } from '@/server/platform/actor';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { countAccountMail, resetConfirmations } from '@/server/platform/auth/sign-in-throttle';
import type { User } from '@/server/platform/db/generated/client';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { sendAccountMail } from '../outbox/account-mail.service';
import {
  addressInUseMail,
  confirmEmailMail,
  emailChangedMail,
  emailChangeRequestedMail,
} from '../outbox/account-notices.service';
import type { ChangeEmailInput, EmailLink, PendingEmail, SetEmailInput } from './account.schema';
import { confirmPassword, tooManyAttempts } from './account.service';
import { consumeLink, findLink, issueLink } from './account-link';
import { requireFreshWithTwoFactor } from './second-factor';
import { raiseEpoch } from './session.service';

/**
 * A sign-in address changes when the link mailed to the new one is opened in a browser that is signed in to the account, so a
 * mail that reaches the wrong person is useless to them. The old address is notified of the request and of the change.
 */

function withoutMail(): AppError {
  return new AppError(
    'conflict',
    'This installation sends no mail, so an email address can’t be confirmed. Ask its operator, who can set it on the command line.',
  );
}

/** Prevents flooding other people's mailboxes. @throws AppError rate_limit_exceeded after five requests in an hour */
async function countRequest(actor: SessionActor, { id, email }: User, address: string): Promise<void> {
  const retryAfter = await countAccountMail(id);
  if (retryAfter === null) return;
  throw tooManyAttempts(retryAfter, {
    kind: 'rate_limited',
    reason: 'rate_limit_exceeded',
    userId: id,
    account: email,
    address,
    subject: 'email confirmation',
    requestId: requestOf(actor)?.requestId ?? null,
  });
}

/**
 * Mails a link to the new address; nothing changes until it is opened. If the address belongs to another account, only its
 * owner is notified, by a mail without a link.
 *
 * @throws AppError invalid_request for a wrong password or the current address, conflict without SMTP_URL, rate_limit_exceeded;
 *   fresh_sign_in_required with two-factor
 */
export async function requestEmailChange(
  actor: SessionActor,
  { email, currentPassword }: ChangeEmailInput,
  address: string,
): Promise<PendingEmail> {
  if (!canSendMail()) throw withoutMail();
  await requireFreshWithTwoFactor(actor);
  const user = await confirmPassword(actor, currentPassword, address);
  await resetConfirmations(actor.sessionId);
  if (user.email === email) throw invalidFields({ email: 'is the one you sign in with already' });
  await countRequest(actor, user, address);
  return prismaTransaction(actor, async (tx) => {
    const link = await issueLink(tx, 'email', { userId: user.id, email });
    const owner = await tx.user.findUnique({ where: { email }, select: { language: true } });
    await sendAccountMail(tx, {
      to: email,
      ...(owner ? addressInUseMail(languageOf(owner), email) : confirmEmailMail(languageOf(user), email, link)),
      expiresAt: link.expiresAt,
    });
    await sendAccountMail(tx, { to: user.email, ...emailChangeRequestedMail(languageOf(user), user.email, email) });
    return { email, expiresAt: link.expiresAt.toISOString() };
  });
}

/**
 * Mails a link to the current sign-in address if it is not proven yet.
 *
 * @throws AppError conflict without SMTP_URL and for an address that is proven, rate_limit_exceeded
 */
export async function requestEmailProof(actor: SessionActor, address: string): Promise<PendingEmail> {
  if (!canSendMail()) throw withoutMail();
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } });
  if (user.emailVerifiedAt) throw new AppError('conflict', 'This address is confirmed already.');
  await countRequest(actor, user, address);
  return prismaTransaction(actor, async (tx) => {
    const link = await issueLink(tx, 'email', { userId: user.id, email: user.email });
    await sendAccountMail(tx, {
      to: user.email,
      ...confirmEmailMail(languageOf(user), user.email, link),
      expiresAt: link.expiresAt,
    });
    return { email: user.email, expiresAt: link.expiresAt.toISOString() };
  });
}

/** Withdraws a request; the mailed link stops working. */
export async function cancelEmailChange(actor: SessionActor): Promise<void> {
  await prisma().accountLink.deleteMany({ where: { userId: actor.userId, kind: 'email' } });
}

function linkInvalid(): AppError {
  return new AppError('not_found', 'This link does not work any more. Ask for a new one under Settings.');
}

/**
 * What a mailed link would do, without using it. @throws AppError not_found for one that does not work, or belongs to another
 * account
 */
export async function readEmailLink(actor: SessionActor, token: string): Promise<EmailLink> {
  const link = await findLink('email', token);
  if (link?.userId !== actor.userId) throw linkInvalid();
  const user = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId }, select: { email: true } });
  return { email: link.email, currentEmail: user.email };
}

/**
 * Marks the address that a link was mailed to as proven and makes it the sign-in address. If it is a new one, every session but
 * the caller's ends, and the former address is notified.
 *
 * @returns the cookie with the caller's new token
 * @throws AppError not_found for a link that does not work or belongs to another account; conflict if another account has taken
 *   the address
 */
export async function confirmEmail(actor: SessionActor, token: string): Promise<string> {
  const { userId, sessionId } = actor;
  try {
    const epoch = await prismaTransaction(actor, async (tx) => {
      const link = await consumeLink(tx, 'email', token);
      if (link?.userId !== userId) throw linkInvalid();
      const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
      await tx.user.update({
        where: { id: userId },
        data: { email: link.email, emailVerifiedAt: new Date(), updatedAt: new Date() },
      });
      if (link.email === user.email) return user.sessionEpoch;
      await sendAccountMail(tx, { to: user.email, ...emailChangedMail(languageOf(user), user.email, link.email) });
      return raiseEpoch(tx, userId, sessionId);
    });
    return await sessionCookie({ userId, epoch, sessionId });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'This address belongs to another account in the meantime. Ask for a change to another one.');
  }
}

/**
 * `admin user set-email`: an address set by the operator counts as proven. Ends every session if the address is a new one.
 *
 * @throws AppError not_found for an unknown address, conflict for a new one that another account has
 */
export async function setEmail({ email, newEmail }: SetEmailInput): Promise<{ userId: string; email: string }> {
  try {
    return await prismaTransaction({ kind: 'system', cause: 'operator' }, async (tx) => {
      const user = await tx.user.findUnique({ where: { email } });
      if (!user) throw new AppError('not_found', `There is no user ${email}.`);
      await tx.user.update({
        where: { id: user.id },
        data: { email: newEmail, emailVerifiedAt: new Date(), updatedAt: new Date() },
      });
      if (newEmail !== email) {
        await sendAccountMail(tx, { to: email, ...emailChangedMail(languageOf(user), email, newEmail) });
        await raiseEpoch(tx, user.id, null);
      }
      return { userId: user.id, email: newEmail };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `There is a user ${newEmail} already.`);
    throw error;
  }
}
