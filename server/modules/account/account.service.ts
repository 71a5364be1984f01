import { createHash, randomBytes } from 'node:crypto';
import type { SessionActor } from '@/server/actor';
import { hashPassword, verifyPassword } from '@/server/auth/password';
import { identityCookie } from '@/server/auth/session';
import { countSignInAttempt, forgiveSignInAttempt } from '@/server/auth/sign-in-throttle';
import type { User } from '@/server/db/generated/client';
import { isUniqueViolation, prisma } from '@/server/db/prisma';
import { AppError, invalidFields, notFound } from '@/server/errors';
import { createFirstAgent } from '../agents/agent.service';
import type { IssuedApiKey } from '../api-keys/api-key.schema';
import { issue } from '../api-keys/api-key.service';
import type { Account, ChangePasswordInput, CompleteSetupInput, CreateIdentityInput, SetPasswordInput } from './account.schema';

/** The signed-in person and the identities they own. */
export async function getAccount(actor: SessionActor): Promise<Account> {
  const user = await prisma().user.findUnique({
    where: { id: actor.userId },
    include: { identities: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!user) throw new AppError('signed_out', 'Sign in to go on.');
  return {
    user: { id: user.id, email: user.email, createdAt: user.createdAt.toISOString() },
    identityId: actor.identityId,
    identities: user.identities.map(({ id, handle, displayName, plan }) => ({ id, handle, displayName, plan })),
  };
}

export type SignInResult =
  | { user: Pick<User, 'id' | 'email' | 'sessionEpoch'> }
  | { refused: 'credentials' }
  | { refused: 'throttled'; retryAfter: number };

/**
 * Checks e-mail and password. Takes the same time whether or not the account exists, and refuses without looking after too many
 * failures (see sign-in-throttle.ts).
 *
 * @param email trimmed and lower-cased
 * @param address where the attempt comes from
 */
export async function signIn(email: string, password: string, address: string): Promise<SignInResult> {
  const retryAfter = await countSignInAttempt(email, address);
  if (retryAfter !== null) return { refused: 'throttled', retryAfter };
  const user = await prisma().user.findUnique({ where: { email } });
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) return { refused: 'credentials' };
  await forgiveSignInAttempt(email, address);
  return { user };
}

/**
 * Changes the password and ends every session of the account, the caller's included.
 *
 * @throws AppError invalid_request for a wrong current password, rate_limit_exceeded after too many of them.
 */
export async function changePassword(actor: SessionActor, input: ChangePasswordInput, address: string): Promise<void> {
  const user = await prisma().user.findUnique({ where: { id: actor.userId } });
  if (!user) throw notFound();
  const result = await signIn(user.email, input.currentPassword, address);
  if ('refused' in result) {
    if (result.refused === 'throttled') {
      throw new AppError('rate_limit_exceeded', 'Too many wrong passwords. Try again later.', {
        headers: { 'Retry-After': String(result.retryAfter) },
      });
    }
    throw invalidFields({ currentPassword: 'is wrong' });
  }
  await setPassword(user.id, input.newPassword);
}

/** Stores a new password and ends every session that began under the old one. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await prisma().user.update({
    where: { id: userId },
    data: { passwordHash, sessionEpoch: { increment: 1 }, updatedAt: new Date() },
  });
}

/** `admin user set-password`. @throws AppError not_found for an e-mail nobody has. */
export async function setPasswordByEmail({ email, password }: SetPasswordInput): Promise<{ userId: string }> {
  const user = await prisma().user.findUnique({ where: { email }, select: { id: true } });
  if (!user) throw new AppError('not_found', `There is no user ${email}.`);
  await setPassword(user.id, password);
  return { userId: user.id };
}

/**
 * Makes this browser look at another identity of the same owner.
 *
 * @returns the cookie to set
 * @throws AppError not_found for an identity of somebody else
 */
export async function switchIdentity(actor: SessionActor, identityId: string): Promise<string> {
  const owned = await prisma().identity.count({ where: { id: identityId, ownerUserId: actor.userId } });
  if (owned === 0) throw notFound();
  return identityCookie(identityId);
}

function hashSetupToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}

/** True while nobody owns this installation. */
export async function needsSetup(): Promise<boolean> {
  return (await prisma().user.findFirst({ select: { id: true } })) === null;
}

/**
 * A token for the one-time `/setup` link, or null where there is an owner already. Each start prints a link of its own and every
 * one of them works until the first owner exists.
 */
export async function createSetupToken(): Promise<string | null> {
  if (!(await needsSetup())) return null;
  const token = randomBytes(24).toString('base64url');
  await prisma().setupToken.create({ data: { hash: hashSetupToken(token) } });
  return token;
}

/** Whether a `/setup` link still works. */
export async function isSetupTokenValid(token: string): Promise<boolean> {
  const found = await prisma().setupToken.findUnique({ where: { hash: hashSetupToken(token) }, select: { hash: true } });
  return found !== null && (await needsSetup());
}

function setupLinkInvalid(): AppError {
  return new AppError('not_found', 'This setup link is no longer valid.');
}

/**
 * Creates the first owner, identity and API key of an empty installation, once: attempts at the same time queue for the table of
 * users.
 *
 * @throws AppError not_found for a token that never was or no longer is valid.
 */
export async function completeSetup(input: CompleteSetupInput): Promise<IssuedApiKey> {
  // Hashing a password is work that nobody without a link may cause.
  if (!(await isSetupTokenValid(input.token))) throw setupLinkInvalid();
  const passwordHash = await hashPassword(input.password);
  return prisma().$transaction(async (tx) => {
    // First of all, so that attempts with different links queue here and not, crosswise, for each other's tokens.
    await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
    const claimed = await tx.setupToken.deleteMany({ where: { hash: hashSetupToken(input.token) } });
    const taken = await tx.user.findFirst({ select: { id: true } });
    if (claimed.count === 0 || taken) throw setupLinkInvalid();
    const user = await tx.user.create({ data: { email: input.email, passwordHash } });
    const identity = await tx.identity.create({
      data: { handle: input.handle, displayName: input.displayName.trim(), scope: 'business', ownerUserId: user.id },
    });
    await createFirstAgent(tx, identity.id);
    await tx.setupToken.deleteMany();
    return issue(tx, identity.id, 'First key', null);
  });
}

/**
 * Creates an identity, and its owner where the e-mail is new. An existing owner gets one more identity and keeps their password.
 *
 * @throws AppError conflict for a handle or address that is taken.
 */
export async function createIdentity(
  input: CreateIdentityInput,
): Promise<{ identityId: string; handle: string; ownerUserId: string }> {
  const passwordHash = await hashPassword(input.ownerPassword);
  try {
    return await prisma().$transaction(async (tx) => {
      // Not an upsert: Prisma's looks first and then inserts, so two at once would both insert.
      await tx.user.createMany({ data: [{ email: input.ownerEmail, passwordHash }], skipDuplicates: true });
      const owner = await tx.user.findUniqueOrThrow({ where: { email: input.ownerEmail }, select: { id: true } });
      const { handle, displayName, address, scope, plan } = input;
      const identity = await tx.identity.create({
        data: {
          handle,
          displayName,
          address,
          scope,
          plan,
          ownerUserId: owner.id,
          whitelistedAddresses: { create: input.whitelist },
        },
      });
      await createFirstAgent(tx, identity.id);
      await tx.setupToken.deleteMany();
      return { identityId: identity.id, handle, ownerUserId: owner.id };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'handle')) throw new AppError('conflict', `The handle ${input.handle} is taken.`);
    if (isUniqueViolation(error)) throw new AppError('conflict', 'One of the addresses is already in use.');
    throw error;
  }
}
