import { encode } from 'next-auth/jwt';
import { authSecret, sessionCookieName } from '@/server/platform/auth/session-token';
import { prisma } from '@/server/platform/db/prisma';
import type { TestIdentity } from './identity';

/** The cookie of a signed-in browser, with the session of `actor`. */
export async function sessionCookieOf({ owner, actor }: Pick<TestIdentity, 'owner' | 'actor'>): Promise<string> {
  await prisma().session.createMany({ data: [{ id: actor.sessionId, userId: owner.userId }], skipDuplicates: true });
  const token = await encode({
    token: { userId: owner.userId, epoch: 0, sessionId: actor.sessionId },
    secret: authSecret(),
    maxAge: 3600,
  });
  return `${sessionCookieName()}=${token}`;
}
