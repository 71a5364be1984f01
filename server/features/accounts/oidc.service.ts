import { requestOf, type SessionActor } from '@/server/platform/actor';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { readSession } from '@/server/platform/auth/session';
import { countSingleSignOn } from '@/server/platform/auth/sign-in-throttle';
import { prisma } from '@/server/platform/db/prisma';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { safeReturnPath } from '@/server/platform/http/return-path';
import { tooManyAttempts } from './account.service';
import { markConfirmed } from './confirm.service';
import type { ConfirmByProviderInput, ConnectInput, JoinByProviderInput, SingleSignOnRefusal } from './oidc.schema';
import { isSingleSignOnOn, issuerOf, type ProviderAccount, readAnswer } from './oidc-client';
import { connectProviderAccount, isNotConnected } from './oidc-connection.service';
import { beginFlow, clearFlow, type Flow, type FlowPurpose, takeFlow } from './oidc-flow';
import type { Teams } from './oidc-join';
import { ProviderProblem } from './oidc-refusal';
import { joinWithProvider, signInByProvider } from './oidc-sign-in.service';
import { requireSecondFactor } from './require-second-factor';

/** Single sign-on by OpenID Connect: begins visits to the provider and acts on its answers (docs/adr/0028). */

/** A request for one of the two pages that a browser is led through. */
export interface BrowserVisit {
  /** Undecoded. */
  query: string;
  cookies: string | null;
  userAgent: string;
  address: string;
  requestId: string;
}

/** Where the browser goes next. */
export interface Onwards {
  location: string;
  cookies: string[];
}

function signInPage(reason: SingleSignOnRefusal, returnTo: string): string {
  const query = new URLSearchParams({ error: `sso_${reason}` });
  if (returnTo !== '/') query.set('callbackUrl', returnTo);
  return `/sign-in?${query}`;
}

/** A page of the dashboard that tells how it went. */
function dashboardPage(returnTo: string, result: SingleSignOnRefusal | 'done_connect' | 'done_confirm'): string {
  const url = new URL(returnTo, 'http://frontdesk.invalid');
  url.searchParams.set('sso', result);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Leads to the provider's page to sign in; to the sign-in page, with the reason, if that is not possible. */
export async function beginSignIn({ query, address, requestId }: BrowserVisit): Promise<Onwards> {
  const returnTo = safeReturnPath(new URLSearchParams(query).get('callbackUrl') ?? undefined);
  if ((await countSingleSignOn(address)) !== null) {
    noteSecurityEvent({ kind: 'sign_in_throttled', reason: 'too_many_attempts', address, subject: 'single sign-on', requestId });
    return { location: signInPage('throttled', returnTo), cookies: [] };
  }
  try {
    const { url, cookie } = await beginFlow({ kind: 'sign_in' }, returnTo);
    return { location: url, cookies: [cookie] };
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    noteSecurityEvent({ kind: 'sign_in_failed', reason: `sso_${error.reason}`, address, requestId });
    return { location: signInPage(error.reason, returnTo), cookies: [] };
  }
}

function isOff(): AppError {
  return new AppError('conflict', 'Single sign-on is not set up on this installation.');
}

function beginForSession(
  { userId, sessionId }: SessionActor,
  kind: 'connect' | 'confirm',
  returnTo: string,
): Promise<{ url: string; cookie: string }> {
  return begin({ kind, userId, sessionId }, returnTo);
}

/** @throws AppError unavailable if the provider can't be reached */
async function begin(purpose: FlowPurpose, returnTo: string): Promise<{ url: string; cookie: string }> {
  try {
    return await beginFlow(purpose, returnTo);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    throw new AppError('unavailable', 'The single sign-on provider can’t be reached. Try again in a minute.');
  }
}

/**
 * Begins accepting an invitation with an account of the provider. A procedure, so that the token is in no log, and no other site can
 * begin it.
 *
 * @throws AppError conflict where single sign-on is off, rate_limit_exceeded, unavailable if the provider can't be reached
 */
export async function beginJoining({ token }: JoinByProviderInput, address: string): Promise<{ url: string; cookie: string }> {
  if (!isSingleSignOnOn()) throw isOff();
  const wait = await countSingleSignOn(address);
  if (wait !== null) {
    throw tooManyAttempts(wait, { kind: 'sign_in_throttled', reason: 'too_many_attempts', address, subject: 'single sign-on' });
  }
  return begin({ kind: 'join', token }, `/invitation?signed-in=1#${encodeURIComponent(token)}`);
}

/** Begins connecting the account of this session. A procedure, so that no other site can begin it. */
export async function beginConnecting(actor: SessionActor, { returnTo }: ConnectInput): Promise<{ url: string; cookie: string }> {
  if (!isSingleSignOnOn()) throw isOff();
  return beginForSession(actor, 'connect', returnTo);
}

/**
 * Begins confirming, at the provider, that it is still the holder of the account who uses this session. A second factor is asked
 * for here, before.
 *
 * @throws AppError conflict if it is not connected, and as requireSecondFactor
 */
export async function beginConfirming(
  actor: SessionActor,
  { returnTo, code }: ConfirmByProviderInput,
  address: string,
): Promise<{ url: string; cookie: string }> {
  if (!isSingleSignOnOn()) throw isNotConnected();
  const connected = await prisma().oidcAccount.findUnique({
    where: { userId_issuer: { userId: actor.userId, issuer: issuerOf() } },
    select: { user: { select: { id: true, email: true } } },
  });
  if (!connected) throw isNotConnected();
  const requestId = requestOf(actor)?.requestId ?? null;
  await requireSecondFactor({ ...connected.user, address, requestId }, { code }, { during: 'confirmation' });
  return beginForSession(actor, 'confirm', returnTo);
}

/** Acts on the provider's answer. Never throws because of what the answer is: the browser is led to a page that explains it. */
export async function finishVisit(visit: BrowserVisit, teams: Teams): Promise<Onwards> {
  const { query, cookies, address, requestId } = visit;
  const flow = await takeFlow(query, cookies);
  if (!flow) {
    noteSecurityEvent({ kind: 'sign_in_failed', reason: 'sso_state', address, requestId });
    const isSignedIn = (await readSession(cookies)) !== null;
    return { location: isSignedIn ? dashboardPage('/settings', 'state') : signInPage('state', '/'), cookies: [] };
  }
  const about: { account: ProviderAccount | null } = { account: null };
  try {
    about.account = await readAnswer(query, flow.secrets);
    requireAllowedDomain(about.account);
    const { location, cookies: set } = await act(flow, about.account, visit, teams);
    return { location, cookies: [clearFlow(), ...set] };
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    noteRefusal(flow.purpose, error.reason, about.account, visit);
    const { returnTo } = flow;
    const isSignIn = flow.purpose.kind === 'sign_in';
    return {
      location: isSignIn ? signInPage(error.reason, returnTo) : dashboardPage(returnTo, error.reason),
      cookies: [clearFlow()],
    };
  }
}

function noteRefusal(
  purpose: FlowPurpose,
  reason: SingleSignOnRefusal,
  account: ProviderAccount | null,
  { address, requestId }: BrowserVisit,
): void {
  const userId = 'userId' in purpose ? purpose.userId : null;
  noteSecurityEvent({
    kind: userId === null ? 'sign_in_failed' : 'confirmation_failed',
    reason: `sso_${reason}`,
    userId,
    account: account?.email ?? null,
    address,
    requestId,
  });
}

/** Checked at each sign-in: the list may have changed, or the person's address. */
function requireAllowedDomain({ email, isEmailVerified }: ProviderAccount): void {
  const { OIDC_ALLOWED_DOMAINS } = env();
  if (OIDC_ALLOWED_DOMAINS.length === 0) return;
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  if (!isEmailVerified || !OIDC_ALLOWED_DOMAINS.includes(domain)) throw new ProviderProblem('domain');
}

async function act(flow: Flow, account: ProviderAccount, visit: BrowserVisit, teams: Teams): Promise<Onwards> {
  const { purpose, returnTo } = flow;
  if (purpose.kind === 'sign_in') return signInByProvider(account, returnTo, visit, teams);
  if (purpose.kind === 'join') return joinWithProvider(account, { token: purpose.token, returnTo }, visit, teams);
  const session = await readSession(visit.cookies);
  if (session?.userId !== purpose.userId || session.sessionId !== purpose.sessionId) throw new ProviderProblem('session');
  if (purpose.kind === 'connect') await connectProviderAccount(session, account);
  else await confirmByProvider(session, account, flow);
  return { location: dashboardPage(returnTo, `done_${purpose.kind}`), cookies: [] };
}

/** How much earlier than ours the provider's clock may be, in milliseconds. */
const clockTolerance = 30_000;

/** @throws ProviderProblem `other_account`; `stale` unless the person has just signed in at the provider */
async function confirmByProvider(session: SessionActor, account: ProviderAccount, { beganAt }: Flow): Promise<void> {
  const { issuer, subject, signedInAt } = account;
  const connected = await prisma().oidcAccount.count({ where: { issuer, subject, userId: session.userId } });
  if (connected === 0) throw new ProviderProblem('other_account');
  if (!signedInAt || signedInAt.getTime() < beganAt.getTime() - clockTolerance) throw new ProviderProblem('stale');
  await markConfirmed(session);
}
