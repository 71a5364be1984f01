import type { Actor } from '../actor';
import { AppError } from '../errors';

/** How long a sign-in or a confirmation counts as recent, in seconds: ten minutes. */
export const freshFor = 600;

/** @throws AppError fresh_sign_in_required for a session in which the person has not proved lately who they are; keys are not asked */
export function requireFresh(actor: Actor | null): void {
  if (actor?.kind !== 'session' || actor.isFresh) return;
  throw new AppError('fresh_sign_in_required', 'Enter your password again to continue. Nothing was changed.');
}
