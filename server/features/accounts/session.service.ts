import { v7 } from 'uuid';
import type { SessionActor } from '@/server/platform/actor';
import { sessionLifetime, sessionMaxAge } from '@/server/platform/auth/session-token';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { notFound } from '@/server/platform/errors';
import { removeLinks } from './account-link';
import { mailAboutNewBrowser } from './new-browser';
import type { SessionRecord } from './session.schema';
import { describeUserAgent } from './user-agent';

/** What is known of a browser at sign-in. */
export interface SignedInBrowser {
  /** Its User-Agent header. */
  userAgent: string;
  /** Where it comes from. */
  address: string;
  /** False for one that has not signed in with this account before, which its owner is told by mail. */
  isKnown?: boolean;
}

/** As much of a browser's own words as is kept, in characters. */
const userAgentMaximum = 300;
const addressMaximum = 100;

/** More browsers than anybody is signed in with; older ones are not shown, and end with the others. */
const shownMaximum = 100;

/** Notes that somebody signed in with a browser. @returns the id of the session, for its token */
export async function beginSession(userId: string, { userAgent, address, isKnown }: SignedInBrowser): Promise<string> {
  const sessionId = v7();
  return prismaTransaction({ kind: 'session', userId, sessionId, identityId: null }, async (tx) => {
    if (isKnown === false) await mailAboutNewBrowser(tx, userId, { userAgent, address });
    const session = await tx.session.create({
      data: { id: sessionId, userId, userAgent: userAgent.slice(0, userAgentMaximum), address: address.slice(0, addressMaximum) },
    });
    return session.id;
  });
}

/** Ends the session a browser signs out of; one that has ended already stays so. */
export async function signOut(userId: string, sessionId: string): Promise<void> {
  await prismaTransaction({ kind: 'session', userId, sessionId, identityId: null }, async (tx) => {
    await tx.session.deleteMany({ where: { id: sessionId, userId } });
  });
}

/** The sessions that have not ended by themselves. */
function lasting(): { lastSeenAt: { gt: Date }; createdAt: { gt: Date } } {
  const ago = (seconds: number) => ({ gt: new Date(Date.now() - seconds * 1000) });
  return { lastSeenAt: ago(sessionMaxAge), createdAt: ago(sessionLifetime) };
}

/** The browsers this person is signed in with: the calling one first, then the latest seen. */
export async function listSessions({ userId, sessionId }: SessionActor): Promise<SessionRecord[]> {
  const found = await prisma().session.findMany({
    where: { userId, ...lasting() },
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

/** Ends one session of this person at once. @throws AppError not_found for one that has ended, and for somebody else's */
export async function endSession(actor: SessionActor, id: string): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id, userId: actor.userId } });
    if (count === 0) throw notFound();
  });
}

/** Ends every session of this person but the calling one. @returns how many that were still in use */
export async function endOtherSessions(actor: SessionActor): Promise<{ ended: number }> {
  return prismaTransaction(actor, async (tx) => {
    const others = { userId: actor.userId, id: { not: actor.sessionId } };
    const { count } = await tx.session.deleteMany({ where: { ...others, ...lasting() } });
    await tx.session.deleteMany({ where: others });
    return { ended: count };
  });
}

/** Ends every session of this person, the calling one included, and whatever token is under way. */
export async function signOutEverywhere(actor: SessionActor): Promise<void> {
  await prismaTransaction(actor, async (tx) => {
    await raiseEpoch(tx, actor.userId, null);
  });
}

/**
 * Makes every token of an account and every link mailed for it worthless and ends its sessions, as part of something larger.
 *
 * @param keptSessionId a session that goes on, with a token of the new epoch
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
