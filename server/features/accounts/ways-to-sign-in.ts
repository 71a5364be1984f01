import { prisma } from '@/server/platform/db/prisma';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';

/** True if passwords sign in, as usual; false if single sign-on (or what else there is) has to be used. */
export function hasPasswordSignIn(): boolean {
  return env().PASSWORD_SIGN_IN === 'on';
}

/**
 * True for an account that a password together with a recovery code still signs in while PASSWORD_SIGN_IN is off: an owner's,
 * so that nobody is locked out of a business by a provider that is down or gone.
 */
export async function keepsRecoveryCodes(userId: string, db: PrismaTransaction = prisma()): Promise<boolean> {
  const found = await db.user.count({
    where: {
      id: userId,
      memberships: { some: { role: 'owner', identity: { erasedAt: null } } },
      twoFactor: { recoveryCodes: { isEmpty: false } },
    },
  });
  return found > 0;
}

/**
 * Refuses to take away the last way to sign in. Call it first in the transaction: it locks the account, so that two ways can't be
 * removed at once.
 *
 * @param without the way that goes; each further way to sign in has its term here
 * @throws AppError conflict
 */
export async function requireAnotherWayToSignIn(tx: PrismaTransaction, userId: string, without: 'single_sign_on'): Promise<void> {
  const [account] = await tx.$queryRaw<{ hasPassword: boolean; hasPasskeys: boolean }[]>`
    SELECT password_hash IS NOT NULL AS "hasPassword", EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id) AS "hasPasskeys"
    FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  if (account?.hasPasskeys) return;
  const byPassword = account?.hasPassword === true && (hasPasswordSignIn() || (await keepsRecoveryCodes(userId, tx)));
  if (byPassword) return;
  const next = account?.hasPassword ? 'Set up two-factor sign-in and keep its recovery codes first' : 'Set a password first';
  throw new AppError('conflict', `Without ${labels[without]} nobody could sign in to this account any more. ${next}.`);
}

const labels = { single_sign_on: 'single sign-on' };
