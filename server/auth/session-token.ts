import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode } from 'next-auth/jwt';
import { env, overrideEnv } from '../env';

/** True where browsers reach this installation by https, so that cookies must never travel without it. */
export function cookiesAreSecure(): boolean {
  return env().PUBLIC_URL?.startsWith('https:') ?? false;
}

/** The cookie next-auth keeps the session in; with https the prefix binds it to this very host. */
export function sessionCookieName(): string {
  return cookiesAreSecure() ? '__Host-frontdesk.session' : 'frontdesk.session';
}

/** Sessions end after this many seconds without use: 14 days. */
export const sessionMaxAge = 14 * 24 * 3600;

/** What a session token says. The epoch is the account's at sign-in; changing the password raises the account's. */
export interface SessionClaims {
  userId: string;
  epoch: number;
}

/**
 * The secret that encrypts session tokens: AUTH_SECRET, else one generated into `DATA_DIR/auth-secret` on first start.
 * The file is created exclusively, so that two first starts at once end with the same secret.
 */
export function authSecret(): string {
  const given = env().AUTH_SECRET;
  if (given) return given;
  const file = path.join(env().DATA_DIR, 'auth-secret');
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  overrideEnv({ AUTH_SECRET: secret });
  return secret;
}

/** The claims of a session token; null for a forged, damaged or expired one. */
export async function readSessionToken(token: string): Promise<SessionClaims | null> {
  try {
    const payload = await decode({ token, secret: authSecret() });
    const { userId, epoch } = (payload ?? {}) as Partial<SessionClaims>;
    return typeof userId === 'string' && typeof epoch === 'number' ? { userId, epoch } : null;
  } catch {
    return null;
  }
}
