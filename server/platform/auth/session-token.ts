import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decode, encode } from 'next-auth/jwt';
import { createDurably } from '../durable-file';
import { ConfigurationError, env, isReachedByHttps, overrideEnv } from '../env';

/** True if cookies must only be sent over https. */
export const cookiesAreSecure = isReachedByHttps;

/** The cookie of next-auth's session; with https the prefix binds it to this host. */
export function sessionCookieName(): string {
  return cookiesAreSecure() ? '__Host-frontdesk.session' : 'frontdesk.session';
}

/** Sessions expire after this many seconds without use: 14 days. */
export const sessionMaxAge = 14 * 24 * 3600;

/** Sessions expire this many seconds after sign-in, regardless of use: 90 days. */
export const sessionLifetime = 90 * 24 * 3600;

/** The claims of a session token. */
export interface SessionClaims {
  userId: string;
  /**
   * The account's epoch when the token was made. Changing password or e-mail raises the account's epoch, which invalidates the
   * token.
   */
  epoch: number;
  /** The session's row; deleting the row ends the session. */
  sessionId: string;
}

/** A `Set-Cookie` value, inaccessible to scripts and other sites, with a session's lifetime. */
export function persistentCookie(name: string, value: string): string {
  const secure = cookiesAreSecure() ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionMaxAge}${secure}`;
}

/** A `Set-Cookie` value that renews this browser's session, as next-auth does at sign-in. */
export async function sessionCookie(claims: SessionClaims): Promise<string> {
  return persistentCookie(
    sessionCookieName(),
    await encode({ token: { ...claims }, secret: authSecret(), maxAge: sessionMaxAge }),
  );
}

/** In characters. A shorter secret could be guessed, and a power loss may leave an empty file. */
const secretMinimum = 32;

/** What is wrong with a secret; null if it can be used. Where a power loss leaves zeros, trimming does not remove them. */
export function secretProblem(secret: string): 'empty' | 'damaged' | 'too short' | null {
  if (secret === '') return 'empty';
  if (/[\p{Cc}\ufffd]/u.test(secret)) return 'damaged';
  return secret.length < secretMinimum ? 'too short' : null;
}

/** @throws ConfigurationError in one line if the file holds no usable secret */
function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  const problem = secretProblem(secret);
  if (problem === null) return secret;
  throw new ConfigurationError(
    `The secret in ${file} is ${problem}. Put the file back from a backup, or set AUTH_SECRET. Or delete it: the next start makes a new one, everybody has to sign in again, and links sent by email before stop working.`,
  );
}

/**
 * The secret that encrypts session tokens: AUTH_SECRET, else one generated into `DATA_DIR/auth-secret` on first start. The file
 * is created exclusively, so that two concurrent first starts end with the same secret.
 * @throws ConfigurationError if the file holds no usable secret
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
 * The secret if it exists; never creates one.
 * @throws ConfigurationError if the file holds no usable secret
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

/** The claims of a session token; null if it is forged, damaged, expired, or older than session rows. */
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
