import { encode } from 'next-auth/jwt';
import { authSecret, sessionCookieName } from '@/server/auth/session-token';
import type { TestIdentity } from './identity';

/** The cookie of a browser that the owner has signed in with. */
export async function sessionCookieOf({ owner }: TestIdentity): Promise<string> {
  const token = await encode({ token: { userId: owner.userId, epoch: 0 }, secret: authSecret(), maxAge: 3600 });
  return `${sessionCookieName()}=${token}`;
}
