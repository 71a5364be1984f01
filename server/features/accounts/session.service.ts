import { v7 } from 'uuid';
import type { SessionActor } from '@/server/platform/actor';
import { rememberedBrowserId } from '@/server/platform/auth/remembered-browser';
import type { SecurityEvent } from '@/server/platform/auth/security-log';
import { sessionLifetime, sessionMaxAge } from '@/server/platform/auth/session-token';
import { countSignIn } from '@/server/platform/auth/sign-in-throttle';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { notFound } from '@/server/platform/errors';
import { removeFeeds } from '../calendar/feed.service';
import type { Recipient } from '../outbox/account-copy.service';
import { removeLinks } from './account-link';
import { mailAboutNewBrowser } from './new-browser';
import type { EndSessionsInput, SessionRecord } from './session.schema';
import { describeUserAgent } from './user-agent';

/** Details of a browser at sign-in. */
export interface SignedInBrowser {
  /** Its User-Agent header. */
  userAgent: string;
  /** Client address. */
  address: string;
  /** False for one that has not signed in with this account before; its owner is notified by mail. */
  isKnown?: boolean;
  /** When the person proved who they are, if that was not now: a provider may remember them for weeks. */
  confirmedAt?: Date;
}

/** Stored length of a User-Agent header, in characters. */
const userAgentMaximum = 300;
const addressMaximum = 100;

/** More sessions than an account has in practice; older ones are not listed, and end with the others. */
const shownMaximum = 100;

/** Records a sign-in. @returns the id of the session, for its token */
export async function beginSession(
  userId: string,
  { userAgent, address, isKnown, confirmedAt }: SignedInBrowser,
): Promise<string> {
  const sessionId = v7();
  return prismaTransaction({ kind: 'session', userId, sessionId, identityId: null, role: null }, async (tx) => {
    if (isKnown === false) await mailAboutNewBrowser(tx, userId, { userAgent, address });
    const session = await tx.session.create({
      data: {
        id: sessionId,
        userId,
        userAgent: userAgent.slice(0, userAgentMaximum),
        address: address.slice(0, addressMaximum),
        ...(confirmedAt ? { confirmedAt } : {}),
      },
    });
    return session.id;
  });
}

interface SignInRequest {
  cookies: string | null;
  address: string;
  requestId?: string;
}

/** What keeps a sign-in that has succeeded from beginning a session. */
export interface TooManySignIns {
  /** Seconds. */
  retryAfter: number;
  /** For the security log. */
  event: SecurityEvent;
}

/** Counts a sign-in before its session begins. @returns null unless there were too many */
export async function admitSignIn(
  { id: userId, email }: { id: string; email: string },
  { cookies, address, requestId }: SignInRequest,
): Promise<TooManySignIns | null> {
  const retryAfter = await countSignIn(userId, rememberedBrowserId(cookies, userId));
  if (retryAfter === null) return null;
  const about = { userId, account: email, address, ...(requestId === undefined ? {} : { requestId }) };
  return { retryAfter, event: { kind: 'sign_in_throttled', reason: 'too_many_sign_ins', ...about } };
}

/** Ends a session on sign-out; does nothing if it has ended already. */
export async function signOut(userId: string, sessionId: string): Promise<void> {
  await prismaTransaction({ kind: 'session', userId, sessionId, identityId: null, role: null }, async (tx) => {
    await tx.session.deleteMany({ where: { id: sessionId, userId } });
  });
}

/** Filter for sessions that have not expired. */
function unexpired(): { lastSeenAt: { gt: Date }; createdAt: { gt: Date } } {
  const ago = (seconds: number) => ({ gt: new Date(Date.now() - seconds * 1000) });
  return { lastSeenAt: ago(sessionMaxAge), createdAt: ago(sessionLifetime) };
}

/** The sessions of this account: the calling one first, then by last activity. */
export async function listSessions({ userId, sessionId }: SessionActor): Promise<SessionRecord[]> {
  const found = await prisma().session.findMany({
    where: { userId, ...unexpired() },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    take: shownMaximum,
  });
  const records = found.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    ...describeUserAgent(userAgent),
    address,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === sessionId,
  }));
  return [...records.filter(({ isCurrent }) => isCurrent), ...records.filter(({ isCurrent }) => !isCurrent)];
}

/**
 * Ends one session of this account immediately. @throws AppError not_found for one that has ended, and for another account's
 */
export async function endSession(actor: SessionActor, id: string): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, userId: actor.userId } });
    if (count === 0) throw notFound();
  });
}

/** Ends every session of this account but the calling one. @returns the number of sessions that were still active */
export async function endOtherSessions(actor: SessionActor, { calendarLinks }: EndSessionsInput): Promise<{ ended: number }> {
  return prismaTransaction(actor, async (tx) => {
    const others = { userId: actor.userId, id: { not: actor.sessionId } };
    const { count } = await tx.session.deleteMany({ where: { ...others, ...unexpired() } });
    await tx.session.deleteMany({ where: others });
    if (calendarLinks) await removeFeeds(tx, actor.userId);
    return { ended: count };
  });
}

/** Ends every session of this account, the calling one included, and invalidates all its tokens. */
export async function signOutEverywhere(actor: SessionActor, { calendarLinks }: EndSessionsInput): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    await raiseEpoch(tx, actor.userId, null);
    if (calendarLinks) await removeFeeds(tx, actor.userId);
  });
}

/** Locks an account until the transaction ends, so that its ways to sign in change one after the other. */
export async function lockAccount(tx: PrismaTransaction, userId: string): Promise<Recipient> {
  const [account] = await tx.$queryRaw<
    Recipient[]
  >`SELECT email, language FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  if (!account) throw notFound();
  return account;
}

/**
 * Invalidates every token and every mailed link of an account and ends its sessions, inside the caller's transaction.
 *
 * @param keptSessionId a session that continues, with a token of the new epoch
 * @returns the new epoch
 */
export async function raiseEpoch(tx: PrismaTransaction, userId: string, keptSessionId: string | null): Promise<number> {
  const { sessionEpoch } = await tx.user.update({
    where: { id: userId },
    data: { sessionEpoch: { increment: 1 } },
    select: { sessionEpoch: true },
  });
  await removeLinks(tx, userId);
  await tx.session.deleteMany({ where: { userId, ...(keptSessionId === null ? {} : { id: { not: keptSessionId } }) } });
  return sessionEpoch;
}
