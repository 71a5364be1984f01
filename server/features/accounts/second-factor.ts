import type { SessionActor } from '@/server/platform/actor';
import { requireFresh } from '@/server/platform/auth/fresh-sign-in';
import { recoveryCodeHash } from '@/server/platform/auth/recovery-codes';
import { openSecret } from '@/server/platform/auth/sealed-secret';
import { countCodeAttempt, resetCodeAttempts } from '@/server/platform/auth/sign-in-throttle';
import { matchingTotpStep, totpStep } from '@/server/platform/auth/totp';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { log } from '@/server/platform/log';
import type { Recipient } from '../outbox/account-copy.service';
import type { PasskeyAnswer } from './passkey.schema';
import { checkAnswer, findPasskey, type PasskeyRefusal } from './passkey-answer';
import { mailAboutTwoFactor } from './two-factor-mails';

/** Purpose under which authenticator secrets are sealed (auth/sealed-secret.ts). */
export const totpPurpose = 'totp';

/** What an account has besides its password. Recovery codes work with either. */
export type SecondFactorMethod = 'app' | 'passkey';

/** What was given besides the password; nothing if it was not asked for yet. */
export interface SecondFactorProof {
  /** As typed: of the app, or a recovery code. */
  code?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
}

/**
 * - `passed`: the proof is right, or the account has no second factor
 * - `needed`: there is one, and no proof was given
 * - `wrong`; `used`: right, but it was accepted before
 * - `unreadable`: AUTH_SECRET has changed since the app was set up; recovery codes still work
 */
export type SecondFactorOutcome =
  | 'passed'
  | { needed: SecondFactorMethod[] }
  | 'wrong'
  | 'used'
  | 'unreadable'
  | { passkey: PasskeyRefusal }
  | { throttled: number };

interface FactorRow {
  /** Of the app; null if there is none. */
  secret: Uint8Array | null;
  has_passkeys: boolean;
  /** Unix seconds by the database's clock, which all servers share. */
  now: number;
}

/** Undefined for an account without a second factor. */
async function findFactor(userId: string): Promise<FactorRow | undefined> {
  const [row] = await rows<FactorRow>(pool(), {
    name: 'two-factor',
    text: `SELECT CASE WHEN f.enabled_at IS NOT NULL THEN f.secret END AS secret, extract(epoch FROM now())::float8 AS now,
        EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS has_passkeys
      FROM users u LEFT JOIN two_factors f ON f.user_id = u.id WHERE u.id = $1`,
    values: [userId],
  });
  return row && (row.secret || row.has_passkeys) ? row : undefined;
}

/** With two-factor on, a password alone may not change the account. @throws AppError fresh_sign_in_required */
export async function requireFreshWithTwoFactor(actor: SessionActor): Promise<void> {
  if (!actor.isFresh && (await findFactor(actor.userId))) requireFresh(actor);
}

/**
 * Checks the second factor of an account after a correct password. Each proof works once, also under concurrency. Wrong app codes
 * are counted per account; recovery codes and passkeys can't be guessed and work even when that limit is reached.
 */
export async function checkSecondFactor(userId: string, { code, passkey }: SecondFactorProof): Promise<SecondFactorOutcome> {
  const factor = await findFactor(userId);
  if (!factor) return 'passed';
  if (passkey) return checkPasskey(userId, passkey);
  const typed = code?.replace(/\s/g, '') ?? '';
  if (typed === '') return { needed: methodsOf(factor) };
  const recovery = recoveryCodeHash(userId, typed);
  if (recovery) return (await consumeRecoveryCode(userId, recovery)) ? 'passed' : 'wrong';
  if (!factor.secret) return 'wrong';
  const wait = await countCodeAttempt(userId);
  if (wait !== null) return { throttled: wait };
  const secret = openSecret(factor.secret, totpPurpose, userId);
  if (!secret) {
    log().error({ userId }, 'The secret of a second factor can’t be read: AUTH_SECRET has changed since it was set up.');
    return 'unreadable';
  }
  const step = matchingTotpStep(secret, typed, factor.now);
  if (step === null) return 'wrong';
  if (!(await consumeStep(userId, step, totpStep(factor.now)))) return 'used';
  await resetCodeAttempts(userId);
  return 'passed';
}

function methodsOf({ secret, has_passkeys }: FactorRow): SecondFactorMethod[] {
  const methods: SecondFactorMethod[] = secret ? ['app'] : [];
  return has_passkeys ? [...methods, 'passkey'] : methods;
}

async function checkPasskey(userId: string, answer: PasskeyAnswer): Promise<SecondFactorOutcome> {
  const found = await findPasskey(answer.id);
  if (found?.user.id !== userId) return { passkey: 'unknown' };
  const outcome = await checkAnswer(found, answer, { kind: 'sign_in' });
  return outcome === 'passed' ? 'passed' : { passkey: outcome };
}

/**
 * Uses the code of a time step up, once (RFC 6238, section 5.2). A stored step that is later than the current window comes from
 * a clock that was ahead, and must not lock the owner out until then.
 */
async function consumeStep(userId: string, step: number, currentStep: number): Promise<boolean> {
  const taken = await rows(pool(), {
    name: 'two-factor-step',
    text: `UPDATE two_factors SET last_step = $2 WHERE user_id = $1 AND enabled_at IS NOT NULL
      AND (last_step IS NULL OR last_step < $2 OR last_step > $3) RETURNING 1`,
    values: [userId, step, currentStep + 1],
  });
  return taken.length > 0;
}

/** Uses a recovery code up, once. @returns false for an unknown or used one */
async function consumeRecoveryCode(userId: string, hash: Uint8Array): Promise<boolean> {
  return transaction({ kind: 'session', userId, sessionId: '', identityId: null, role: null }, async (client) => {
    const [used] = await rows<{ left: number } & Recipient>(client, {
      name: 'two-factor-recovery-code',
      text: `UPDATE two_factors SET recovery_codes = array_remove(recovery_codes, $2)
        WHERE user_id = $1 AND $2 = ANY (recovery_codes)
        RETURNING cardinality(recovery_codes) AS left, (SELECT email FROM users WHERE id = $1) AS email,
          (SELECT language FROM users WHERE id = $1) AS language`,
      values: [userId, Buffer.from(hash)],
    });
    if (!used) return false;
    await mailAboutTwoFactor(client, used, { recoveryCodesLeft: used.left });
    return true;
  });
}
