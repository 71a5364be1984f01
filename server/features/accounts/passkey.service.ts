import type { SessionActor } from '@/server/platform/actor';
import { newRecoveryCodesFor } from '@/server/platform/auth/recovery-codes';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import {
  type AddedPasskey,
  type CreationOptions,
  type NewCredential,
  type PasskeyList,
  passkeysMaximum,
  type RenamePasskeyInput,
  type RequestOptions,
} from './passkey.schema';
import { mailAboutPasskey } from './passkey-mails';
import { suggestedName } from './passkey-names';
import { checkCredential, creationOptions } from './passkey-registration';
import { arePasskeysPossible, relyingParty, requirePasskeysPossible } from './relying-party';
import { lockAccount, raiseEpoch } from './session.service';
import { describeUserAgent } from './user-agent';
import { requireAnotherWayToSignIn } from './ways-to-sign-in';

/** Managing the passkeys of an account. Signing in with them is in passkey-sign-in.service.ts. */

/** The passkeys of this account, the newest first. */
export async function listPasskeys({ userId }: SessionActor): Promise<PasskeyList> {
  const { id: host, origin } = relyingParty();
  const found = await prisma().passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
  const passkeys = found.map(({ id, name, isBackedUp, rpId, createdAt, lastUsedAt }) => ({
    id,
    name,
    isSynced: isBackedUp,
    otherHost: rpId === host ? null : rpId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
  return { isPossible: arePasskeysPossible(), origin, passkeys };
}

/** The passkeys of an account that work at this address, as browsers are told of them. */
export async function usablePasskeys(userId: string): Promise<RequestOptions['allowCredentials']> {
  const found = await prisma().passkey.findMany({
    where: { userId, rpId: relyingParty().id },
    select: { credentialId: true, transports: true },
  });
  return found.map(({ credentialId, transports }) => ({
    id: Buffer.from(credentialId).toString('base64url'),
    type: 'public-key',
    transports,
  }));
}

function tooMany(): AppError {
  return new AppError('conflict', `You have ${passkeysMaximum} passkeys, the most an account can have. Remove one first.`);
}

/**
 * The options with which the browser makes a passkey.
 *
 * @throws AppError conflict if the account has too many already, or where browsers don't allow passkeys
 */
export async function beginPasskey({ userId, sessionId }: SessionActor): Promise<CreationOptions> {
  requirePasskeysPossible();
  const user = await prisma().user.findUnique({
    where: { id: userId },
    select: { id: true, email: true, _count: { select: { passkeys: true } } },
  });
  if (!user) throw notFound();
  if (user._count.passkeys >= passkeysMaximum) throw tooMany();
  return creationOptions(user, { kind: 'add', sessionId }, await usablePasskeys(userId));
}

/**
 * Stores a passkey that the browser has made. The first one turns two-factor sign-in on, so that an account without recovery
 * codes gets some, and every other session ends, because it may have begun with the password alone.
 *
 * @returns with the cookie with the caller's new token, where the old one ended
 * @throws AppError invalid_request for a credential that is not valid, conflict for one that is known and for one too many
 */
export async function addPasskey(
  actor: SessionActor,
  credential: NewCredential,
): Promise<{ added: AddedPasskey; cookie: string | null }> {
  const { userId, sessionId } = actor;
  const checked = await checkCredential(credential, { kind: 'add', sessionId });
  const name = await nameFor(sessionId, checked.aaguid);
  try {
    return await prismaTransaction(actor, async (tx) => {
      const account = await lockAccount(tx, userId);
      const count = await tx.passkey.count({ where: { userId } });
      if (count >= passkeysMaximum) throw tooMany();
      const factor = await tx.twoFactor.findUnique({ where: { userId } });
      await tx.passkey.create({ data: { userId, name, ...checked } });
      const isFirst = count === 0 && !factor?.enabledAt;
      await mailAboutPasskey(tx, account, { name, change: isFirst ? 'first' : 'added' });
      const recoveryCodes = factor?.recoveryCodes.length ? null : await issueRecoveryCodes(tx, userId);
      const epoch = isFirst ? await raiseEpoch(tx, userId, sessionId) : null;
      return {
        added: { name, recoveryCodes },
        cookie: epoch === null ? null : await sessionCookie({ userId, epoch, sessionId }),
      };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'This passkey has been added already.');
    throw error;
  }
}

async function nameFor(sessionId: string, aaguid: string): Promise<string> {
  const session = await prisma().session.findUnique({ where: { id: sessionId }, select: { userAgent: true } });
  const { browser, system } = describeUserAgent(session?.userAgent ?? '');
  return suggestedName(aaguid, browser, system);
}

async function issueRecoveryCodes(tx: PrismaTransaction, userId: string): Promise<string[]> {
  const { shown, stored } = newRecoveryCodesFor(userId);
  await tx.twoFactor.upsert({
    where: { userId },
    create: { userId, recoveryCodes: stored },
    update: { recoveryCodes: stored },
  });
  return shown;
}

/** @throws AppError not_found for one that was removed, and for another account's */
export async function renamePasskey(actor: SessionActor, { id, name }: RenamePasskeyInput): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    const { count } = await tx.passkey.updateMany({ where: { id, userId: actor.userId }, data: { name } });
    if (count === 0) throw notFound();
  });
}

/**
 * Removes a passkey and ends every other session, any of which may have begun with it. Recovery codes go with the last second
 * factor.
 *
 * @returns the cookie with the caller's new token
 * @throws AppError not_found for one that was removed already, and for another account's; conflict for the last way to sign in
 */
export async function removePasskey(actor: SessionActor, id: string): Promise<string> {
  const { userId, sessionId } = actor;
  const epoch = await prismaTransaction(actor, async (tx) => {
    const account = await lockAccount(tx, userId);
    const passkey = await tx.passkey.findFirst({ where: { id, userId }, select: { name: true } });
    if (!passkey) throw notFound();
    await requireAnotherWayToSignIn(tx, userId, { kind: 'passkey', id });
    await tx.passkey.delete({ where: { id } });
    const left = await tx.passkey.count({ where: { userId } });
    const app = await tx.twoFactor.count({ where: { userId, enabledAt: { not: null } } });
    const isLast = left === 0 && app === 0;
    if (isLast) await tx.twoFactor.deleteMany({ where: { userId } });
    await mailAboutPasskey(tx, account, { name: passkey.name, change: isLast ? 'last' : 'removed' });
    return raiseEpoch(tx, userId, sessionId);
  });
  return sessionCookie({ userId, epoch, sessionId });
}
