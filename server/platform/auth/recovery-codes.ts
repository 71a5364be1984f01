import { createHash, randomBytes } from 'node:crypto';

/** Codes that stand in for a lost authenticator app, each of them once. */

const recoveryCodeCount = 10;

/** Crockford's Base32: no letters that are taken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 6;
const groupLength = 4;
/** Version 0.3.0 made shorter ones, which go on working. */
const earlierGroups = 4;

/** One code has 120 random bits, so that a fast hash of it is safe (ASVS 6.5.2 wants 112), and can still be copied from paper. */
function newCode(): string {
  const characters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % alphabet.length]);
  return Array.from({ length: groups }, (_, i) => characters.slice(i * groupLength, (i + 1) * groupLength).join('')).join('-');
}

/** Ten new codes, as they are shown: `4g7k-m2x9-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, newCode);
}

/** A recovery code however it was typed: upper case, spaces, `o` for `0`; null for what can't be one. */
function normalised(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  const isComplete = code.length === groups * groupLength || code.length === earlierGroups * groupLength;
  return isComplete && [...code].every((character) => alphabet.includes(character)) ? code : null;
}

/**
 * What is stored of a code; null for a text that can't be one. A fast hash will do, since no one can try them all.
 *
 * @param userId salts it, so that equal codes of two accounts differ
 */
export function recoveryCodeHash(userId: string, typed: string): Uint8Array<ArrayBuffer> | null {
  const code = normalised(typed);
  return code === null ? null : Uint8Array.from(createHash('sha256').update(`${userId}\n${code}`).digest());
}
