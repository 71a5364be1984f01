import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { authSecret, cookiesAreSecure } from './session-token';

/**
 * A cookie that says with which accounts this browser has signed in before. It opens nothing: it only keeps attempts of the owner's own
 * browser apart from those of strangers, so that no one can lock an owner out by guessing (OWASP calls it a device cookie). The cookie is
 * signed and not stored; each sign-in gives the browser another id.
 */

/** Accounts one cookie remembers; the one used longest ago goes first. */
const accountsMaximum = 5;
/** Seconds; browsers keep no cookie longer than 400 days. */
const maxAge = 400 * 24 * 3600;

/** Account, id of the browser, and when it signed in, in Unix seconds. */
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

/** What a `Cookie` header proves; nothing for a cookie that is forged, damaged or too old. */
function entriesIn(header: string | null): Entry[] {
  const [payload = '', signature = ''] = valueIn(header)?.split('.') ?? [];
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(payload)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [];
  const oldest = Date.now() / 1000 - maxAge;
  const entries: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return Array.isArray(entries) ? entries.filter(isEntry).filter(([, , signedInAt]) => signedInAt > oldest) : [];
}

/** The id under which this browser is remembered for an account; null for one that has not signed in with it. */
export function rememberedBrowserId(cookieHeader: string | null, userId: string): string | null {
  return entriesIn(cookieHeader).find(([known]) => known === userId)?.[1] ?? null;
}

/** A `Set-Cookie` value that remembers this browser for an account under a new id, beside the accounts it is known for already. */
export function rememberBrowser(cookieHeader: string | null, userId: string): string {
  const others = entriesIn(cookieHeader).filter(([known]) => known !== userId);
  const entry: Entry = [userId, randomBytes(16).toString('base64url'), Math.floor(Date.now() / 1000)];
  const payload = Buffer.from(JSON.stringify([entry, ...others].slice(0, accountsMaximum))).toString('base64url');
  const value = `${payload}.${signatureOf(payload).toString('base64url')}`;
  const secure = cookiesAreSecure() ? '; Secure' : '';
  return `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}
