import { requestOf, type SessionActor } from '@/server/platform/actor';
import { rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { countConfirmation, countSignInAttempt, resetSignInAttempts } from '@/server/platform/auth/sign-in-throttle';
import { prisma } from '@/server/platform/db/prisma';
import { invalidFields, notFound } from '@/server/platform/errors';
import { type SignInRequest, type SignInResult, tooManyAttempts } from './account.service';
import { markConfirmed } from './confirm.service';
import type { PasskeyAnswer, RequestOptions } from './passkey.schema';
import { usablePasskeys } from './passkey.service';
import { checkAnswer, findPasskey, type PasskeyRefusal, requestOptions } from './passkey-answer';
import { arePasskeysPossible, relyingParty, requirePasskeysPossible } from './relying-party';

/** Signing in with a passkey instead of the password, and confirming with one. */

/** Where the sign-in page may offer passkeys. */
export function passkeyOrigin(): { origin: string | null } {
  return { origin: arePasskeysPossible() ? relyingParty().origin : null };
}

/** Options for the sign-in page: any passkey for this site, which then says whose it is. */
export async function beginPasskeySignIn(): Promise<RequestOptions> {
  requirePasskeysPossible();
  return requestOptions({ kind: 'sign_in' });
}

/**
 * Signs in with a passkey, which counts as both factors. Attempts are counted as those with passwords are, and before anything
 * is checked.
 *
 * @param address client address of the attempt
 */
export async function signInWithPasskey(
  answer: PasskeyAnswer,
  address: string,
  { cookies = null, requestId = '' }: SignInRequest = {},
): Promise<SignInResult> {
  const passkey = await findPasskey(answer.id);
  const user = passkey?.user ?? null;
  // What no account has is counted by itself, so that it can't lock an account out.
  const counted = user?.email ?? `passkey ${answer.id}`;
  const browserId = user && rememberedBrowserId(cookies, user.id);
  const about = { userId: user?.id ?? null, account: user?.email ?? null, address, requestId };
  const retryAfter = await countSignInAttempt(counted, address, browserId);
  if (retryAfter !== null) {
    noteSecurityEvent({ kind: 'sign_in_throttled', reason: 'too_many_attempts', ...about });
    return { refused: 'throttled', retryAfter };
  }
  const outcome = passkey ? await checkAnswer(passkey, answer, { kind: 'sign_in' }) : 'unknown';
  if (!passkey || outcome !== 'passed') {
    const reason = outcome === 'passed' ? 'unknown' : outcome;
    noteSecurityEvent({ kind: 'sign_in_failed', reason: `${reason}_passkey`, ...about });
    return { refused: 'passkey', reason };
  }
  await resetSignInAttempts(counted, address, browserId);
  return { user: passkey.user };
}

/** Options for confirming with a passkey of this account. */
export async function beginPasskeyConfirmation({ userId, sessionId }: SessionActor): Promise<RequestOptions> {
  requirePasskeysPossible();
  return requestOptions({ kind: 'confirm', sessionId }, await usablePasskeys(userId));
}

const confirmProblems: Record<PasskeyRefusal, string> = {
  unknown: 'is not one of this account',
  wrong: 'could not be verified. Try again, or enter your password',
  expired: 'was asked for too long ago. Try again',
  used: 'was used already. Try again',
  cloned: 'was refused, because a copy of it may exist. Enter your password, then remove this passkey',
};

/**
 * Records that the user of this session has just confirmed their identity, by a passkey instead of the password (see
 * `confirmSignIn`).
 *
 * @throws AppError invalid_request for a passkey that is wrong or another account's; rate_limit_exceeded after too many attempts
 */
export async function confirmWithPasskey(actor: SessionActor, answer: PasskeyAnswer, address: string): Promise<void> {
  const { userId, sessionId } = actor;
  const user = await prisma().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user) throw notFound();
  const about = { userId, account: user.email, address, requestId: requestOf(actor)?.requestId ?? null };
  const retryAfter = await countConfirmation(sessionId);
  if (retryAfter !== null) {
    throw tooManyAttempts(retryAfter, { kind: 'confirmation_throttled', reason: 'too_many_attempts', ...about });
  }
  const passkey = await findPasskey(answer.id);
  const isOwn = passkey?.user.id === userId;
  const outcome = isOwn ? await checkAnswer(passkey, answer, { kind: 'confirm', sessionId }) : 'unknown';
  if (outcome !== 'passed') {
    noteSecurityEvent({ kind: 'confirmation_failed', reason: `${outcome}_passkey`, ...about });
    throw invalidFields({ answer: confirmProblems[outcome] });
  }
  await markConfirmed(actor);
}
