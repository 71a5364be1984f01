import { prisma } from '@/server/platform/db/prisma';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { arePasskeysPossible, relyingParty } from './relying-party';

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

/** A way to sign in that goes, or a second factor whose recovery codes may be one. */
export type WayToSignIn = { kind: 'single_sign_on' } | { kind: 'passkey'; id: string } | { kind: 'app' };

interface Credentials {
  hasPassword: boolean;
  isOwner: boolean;
  hasRecoveryCodes: boolean;
  hasApp: boolean;
  /** Those of this host sign in; others only keep the recovery codes. */
  passkeys: { id: string; isOfThisHost: boolean }[];
  hasSingleSignOn: boolean;
}

async function lockCredentials(tx: PrismaTransaction, userId: string): Promise<Credentials | undefined> {
  const { OIDC_ISSUER: issuer = null } = env();
  const host = arePasskeysPossible() ? relyingParty().id : null;
  const [account] = await tx.$queryRaw<Credentials[]>`
    SELECT u.password_hash IS NOT NULL AS "hasPassword",
      EXISTS (SELECT 1 FROM memberships m JOIN identities i ON i.id = m.identity_id
        WHERE m.user_id = u.id AND m.role = 'owner' AND i.erased_at IS NULL) AS "isOwner",
      coalesce(cardinality(t.recovery_codes), 0) > 0 AS "hasRecoveryCodes", t.enabled_at IS NOT NULL AS "hasApp",
      coalesce((SELECT json_agg(json_build_object('id', p.id, 'isOfThisHost', p.rp_id = ${host}::text)) FROM passkeys p WHERE p.user_id = u.id), '[]')
        AS passkeys,
      EXISTS (SELECT 1 FROM oidc_accounts o WHERE o.user_id = u.id AND o.issuer = ${issuer}::text) AS "hasSingleSignOn"
    FROM users u LEFT JOIN two_factors t ON t.user_id = u.id WHERE u.id = ${userId}::uuid FOR NO KEY UPDATE OF u`;
  return account;
}

function withoutWay(credentials: Credentials, way: WayToSignIn): Credentials {
  const left = {
    ...credentials,
    hasSingleSignOn: credentials.hasSingleSignOn && way.kind !== 'single_sign_on',
    hasApp: credentials.hasApp && way.kind !== 'app',
    passkeys: credentials.passkeys.filter(({ id }) => way.kind !== 'passkey' || id !== way.id),
  };
  // Recovery codes go with the last second factor.
  return { ...left, hasRecoveryCodes: left.hasRecoveryCodes && (left.hasApp || left.passkeys.length > 0) };
}

function canSignIn({ hasPassword, isOwner, hasRecoveryCodes, passkeys, hasSingleSignOn }: Credentials): boolean {
  const byPassword = hasPassword && (hasPasswordSignIn() || (isOwner && hasRecoveryCodes));
  return byPassword || hasSingleSignOn || passkeys.some(({ isOfThisHost }) => isOfThisHost);
}

/**
 * Refuses to take away the last way to sign in. Call it first in the transaction: it locks the account, so that two ways can't be
 * removed at once.
 *
 * @param way the one that goes
 * @throws AppError conflict
 */
export async function requireAnotherWayToSignIn(tx: PrismaTransaction, userId: string, way: WayToSignIn): Promise<void> {
  const credentials = await lockCredentials(tx, userId);
  if (!credentials || !canSignIn(credentials) || canSignIn(withoutWay(credentials, way))) return;
  const next = credentials.hasPassword ? 'Set up two-factor sign-in and keep its recovery codes first' : 'Set a password first';
  throw new AppError('conflict', `Without ${labels[way.kind]}, this account would have no way to sign in. ${next}.`);
}

const labels: Record<WayToSignIn['kind'], string> = {
  single_sign_on: 'single sign-on',
  passkey: 'this passkey',
  app: 'the authenticator app and its recovery codes',
};
