import type { Actor } from '../actor';
import { AppError } from '../errors';

/** How long a sign-in or confirmation counts as fresh, in seconds: ten minutes. */
export const freshSeconds = 600;

/** Requires a fresh sign-in of a session; API keys are exempt. @throws AppError fresh_sign_in_required */
export function requireFresh(actor: Actor | null): void {
  if (actor?.kind !== 'session' || actor.isFresh) return;
  throw new AppError('fresh_sign_in_required', 'Enter your password again to continue. Nothing was changed.');
}
