import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { authSecret, cookiesAreSecure } from './session-token';

/**
 * A signed cookie that lists the accounts this browser has signed in with. It grants no access. It only counts the owner's own
 * browser separately from strangers, so that guessing can't lock an owner out (OWASP calls it a device cookie). The cookie is
 * not stored on the server; each sign-in gives the browser another id.
 */

/** Maximum accounts per cookie; the least recently used is dropped first. */
const accountsMaximum = 5;
/** In seconds; browsers keep no cookie longer than 400 days. */
const maxAge = 400 * 24 * 3600;

/** `signedInAt` is in Unix seconds. */
type Entry = [userId: string, browserId: string, signedInAt: number];

function cookieName(): string {
  return cookiesAreSecure() ? '__Host-frontdesk.browser' : 'frontdesk.browser';
}

function signatureOf(payload: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', authSecret(), '', 'frontdesk remembered browser', 32));
  return createHmac('sha256', key).update(payload).digest();
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string' && typeof value[2] === 'number';
}

function valueIn(header: string | null): string | undefined {
  const prefix = `${cookieName()}=`;
  return header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
    ?.slice(prefix.length);
}

/** The valid entries of a `Cookie` header; none for a forged, damaged or expired cookie. */
function entriesIn(header: string | null): Entry[] {
  const [payload = '', signature = ''] = valueIn(header)?.split('.') ?? [];
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(payload)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [];
  const oldest = Date.now() / 1000 - maxAge;
  const entries: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return Array.isArray(entries) ? entries.filter(isEntry).filter(([, , signedInAt]) => signedInAt > oldest) : [];
}

/** The id under which this browser is remembered for an account; null if it has not signed in with it. */
export function rememberedBrowserId(cookieHeader: string | null, userId: string): string | null {
  return entriesIn(cookieHeader).find(([known]) => known === userId)?.[1] ?? null;
}

/** A `Set-Cookie` value that remembers this browser for an account under a new id, and keeps its other accounts. */
export function rememberBrowser(cookieHeader: string | null, userId: string): string {
  const others = entriesIn(cookieHeader).filter(([known]) => known !== userId);
  const entry: Entry = [userId, randomBytes(16).toString('base64url'), Math.floor(Date.now() / 1000)];
  const payload = Buffer.from(JSON.stringify([entry, ...others].slice(0, accountsMaximum))).toString('base64url');
  const value = `${payload}.${signatureOf(payload).toString('base64url')}`;
  const secure = cookiesAreSecure() ? '; Secure' : '';
  return `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}
