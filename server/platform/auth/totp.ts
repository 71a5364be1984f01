import { Secret, TOTP } from 'otpauth';

/** Codes of authenticator apps: TOTP (RFC 6238) as supported by every app: SHA-1, six digits, 30 seconds. */

const period = 30;
const secretBytes = 20;

/**
 * Time steps before and after the current one whose codes are accepted, for clock differences and slow typing (RFC 6238,
 * section 5.2).
 */
const window = 1;

/** A new random secret, as long as RFC 4226 recommends. */
export function newTotpSecret(): Uint8Array {
  return new Uint8Array(new Secret({ size: secretBytes }).buffer);
}

function totpOf(secret: Uint8Array): TOTP {
  return new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), algorithm: 'SHA1', digits: 6, period });
}

/** The data an authenticator app needs. */
export interface TotpSetup {
  /** In Base32, for manual entry. */
  secret: string;
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
}

/**
 * @param issuer the name that the app shows for these codes
 * @param account the e-mail of the account
 */
export function totpSetup(secret: Uint8Array, issuer: string, account: string): TotpSetup {
  const totp = totpOf(secret);
  totp.issuer = issuer;
  totp.label = account;
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The number of the time step at `seconds` (Unix time). */
export function totpStep(seconds: number): number {
  return Math.floor(seconds / period);
}

/** The time step of a code, at most one step before or after `seconds` (Unix time); null for a wrong code. */
export function matchingTotpStep(secret: Uint8Array, code: string, seconds: number): number | null {
  // otpauth throws if six characters take more than six bytes.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: seconds * 1000, window });
  return delta === null ? null : totpStep(seconds) + delta;
}
