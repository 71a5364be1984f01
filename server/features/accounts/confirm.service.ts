import { requestOf, type SessionActor } from '@/server/platform/actor';
import { resetConfirmations, uncountConfirmation } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { AppError } from '@/server/platform/errors';
import { confirmPassword } from './account.service';
import { requireSecondFactor } from './require-second-factor';
import type { ConfirmSignInInput } from './two-factor.schema';

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
  await requireSecondFactor(
    { id: user.id, email: user.email, address, requestId: requestOf(actor)?.requestId ?? null },
    { code },
    {
      during: 'confirmation',
      onNeeded: () => uncountConfirmation(actor.sessionId),
    },
  );
  await markConfirmed(actor);
}

/** Notes that the person behind this session has proven who they are. @throws AppError signed_out if it has ended meanwhile */
export async function markConfirmed(actor: SessionActor): Promise<void> {
  await resetConfirmations(actor.sessionId);
  const { rowCount } = await pool().query({
    name: 'session-confirm',
    text: 'UPDATE sessions SET confirmed_at = now() WHERE id = $1 AND user_id = $2',
    values: [actor.sessionId, actor.userId],
  });
  if (rowCount === 0) throw new AppError('signed_out', 'Sign in to go on.');
}
