import { openSecret, sealSecret } from './sealed-secret';
import { cookieValue } from './session';
import { cookiesAreSecure } from './session-token';

/** A short-lived cookie whose content only the server can read and write. */
export interface SealedCookie<T> {
  /** A `Set-Cookie` value. */
  write(value: T): string;
  /** The value and when it was written, in Unix milliseconds; null if it is missing, forged, damaged or expired. */
  read(cookieHeader: string | null): { value: T; writtenAt: number } | null;
  /** A `Set-Cookie` value that removes it. */
  clear(): string;
}

/** Tolerated difference between the clocks of several servers, in milliseconds. */
const skew = 60_000;

/**
 * @param name without the prefix that binds cookies to this host
 * @param maxAge in seconds; also checked by the server
 */
export function sealedCookie<T>(name: string, maxAge: number): SealedCookie<T> {
  const purpose = `cookie ${name}`;
  const fullName = () => (cookiesAreSecure() ? `__Host-frontdesk.${name}` : `frontdesk.${name}`);
  const cookie = (value: string, age: number) =>
    `${fullName()}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${cookiesAreSecure() ? '; Secure' : ''}`;
  return {
    write: (value) => {
      const plain = Buffer.from(JSON.stringify({ value, writtenAt: Date.now() }));
      return cookie(Buffer.from(sealSecret(plain, purpose, name)).toString('base64url'), maxAge);
    },
    read: (cookieHeader) => {
      const given = cookieValue(cookieHeader, fullName());
      const plain = given === undefined ? null : openSecret(Buffer.from(given, 'base64url'), purpose, name);
      if (!plain) return null;
      const content = JSON.parse(plain.toString()) as { value: T; writtenAt: number };
      const age = Date.now() - content.writtenAt;
      return age > maxAge * 1000 || age < -skew ? null : content;
    },
    clear: () => cookie('', 0),
  };
}
