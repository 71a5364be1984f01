import type { SessionActor } from '@/server/platform/actor';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { prismaTransaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { sendAccountMail } from '../outbox/account-mail.service';
import { singleSignOnConnectedMail, singleSignOnDisconnectedMail } from '../outbox/account-notices.service';
import type { SignInOptions, SingleSignOnStatus } from './oidc.schema';
import { isSingleSignOnOn, issuerOf, type ProviderAccount } from './oidc-client';
import { ProviderProblem } from './oidc-refusal';
import { raiseEpoch } from './session.service';
import { hasPasswordSignIn, requireAnotherWayToSignIn } from './ways-to-sign-in';

/** The connection between an account and one of the OpenID Connect provider (docs/adr/0028). */

/** The provider as people know it: its host. */
function providerName(): string | null {
  return isSingleSignOnOn() ? new URL(issuerOf()).host : null;
}

/** What the sign-in page offers. */
export function getSignInOptions(): SignInOptions {
  return { singleSignOn: providerName(), hasPasswordSignIn: hasPasswordSignIn() };
}

/** How this account signs in. */
export async function getSingleSignOn({ userId }: SessionActor): Promise<SingleSignOnStatus> {
  const user = await prisma().user.findUnique({
    where: { id: userId },
    select: { passwordHash: true, oidcAccounts: isSingleSignOnOn() ? { where: { issuer: issuerOf() } } : false },
  });
  if (!user) throw new AppError('signed_out', 'Sign in to go on.');
  const [connected] = user.oidcAccounts ?? [];
  return {
    provider: providerName(),
    connection: connected
      ? {
          email: connected.email,
          connectedAt: connected.createdAt.toISOString(),
          lastUsedAt: connected.lastUsedAt.toISOString(),
        }
      : null,
    hasPassword: user.passwordHash !== null,
  };
}

/**
 * Connects an account of the provider to that of this session, whose holder is notified. Doing it again changes nothing.
 *
 * @throws ProviderProblem `taken` if it signs in to another account, `connected` if this account has another one
 */
export async function connectProviderAccount(actor: SessionActor, account: ProviderAccount): Promise<void> {
  const { userId } = actor;
  const { issuer, subject, email } = account;
  try {
    await prismaTransaction(actor, async (tx) => {
      const found = await tx.oidcAccount.findMany({ where: { issuer, OR: [{ subject }, { userId }] } });
      const same = found.find((each) => each.subject === subject);
      if (same && same.userId !== userId) throw new ProviderProblem('taken');
      if (!same && found.length > 0) throw new ProviderProblem('connected');
      if (same) return;
      await tx.oidcAccount.create({ data: { userId, issuer, subject, email } });
      const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true, language: true } });
      const about = { email: user.email, provider: new URL(issuer).host, providerEmail: email };
      await sendAccountMail(tx, { to: user.email, ...singleSignOnConnectedMail(languageOf(user), about) });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ProviderProblem('taken');
    throw error;
  }
}

/**
 * Disconnects single sign-on. Every other session of the account ends, as with any change of how it is signed in to.
 *
 * @returns the cookie with the caller's new token
 * @throws AppError conflict if it is not connected, or if the account has no other way to sign in
 */
export async function disconnectSingleSignOn(actor: SessionActor): Promise<string> {
  const { userId, sessionId } = actor;
  if (!isSingleSignOnOn()) throw isNotConnected();
  const issuer = issuerOf();
  const epoch = await prismaTransaction(actor, async (tx) => {
    await requireAnotherWayToSignIn(tx, userId, { kind: 'single_sign_on' });
    const { count } = await tx.oidcAccount.deleteMany({ where: { userId, issuer } });
    if (count === 0) throw isNotConnected();
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true, language: true } });
    const about = { email: user.email, provider: new URL(issuer).host };
    await sendAccountMail(tx, { to: user.email, ...singleSignOnDisconnectedMail(languageOf(user), about) });
    return raiseEpoch(tx, userId, sessionId);
  });
  return sessionCookie({ userId, epoch, sessionId });
}

/** For an account that single sign-on does not sign in to. */
export function isNotConnected(): AppError {
  return new AppError('conflict', 'Single sign-on is not connected to this account.');
}
