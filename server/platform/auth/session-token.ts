import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decode, encode } from 'next-auth/jwt';
import { ConfigurationError, env, isReachedByHttps, overrideEnv } from '../env';
import { createDurably } from '../files/durable-file';

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

/** In characters; less would be guessed, and none at all is what a power loss may leave of a file. */
const secretMinimum = 32;

/** @throws ConfigurationError in one line where the file holds no usable secret */
function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= secretMinimum) return secret;
  throw new ConfigurationError(
    `The secret in ${file} is ${secret === '' ? 'empty' : 'too short'}. Put the file back from a backup, or set AUTH_SECRET. Or delete it: the next start makes a new one, everybody has to sign in again, and links sent by email before stop working.`,
  );
}

/**
 * The secret that encrypts session tokens: AUTH_SECRET, else one generated into `DATA_DIR/auth-secret` on first start.
 * The file is created exclusively, so that two first starts at once end with the same secret.
 *
 * @throws ConfigurationError where the file holds no usable secret
 */
export function authSecret(): string {
  const given = env().AUTH_SECRET;
  if (given) return given;
  const file = path.join(env().DATA_DIR, 'auth-secret');
  if (!existsSync(file)) createDurably(file, `${randomBytes(32).toString('base64url')}\n`);
  const secret = readSecret(file);
  overrideEnv({ AUTH_SECRET: secret });
  return secret;
}

/**
 * The secret, where there is one already; makes none.
 *
 * @throws ConfigurationError where the file holds no usable secret
 */
export function knownAuthSecret(): string | null {
  const given = env().AUTH_SECRET;
  if (given) return given;
  try {
    return readSecret(path.join(env().DATA_DIR, 'auth-secret'));
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
