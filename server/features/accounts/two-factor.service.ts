import QRCode from 'qrcode';
import type { SessionActor } from '@/server/platform/actor';
import { newRecoveryCodesFor } from '@/server/platform/auth/recovery-codes';
import { openSecret, sealSecret } from '@/server/platform/auth/sealed-secret';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { matchingTotpStep, newTotpSecret, totpSetup } from '@/server/platform/auth/totp';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { rows } from '@/server/platform/db/sql';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { totpPurpose } from './second-factor';
import { lockAccount, raiseEpoch } from './session.service';
import type { EnableTwoFactorInput, TwoFactorStatus } from './two-factor.schema';
import { mailAboutTwoFactor } from './two-factor-mails';
import { requireAnotherWayToSignIn } from './ways-to-sign-in';

/** Managing two-factor sign-in. Checking codes is in second-factor.ts. */

/** Whether the app is on, whether there are passkeys, and how many recovery codes are left. */
export async function getTwoFactor({ userId }: SessionActor): Promise<TwoFactorStatus> {
  const [factor, passkeys] = await Promise.all([
    prisma().twoFactor.findUnique({ where: { userId } }),
    prisma().passkey.count({ where: { userId } }),
  ]);
  const secret = factor?.enabledAt ? factor.secret : null;
  return {
    enabledAt: factor?.enabledAt?.toISOString() ?? null,
    hasPasskeys: passkeys > 0,
    recoveryCodesLeft: factor?.recoveryCodes.length ?? 0,
    isReadable: secret === null || openSecret(secret, totpPurpose, userId) !== null,
  };
}

/** The issuer that apps show for the account; the host distinguishes several installations. */
function issuer(): string {
  const { PUBLIC_URL } = env();
  return PUBLIC_URL ? `Frontdesk (${new URL(PUBLIC_URL).host})` : 'Frontdesk';
}

/**
 * Creates a secret for an authenticator app. Sign-in does not require a code until one has been entered here; starting again
 * replaces the secret.
 *
 * @throws AppError conflict if two-factor sign-in is already on
 */
export async function beginTwoFactor({ userId }: SessionActor): Promise<{ secret: string; uri: string; qrCode: string }> {
  const user = await prisma().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user) throw notFound();
  const secret = newTotpSecret();
  // An unfinished setup is not in the audit log, so this needs no author.
  const begun = await rows(pool(), {
    name: 'two-factor-begin',
    text: `INSERT INTO two_factors AS known (user_id, secret, recovery_codes) VALUES ($1, $2, '{}')
      ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = now() WHERE known.enabled_at IS NULL
      RETURNING 1`,
    values: [userId, Buffer.from(sealSecret(secret, totpPurpose, userId))],
  });
  if (begun.length === 0) throw isOnAlready();
  const setup = totpSetup(secret, issuer(), user.email);
  return { ...setup, qrCode: await QRCode.toString(setup.uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}

function isOnAlready(): AppError {
  return new AppError('conflict', 'Two-factor sign-in is on already.');
}

/**
 * Turns two-factor sign-in on after a code shows that the app has the secret. Every other session of the account ends, because
 * it began without a second factor.
 *
 * @returns the recovery codes, which cannot be read again, and the cookie with the caller's new token
 * @throws AppError invalid_request for a wrong code, conflict if it is already on or setup was restarted elsewhere
 */
export async function enableTwoFactor(
  actor: SessionActor,
  { code }: EnableTwoFactorInput,
): Promise<{ recoveryCodes: string[]; cookie: string }> {
  const { userId, sessionId } = actor;
  const [pending] = await rows<{ secret: Buffer | null; is_on: boolean; now: number }>(pool(), {
    name: 'two-factor-pending',
    text: `SELECT secret, enabled_at IS NOT NULL AS is_on, extract(epoch FROM now())::float8 AS now FROM two_factors WHERE user_id = $1`,
    values: [userId],
  });
  if (pending?.is_on) throw isOnAlready();
  const sealed = pending?.secret;
  const secret = sealed && openSecret(sealed, totpPurpose, userId);
  if (!secret) throw new AppError('conflict', 'Begin setting up two-factor sign-in again.');
  const step = matchingTotpStep(secret, code, pending.now);
  if (step === null)
    throw invalidFields({ code: 'is not the one the app shows now. Check the time of your phone and try the next code' });
  const { shown, stored } = newRecoveryCodesFor(userId);
  const epoch = await prismaTransaction(actor, async (tx) => {
    const account = await lockAccount(tx, userId);
    const { count } = await tx.twoFactor.updateMany({
      where: { userId, enabledAt: null, secret: Uint8Array.from(sealed) },
      data: { enabledAt: new Date(), lastStep: step, recoveryCodes: stored },
    });
    if (count === 0) throw isOnAlready();
    await mailAboutTwoFactor(tx, account, 'on');
    return raiseEpoch(tx, userId, sessionId);
  });
  return { recoveryCodes: shown, cookie: await sessionCookie({ userId, epoch, sessionId }) };
}

/**
 * Turns the authenticator app off; with passkeys, they go on being asked for, and recovery codes stay. Every other session of the account ends, as with any change of credentials.
 *
 * @returns the cookie with the caller's new token
 * @throws AppError conflict if it is off, or if the account has no other way to sign in
 */
export async function disableTwoFactor(actor: SessionActor): Promise<string> {
  const { userId, sessionId } = actor;
  const epoch = await prismaTransaction(actor, async (tx) => {
    const account = await lockAccount(tx, userId);
    const where = { userId, enabledAt: { not: null } };
    await requireAnotherWayToSignIn(tx, userId, { kind: 'app' });
    const hasPasskeys = (await tx.passkey.count({ where: { userId } })) > 0;
    const { count } = hasPasskeys
      ? await tx.twoFactor.updateMany({ where, data: { enabledAt: null, secret: null, lastStep: null } })
      : await tx.twoFactor.deleteMany({ where });
    if (count === 0) throw isOff();
    await mailAboutTwoFactor(tx, account, hasPasskeys ? 'app_off' : 'off');
    return raiseEpoch(tx, userId, sessionId);
  });
  return sessionCookie({ userId, epoch, sessionId });
}

function isOff(): AppError {
  return new AppError('conflict', 'Two-factor sign-in is off.');
}

/** Replaces the recovery codes; the previous ones stop working. @throws AppError conflict if two-factor sign-in is off */
export async function renewRecoveryCodes(actor: SessionActor): Promise<{ recoveryCodes: string[] }> {
  const { shown, stored } = newRecoveryCodesFor(actor.userId);
  await prismaTransaction(actor, async (tx) => {
    const account = await lockAccount(tx, actor.userId);
    const hasPasskeys = (await tx.passkey.count({ where: { userId: actor.userId } })) > 0;
    const { count } = await tx.twoFactor.updateMany({
      where: { userId: actor.userId, ...(hasPasskeys ? {} : { enabledAt: { not: null } }) },
      data: { recoveryCodes: stored },
    });
    if (count === 0) throw isOff();
    await mailAboutTwoFactor(tx, account, 'recovery_codes');
  });
  return { recoveryCodes: shown };
}

/**
 * `admin user reset-two-factor`: turns it off for a user who lost app, passkeys and recovery codes, removes all passkeys, and ends
 * every session of the account.
 *
 * @throws AppError not_found for an unknown email
 */
export async function resetTwoFactorByEmail(email: string): Promise<{ userId: string; wasOn: boolean; passkeysRemoved: number }> {
  const user = await prisma().user.findUnique({ where: { email }, select: { id: true } });
  if (!user) throw new AppError('not_found', `There is no user ${email}.`);
  return prismaTransaction({ kind: 'system', cause: 'operator' }, async (tx) => {
    const account = await lockAccount(tx, user.id);
    const { count: passkeysRemoved } = await tx.passkey.deleteMany({ where: { userId: user.id } });
    const apps = await tx.twoFactor.count({ where: { userId: user.id, enabledAt: { not: null } } });
    const wasOn = apps > 0 || passkeysRemoved > 0;
    await tx.twoFactor.deleteMany({ where: { userId: user.id } });
    if (wasOn) {
      await raiseEpoch(tx, user.id, null);
      await mailAboutTwoFactor(tx, account, 'reset');
    }
    return { userId: user.id, wasOn, passkeysRemoved };
  });
}
