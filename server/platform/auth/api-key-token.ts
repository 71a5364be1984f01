import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The token of an API key: `sk_live_`, 43 random base62 characters (256 bits), and a checksum of 6. The checksum rejects typos
 * without a database query, and lets secret scanners recognise a leaked key with certainty.
 */
const prefix = 'sk_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 43; // log62(2^256) = 42.99…
const checksumLength = 6;
const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function generateApiKeyToken(): string {
  let secret = '';
  for (let i = 0; i < secretLength; i++) secret += alphabet.charAt(randomInt(62));
  return prefix + secret + checksum(secret);
}

/** True for a token this service may have issued: correct form and checksum. */
export function isWellFormedApiKeyToken(token: string): boolean {
  if (!pattern.test(token)) return false;
  const secret = token.slice(prefix.length, -checksumLength);
  return token.slice(-checksumLength) === checksum(secret);
}

/**
 * The hash that is stored and looked up instead of the token. With 256 random bits, a plain SHA-256 can't be reversed by
 * guessing.
 */
export function hashApiKeyToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The parts of a token that lists may show. */
export function describeApiKeyToken(token: string): { prefix: string; last4: string } {
  return { prefix: token.slice(0, prefix.length + 4), last4: token.slice(-4) };
}
