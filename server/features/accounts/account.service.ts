import type { Author, SessionActor } from '@/server/platform/actor';
import { verifyPassword } from '@/server/platform/auth/password';
import { rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { noteSecurityEvent, type SecurityEvent } from '@/server/platform/auth/security-log';
import { identityCookie } from '@/server/platform/auth/session';
import { sessionCookie } from '@/server/platform/auth/session-token';
import {
  countConfirmation,
  countSignInAttempt,
  resetConfirmations,
  resetSignInAttempts,
  uncountSignInAttempt,
} from '@/server/platform/auth/sign-in-throttle';
import type { User } from '@/server/platform/db/generated/client';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { requestOf } from '@/server/platform/request-scope';
import { makeAddressFree, provenByOperator, type TakenAddress } from '../addresses/address-operator.service';
import { createFirstAgent } from '../agents/agent.service';
import { sendAccountMail } from '../outbox/account-mail.service';
import { type PasswordChange, passwordChangedMail } from '../outbox/account-notices.service';
import type { Account, ChangePasswordInput, CreateIdentityInput, SetPasswordInput } from './account.schema';
import { ownerFor, ownerPasswordHash } from './identity-owner';
import { hashNewPassword } from './new-password';
import { checkSecondFactor, requireFreshWithTwoFactor } from './second-factor';
import { raiseEpoch } from './session.service';

/** The signed-in person and the identities they own. */
export async function getAccount(actor: SessionActor): Promise<Account> {
  const user = await prisma().user.findUnique({
    where: { id: actor.userId },
    include: {
      identities: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      links: { where: { kind: 'email', expiresAt: { gt: new Date() } } },
    },
  });
  if (!user) throw new AppError('signed_out', 'Sign in to go on.');
  const [pending] = user.links;
  return {
    user: {
      id: user.id,
      email: user.email,
      isEmailVerified: user.emailVerifiedAt !== null,
      pendingEmail: pending ? { email: pending.email, expiresAt: pending.expiresAt.toISOString() } : null,
      createdAt: user.createdAt.toISOString(),
    },
    identityId: actor.identityId,
    identities: user.identities.map(({ id, handle, displayName, plan }) => ({ id, handle, displayName, plan })),
  };
}

export type SignInResult =
  | { user: Pick<User, 'id' | 'email' | 'sessionEpoch'> }
  | { refused: 'credentials' }
  /** The password was right: a second-factor code is needed, or the given one was rejected. */
  | { refused: 'code'; reason: 'needed' | 'wrong' | 'used' | 'unreadable' }
  | { refused: 'throttled'; retryAfter: number };

/** Further details of a sign-in attempt. */
export interface SignInRequest {
  /** The browser's `Cookie` header, which may show that it has signed in with this account before. */
  cookies?: string | null;
  requestId?: string;
}

/**
 * Checks email and password, and the second factor if the account has one. Takes the same time whether or not the account
 * exists, mentions codes only after a correct password, and refuses without checking after too many failures (see
 * sign-in-throttle.ts).
 *
 * @param email trimmed and lower-cased
 * @param address client address of the attempt
 * @param code of the authenticator app, or a recovery code
 */
export async function signIn(
  email: string,
  password: string,
  address: string,
  code?: string,
  { cookies = null, requestId = '' }: SignInRequest = {},
): Promise<SignInResult> {
  const user = await prisma().user.findUnique({ where: { email } });
  const browserId = user && rememberedBrowserId(cookies, user.id);
  const about = { userId: user?.id ?? null, account: email, address, requestId };
  const retryAfter = await countSignInAttempt(email, address, browserId);
  if (retryAfter !== null) {
    noteSecurityEvent({ kind: 'sign_in_throttled', reason: 'too_many_attempts', ...about });
    return { refused: 'throttled', retryAfter };
  }
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: user ? 'wrong_password' : 'unknown_account', ...about });
    return { refused: 'credentials' };
  }
  const second = await checkSecondFactor(user.id, code);
  if (typeof second === 'object') {
    noteSecurityEvent({ kind: 'sign_in_throttled', reason: 'too_many_codes', ...about });
    return { refused: 'throttled', retryAfter: second.throttled };
  }
  if (second === 'needed') await uncountSignInAttempt(email, address, browserId);
  else if (second !== 'passed') noteSecurityEvent({ kind: 'sign_in_failed', reason: `code_${second}`, ...about });
  if (second !== 'passed') return { refused: 'code', reason: second };
  await resetSignInAttempts(email, address, browserId);
  return { user };
}

/**
 * The account of this session, after its password was entered again. The attempt is counted for the session before the password
 * is checked; the caller resets the count (`resetConfirmations`) on success.
 *
 * @throws AppError invalid_request for a wrong password, rate_limit_exceeded after too many of them
 */
export async function confirmPassword(actor: SessionActor, currentPassword: string, address: string): Promise<User> {
  const user = await prisma().user.findUnique({ where: { id: actor.userId } });
  if (!user) throw notFound();
  const about = { userId: user.id, account: user.email, address, requestId: requestOf(actor)?.requestId ?? null };
  const retryAfter = await countConfirmation(actor.sessionId);
  if (retryAfter !== null) {
    throw tooManyAttempts(retryAfter, { kind: 'confirmation_throttled', reason: 'too_many_attempts', ...about });
  }
  if (!(await verifyPassword(user.passwordHash, currentPassword))) {
    noteSecurityEvent({ kind: 'confirmation_failed', reason: 'wrong_password', ...about });
    throw invalidFields({ currentPassword: 'is wrong' });
  }
  return user;
}

/** 429 with the time to wait in seconds; recorded in the security log. */
export function tooManyAttempts(retryAfter: number, event: SecurityEvent): AppError {
  noteSecurityEvent(event);
  return new AppError('rate_limit_exceeded', `Too many attempts. Try again ${waitLabel(retryAfter)}.`, {
    headers: { 'Retry-After': String(retryAfter) },
    isLogged: true,
  });
}

function waitLabel(seconds: number): string {
  if (seconds < 90) return `in ${seconds} seconds`;
  return seconds < 7200 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`;
}

/**
 * Changes the password and ends every session of the account except the caller's.
 *
 * @returns the cookie with the caller's new token; the old token is no longer valid
 * @throws AppError invalid_request for a wrong current password, rate_limit_exceeded after too many of them
 */
export async function changePassword(actor: SessionActor, input: ChangePasswordInput, address: string): Promise<string> {
  await requireFreshWithTwoFactor(actor);
  const user = await confirmPassword(actor, input.currentPassword, address);
  const passwordHash = await hashNewPassword(input.newPassword, user.email, 'newPassword');
  const epoch = await storePassword(actor, user, passwordHash, { change: 'settings', keptSessionId: actor.sessionId });
  await resetConfirmations(actor.sessionId);
  return sessionCookie({ userId: user.id, epoch, sessionId: actor.sessionId });
}

interface StoreOptions {
  change: PasswordChange;
  keptSessionId: string | null;
}

/**
 * Stores a new password, ends the sessions that began under the old one and notifies the account holder. @returns the account's
 * new epoch
 */
function storePassword(
  author: Author,
  { id, email }: Pick<User, 'id' | 'email'>,
  passwordHash: string,
  { change, keptSessionId }: StoreOptions,
): Promise<number> {
  return prismaTransaction(author, async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash, updatedAt: new Date() } });
    await sendAccountMail(tx, { to: email, ...passwordChangedMail(email, change) });
    return raiseEpoch(tx, id, keptSessionId);
  });
}

/**
 * `admin user set-password`: stores a new password and ends every session that began under the old one.
 *
 * @throws AppError not_found for an unknown email; invalid_request for a password that is easy to guess
 */
export async function setPasswordByEmail({ email, password }: SetPasswordInput): Promise<{ userId: string }> {
  const user = await prisma().user.findUnique({ where: { email } });
  if (!user) throw new AppError('not_found', `There is no user ${email}.`);
  const passwordHash = await hashNewPassword(password, email, 'password');
  await storePassword({ kind: 'system', cause: 'operator' }, user, passwordHash, { change: 'operator', keptSessionId: null });
  return { userId: user.id };
}

/**
 * Selects another identity of the same owner in this browser.
 *
 * @returns the cookie to set
 * @throws AppError not_found for an identity of another owner
 */
export async function switchIdentity(actor: SessionActor, identityId: string): Promise<string> {
  const owned = await prisma().identity.count({ where: { id: identityId, ownerUserId: actor.userId } });
  if (owned === 0) throw notFound();
  return identityCookie(identityId);
}

/**
 * Creates an identity with a new owner, or for an existing owner if the input allows it. Its addresses count as proven.
 *
 * @returns with `taken`, the addresses that `force` took from other identities
 * @throws AppError conflict for a handle that is taken, an address that is in use, and as `ownerFor`; invalid_request for a
 *   password that is easy to guess
 */
export async function createIdentity(
  input: CreateIdentityInput,
): Promise<{ identityId: string; handle: string; ownerUserId: string; taken?: TakenAddress[] }> {
  const passwordHash = await ownerPasswordHash(input);
  try {
    return await prismaTransaction({ kind: 'system', cause: 'operator' }, async (tx) => {
      const owner = await ownerFor(tx, input, passwordHash);
      const { handle, displayName, address, scope, plan, force = false } = input;
      const claimant = { identityId: null, ownerUserId: owner.id };
      const taken: TakenAddress[] = [];
      for (const wanted of [...(address ? [address] : []), ...input.whitelist.map((entry) => entry.address)].sort()) {
        const from = await makeAddressFree(tx, claimant, wanted, force);
        if (from) taken.push(from);
      }
      const identity = await tx.identity.create({
        data: {
          handle,
          displayName,
          address,
          addressProof: address ? 'operator' : null,
          scope,
          plan,
          ownerUserId: owner.id,
          whitelistedAddresses: { create: input.whitelist.map(provenByOperator) },
        },
      });
      await createFirstAgent(tx, identity.id);
      await tx.setupToken.deleteMany();
      return { identityId: identity.id, handle, ownerUserId: owner.id, ...(taken.length > 0 ? { taken } : {}) };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'handle')) throw new AppError('conflict', `The handle ${input.handle} is taken.`);
    if (isUniqueViolation(error)) throw new AppError('conflict', 'One of the addresses is already in use.');
    throw error;
  }
}
