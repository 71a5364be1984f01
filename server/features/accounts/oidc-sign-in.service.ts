import { rememberBrowser, rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import { sealedCookie } from '@/server/platform/auth/sealed-cookie';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { identityCookie } from '@/server/platform/auth/session';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { prisma } from '@/server/platform/db/prisma';
import { AppError } from '@/server/platform/errors';
import { tooManyAttempts } from './account.service';
import type { SecondStepInput } from './oidc.schema';
import type { ProviderAccount } from './oidc-client';
import { joinByInvitation, joinByProvider, type Teams } from './oidc-join';
import { ProviderProblem } from './oidc-refusal';
import { requireSecondFactor } from './require-second-factor';
import { checkSecondFactor, type SecondFactorMethod } from './second-factor';
import { admitSignIn, beginSession, type SignedInBrowser } from './session.service';

/** Signing in with an account of the OpenID Connect provider, in one step or, with two-factor sign-in, in two. */

interface Account {
  id: string;
  email: string;
  sessionEpoch: number;
}

/** The first step is done: the provider has vouched for the person, whose second factor is still needed. */
interface PendingSignIn {
  userId: string;
  /** A change of how the account is signed in to ends what is pending. */
  epoch: number;
  userAgent: string;
  confirmedAt: string | null;
}

const pendingCookie = sealedCookie<PendingSignIn>('sso-code', 600);

interface SignInVisit extends Pick<SignedInBrowser, 'userAgent' | 'address'> {
  cookies: string | null;
}

/**
 * Signs in to the connected account; a person without one may join. An account with a second factor is asked for it, unless the
 * provider says that it asked for several factors.
 *
 * @throws ProviderProblem if there is no account
 */
export async function signInByProvider(
  account: ProviderAccount,
  returnTo: string,
  visit: SignInVisit,
  teams: Teams,
): Promise<{ location: string; cookies: string[] }> {
  const user = (await connectedUser(account)) ?? (await joinByProvider(account, teams));
  return continueAs(user, account, returnTo, visit);
}

/**
 * Accepts an invitation with a new account. A person who has one is only signed in, and accepts on the page of the invitation.
 *
 * @throws ProviderProblem that says what to do
 */
export async function joinWithProvider(
  account: ProviderAccount,
  { token, returnTo }: { token: string; returnTo: string },
  visit: SignInVisit,
  teams: Teams,
): Promise<{ location: string; cookies: string[] }> {
  const known = await connectedUser(account);
  if (known) return continueAs(known, account, returnTo, visit);
  const { user, identityId } = await joinByInvitation(account, token, teams);
  const { location, cookies } = await continueAs(user, account, '/', visit);
  return { location, cookies: [...cookies, identityCookie(identityId)] };
}

/** Opens a session, or asks for the second factor first. */
async function continueAs(
  user: Account,
  account: ProviderAccount,
  returnTo: string,
  visit: SignInVisit,
): Promise<{ location: string; cookies: string[] }> {
  const confirmedAt = account.signedInAt && new Date(Math.min(account.signedInAt.getTime(), Date.now()));
  const methods = account.hasMultipleFactors ? [] : await neededMethods(user.id);
  if (methods.length === 0) {
    const tooMany = await admitSignIn(user, visit);
    if (tooMany) {
      noteSecurityEvent(tooMany.event);
      throw new ProviderProblem('throttled');
    }
    return { location: returnTo, cookies: await openSession(user, confirmedAt, visit) };
  }
  const offered: [string, string][] = methods.includes('passkey') ? [['methods', methods.join()]] : [];
  const query = new URLSearchParams([['step', 'code'], ...offered, ['callbackUrl', returnTo]]);
  const pending = {
    userId: user.id,
    epoch: user.sessionEpoch,
    userAgent: visit.userAgent.slice(0, 300),
    confirmedAt: confirmedAt?.toISOString() ?? null,
  };
  return { location: `/sign-in?${query}`, cookies: [pendingCookie.write(pending)] };
}

/** What the second step may ask for; nothing for an account without a second factor. */
async function neededMethods(userId: string): Promise<SecondFactorMethod[]> {
  const outcome = await checkSecondFactor(userId, {});
  return typeof outcome === 'object' && 'needed' in outcome ? outcome.needed : [];
}

/** The account that is connected to the provider's, by issuer and subject only. Notes its use. */
async function connectedUser({ issuer, subject, email }: ProviderAccount): Promise<Account | null> {
  const found = await prisma().oidcAccount.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { id: true, user: { select: { id: true, email: true, sessionEpoch: true } } },
  });
  if (!found) return null;
  await prisma().oidcAccount.updateMany({ where: { id: found.id }, data: { email, lastUsedAt: new Date() } });
  return found.user;
}

/** @returns the cookies of the new session */
async function openSession(user: Account, confirmedAt: Date | null, { cookies, ...browser }: SignInVisit): Promise<string[]> {
  const isKnown = rememberedBrowserId(cookies, user.id) !== null;
  const { userAgent, address } = browser;
  const sessionId = await beginSession(user.id, { userAgent, address, isKnown, ...(confirmedAt ? { confirmedAt } : {}) });
  return [
    await sessionCookie({ userId: user.id, epoch: user.sessionEpoch, sessionId }),
    rememberBrowser(cookies, user.id),
    pendingCookie.clear(),
  ];
}

/**
 * The second step: a code of the app, a recovery code, or a passkey.
 *
 * @returns the cookies of the new session
 * @throws AppError conflict if the first step is missing or too long ago; as requireSecondFactor
 */
export async function passSecondStep(
  proof: SecondStepInput,
  { cookies, address, requestId }: { cookies: string | null; address: string; requestId: string },
): Promise<string[]> {
  const pending = pendingCookie.read(cookies)?.value;
  const user = pending && (await prisma().user.findUnique({ where: { id: pending.userId } }));
  if (!pending || user?.sessionEpoch !== pending.epoch) {
    throw new AppError('conflict', 'This took too long. Start again with single sign-on.');
  }
  await requireSecondFactor({ id: user.id, email: user.email, address, requestId }, proof, { during: 'sign_in' });
  const tooMany = await admitSignIn(user, { cookies, address, requestId });
  if (tooMany) throw tooManyAttempts(tooMany.retryAfter, tooMany.event);
  const confirmedAt = pending.confirmedAt === null ? null : new Date(pending.confirmedAt);
  return openSession(user, confirmedAt, { cookies, userAgent: pending.userAgent, address });
}
