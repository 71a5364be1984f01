import { type Author, requestOf, type SessionActor } from '@/server/platform/actor';
import { verifyPassword } from '@/server/platform/auth/password';
import { isRecoveryCode } from '@/server/platform/auth/recovery-codes';
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
import { languageOf } from '@/server/platform/languages.schema';
import { makeAddressFree, provenByOperator, type TakenAddress } from '../addresses/address-operator.service';
import { createFirstAgent } from '../agents/agent.service';
import { sendAccountMail } from '../outbox/account-mail.service';
import { type PasswordChange, passwordChangedMail } from '../outbox/account-notices.service';
import type { Account, ChangePasswordInput, CreateIdentityInput, SetPasswordInput } from './account.schema';
import { ownerFor, ownerPasswordHash } from './identity-owner';
import { hashNewPassword } from './new-password.service';
import type { PasskeyAnswer } from './passkey.schema';
import type { PasskeyRefusal } from './passkey-answer';
import { photoUrlOf } from './profile.service';
import { checkSecondFactor, requireFreshWithTwoFactor, type SecondFactorMethod, type SecondFactorOutcome } from './second-factor';
import { raiseEpoch } from './session.service';
import { hasPasswordSignIn, keepsRecoveryCodes } from './ways-to-sign-in';

/** The signed-in person and the identities that they are a member of. */
export async function getAccount(actor: SessionActor): Promise<Account> {
  const user = await prisma().user.findUnique({
    where: { id: actor.userId },
    include: {
      memberships: {
        where: { identity: { erasedAt: null } },
        include: { identity: true },
        orderBy: [{ createdAt: 'asc' }, { identityId: 'asc' }],
      },
      links: { where: { kind: 'email', expiresAt: { gt: new Date() } } },
    },
  });
  if (!user) throw new AppError('signed_out', 'Sign in to go on.');
  const [pending] = user.links;
  return {
    user: {
      id: user.id,
      email: user.email,
      displayName: user.displayName,
      isEmailVerified: user.emailVerifiedAt !== null,
      pendingEmail: pending ? { email: pending.email, expiresAt: pending.expiresAt.toISOString() } : null,
      createdAt: user.createdAt.toISOString(),
      timeZone: user.timeZone,
      undoSeconds: user.undoSeconds,
      emailFormat: user.emailFormat === 'plain' ? 'plain' : 'markdown',
      language: languageOf(user),
      photoUrl: photoUrlOf(user),
    },
    identityId: actor.identityId,
    identities: user.memberships.map(({ role, identity: { id, handle, displayName, plan } }) => ({
      ...{ id, handle, displayName, plan },
      role,
    })),
  };
}

export type SignInResult =
  | { user: Pick<User, 'id' | 'email' | 'sessionEpoch'> }
  | { refused: 'credentials' }
  /** This installation signs in by single sign-on. A password needs a recovery code of an owner's. */
  | { refused: 'password_off' }
  /** The password was right: one of these is needed as well. */
  | { refused: 'second_factor'; methods: SecondFactorMethod[] }
  /** The password was right, the code was not. */
  | { refused: 'code'; reason: 'wrong' | 'used' | 'unreadable' }
  /** As the second factor, or instead of the password. */
  | { refused: 'passkey'; reason: PasskeyRefusal }
  | { refused: 'throttled'; retryAfter: number };

/** Further details of a sign-in attempt. */
export interface SignInRequest {
  /** The browser's `Cookie` header, which may show that it has signed in with this account before. */
  cookies?: string | null;
  requestId?: string;
  /** The second factor, instead of a code. */
  passkey?: PasskeyAnswer | undefined;
}

/**
 * Checks email and password, and the second factor if the account has one. Takes the same time whether or not the account
 * exists, mentions second factors only after a correct password, and refuses without checking after too many failures (see
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
  { cookies = null, requestId = '', passkey }: SignInRequest = {},
): Promise<SignInResult> {
  // Says nothing of the account.
  if (!hasPasswordSignIn() && !isRecoveryCode(code)) return { refused: 'password_off' };
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
  if (!hasPasswordSignIn() && !(await keepsRecoveryCodes(user.id))) {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: 'password_off', ...about });
    return { refused: 'password_off' };
  }
  const second = await checkSecondFactor(user.id, { code, passkey });
  if (typeof second === 'object' && 'needed' in second) {
    await uncountSignInAttempt(email, address, browserId);
    return { refused: 'second_factor', methods: second.needed };
  }
  if (second !== 'passed') return refuseSecondFactor(second, about);
  await resetSignInAttempts(email, address, browserId);
  return { user };
}

function refuseSecondFactor(
  outcome: Exclude<SecondFactorOutcome, 'passed' | { needed: SecondFactorMethod[] }>,
  about: Omit<SecurityEvent, 'kind' | 'reason'>,
): SignInResult {
  if (typeof outcome === 'string') {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: `code_${outcome}`, ...about });
    return { refused: 'code', reason: outcome };
  }
  if ('passkey' in outcome) {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: `${outcome.passkey}_passkey`, ...about });
    return { refused: 'passkey', reason: outcome.passkey };
  }
  noteSecurityEvent({ kind: 'sign_in_throttled', reason: 'too_many_codes', ...about });
  return { refused: 'throttled', retryAfter: outcome.throttled };
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
  if (user.passwordHash === null)
    throw invalidFields({
      currentPassword: 'has never been set for this account. Set one first, or confirm with single sign-on',
    });
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
  { id, email, ...user }: Pick<User, 'id' | 'email' | 'language'>,
  passwordHash: string,
  { change, keptSessionId }: StoreOptions,
): Promise<number> {
  return prismaTransaction(author, async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash, updatedAt: new Date() } });
    await sendAccountMail(tx, { to: email, ...passwordChangedMail(languageOf(user), email, change) });
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
 * Selects another identity in this browser.
 *
 * @returns the cookie to set
 * @throws AppError not_found for an identity that the person is no member of
 */
export async function switchIdentity(actor: SessionActor, identityId: string): Promise<string> {
  const { userId } = actor;
  const memberships = await prisma().membership.count({ where: { identityId, userId, identity: { erasedAt: null } } });
  if (memberships === 0) throw notFound();
  return identityCookie(identityId);
}

const operator = { kind: 'system', cause: 'operator' } as const;

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
    return await prismaTransaction(operator, async (tx) => {
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
      await createFirstAgent(tx, operator, identity.id);
      await tx.setupToken.deleteMany();
      return { identityId: identity.id, handle, ownerUserId: owner.id, ...(taken.length > 0 ? { taken } : {}) };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'handle')) throw new AppError('conflict', `The handle ${input.handle} is taken.`);
    if (isUniqueViolation(error)) throw new AppError('conflict', 'One of the addresses is already in use.');
    throw error;
  }
}
