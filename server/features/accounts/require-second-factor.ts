import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { invalidFields } from '@/server/platform/errors';
import { tooManyAttempts } from './account.service';
import type { PasskeyRefusal } from './passkey-answer';
import { checkSecondFactor, type SecondFactorOutcome, type SecondFactorProof } from './second-factor';

/** The message for a rejected code, shown at its field. */
const codeProblems: Record<Extract<SecondFactorOutcome, 'wrong' | 'used' | 'unreadable'>, string> = {
  wrong: 'is wrong. Enter the one your app shows now, or a recovery code',
  used: 'was used already. Wait for the next one',
  unreadable: 'can’t be checked, because the server’s secret has changed. Enter a recovery code instead',
};

/** The message for a rejected passkey. */
const passkeyProblems: Record<PasskeyRefusal, string> = {
  unknown: 'is not one of this account',
  wrong: 'could not be verified. Try again, or enter a recovery code',
  expired: 'was asked for too long ago. Try again',
  used: 'was used already. Try again',
  cloned: 'was refused, because a copy of it may exist. Enter a recovery code, then remove this passkey',
};

/** The account whose code is checked, and who asks. */
interface Asked {
  id: string;
  email: string;
  address: string;
  requestId: string | null;
}

interface RequireOptions {
  /** What the code is for: names a refusal in the security log. */
  during: 'sign_in' | 'confirmation';
  /** Called where a code is needed and none was given, which is no failure. */
  onNeeded?: () => Promise<void>;
}

/**
 * Requires a valid code of the app, a recovery code, or a passkey, from an account with a second factor.
 *
 * @throws AppError invalid_request for a proof that is missing or wrong; rate_limit_exceeded after too many codes
 */
export async function requireSecondFactor(
  { id, email, address, requestId }: Asked,
  proof: SecondFactorProof,
  { during, onNeeded }: RequireOptions,
): Promise<void> {
  const outcome = await checkSecondFactor(id, proof);
  if (outcome === 'passed') return;
  const about = { userId: id, account: email, address, requestId };
  if (typeof outcome === 'string') {
    noteSecurityEvent({ kind: `${during}_failed`, reason: `code_${outcome}`, ...about });
    throw invalidFields({ code: codeProblems[outcome] });
  }
  if ('throttled' in outcome) {
    throw tooManyAttempts(outcome.throttled, { kind: `${during}_throttled`, reason: 'too_many_codes', ...about });
  }
  if ('passkey' in outcome) {
    noteSecurityEvent({ kind: `${during}_failed`, reason: `${outcome.passkey}_passkey`, ...about });
    throw invalidFields({ passkey: passkeyProblems[outcome.passkey] });
  }
  await onNeeded?.();
  throw invalidFields({ code: 'is needed' });
}
