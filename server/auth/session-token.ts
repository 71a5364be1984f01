import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode, encode } from 'next-auth/jwt';
import { env, isReachedByHttps, overrideEnv } from '../env';

/** True where cookies must never travel without https. */
export const cookiesAreSecure = isReachedByHttps;

/** The cookie next-auth keeps the session in; with https the prefix binds it to this very host. */
export function sessionCookieName(): string {
  return cookiesAreSecure() ? '__Host-frontdesk.session' : 'frontdesk.session';
}

/** Sessions end after this many seconds without use: 14 days. */
export const sessionMaxAge = 14 * 24 * 3600;

/** Sessions end this many seconds after they began, however much they are used: 90 days. */
export const sessionLifetime = 90 * 24 * 3600;

/** What a session token says. */
export interface SessionClaims {
  userId: string;
  /** The account's when the token was made; changing password or e-mail raises the account's. */
  epoch: number;
  /** The row of this browser; the session lives as long as the row does. */
  sessionId: string;
}

/** A `Set-Cookie` value: out of reach of scripts and other sites, and kept as long as a session. */
export function keptCookie(name: string, value: string): string {
  const secure = cookiesAreSecure() ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionMaxAge}${secure}`;
}

/** A `Set-Cookie` value that renews the session of this browser, as next-auth would at sign-in. */
export async function sessionCookie(claims: SessionClaims): Promise<string> {
  return keptCookie(sessionCookieName(), await encode({ token: { ...claims }, secret: authSecret(), maxAge: sessionMaxAge }));
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

/** The secret, where there is one already; makes none. */
export function knownAuthSecret(): string | null {
  const given = env().AUTH_SECRET;
  if (given) return given;
  try {
    return readFileSync(path.join(env().DATA_DIR, 'auth-secret'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The claims of a session token; null for a forged, damaged or expired one, and for one from before sessions had rows. */
export async function readSessionToken(token: string): Promise<SessionClaims | null> {
  try {
    const payload = await decode({ token, secret: authSecret() });
    const { userId, epoch, sessionId } = (payload ?? {}) as Partial<SessionClaims>;
    const isComplete = typeof userId === 'string' && typeof epoch === 'number' && typeof sessionId === 'string';
    return isComplete ? { userId, epoch, sessionId } : null;
  } catch {
    return null;
  }
}
