import type { SessionActor } from '@/server/platform/actor';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { resetConfirmations, uncountConfirmation } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { AppError, invalidFields } from '@/server/platform/errors';
import { requestOf } from '@/server/platform/request-scope';
import { confirmPassword, tooManyAttempts } from './account.service';
import { checkSecondFactor, type SecondFactorOutcome } from './second-factor';
import type { ConfirmSignInInput } from './two-factor.schema';

/** The message for a rejected code, shown at its field. */
const codeProblems: Record<Exclude<SecondFactorOutcome, 'passed' | { throttled: number }>, string> = {
  needed: 'is needed',
  wrong: 'is wrong. Enter the one your app shows now, or a recovery code',
  used: 'was used already. Wait for the next one',
  unreadable: 'can’t be checked, because the server’s secret has changed. Enter a recovery code instead',
};

/**
 * Records that the user of this session has just confirmed their identity; procedures that require a fresh sign-in accept the
 * session for ten minutes (docs/adr/0015).
 *
 * @throws AppError invalid_request for a wrong password, or a code that is missing or wrong; rate_limit_exceeded after too many
 *   of them
 */
export async function confirmSignIn(
  actor: SessionActor,
  { currentPassword, code }: ConfirmSignInInput,
  address: string,
): Promise<void> {
  const user = await confirmPassword(actor, currentPassword, address);
  const outcome = await checkSecondFactor(user.id, code);
  const about = { userId: user.id, account: user.email, address, requestId: requestOf(actor)?.requestId ?? null };
  if (typeof outcome === 'object') {
    throw tooManyAttempts(outcome.throttled, { kind: 'confirmation_throttled', reason: 'too_many_codes', ...about });
  }
  if (outcome === 'needed') await uncountConfirmation(actor.sessionId);
  else if (outcome !== 'passed') noteSecurityEvent({ kind: 'confirmation_failed', reason: `code_${outcome}`, ...about });
  if (outcome !== 'passed') throw invalidFields({ code: codeProblems[outcome] });
  await resetConfirmations(actor.sessionId);
  const { rowCount } = await pool().query({
    name: 'session-confirm',
    text: 'UPDATE sessions SET confirmed_at = now() WHERE id = $1 AND user_id = $2',
    values: [actor.sessionId, actor.userId],
  });
  if (rowCount === 0) throw new AppError('signed_out', 'Sign in to go on.');
}
