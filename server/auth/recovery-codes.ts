import { createHash, randomBytes } from 'node:crypto';

/** Codes that stand in for a lost authenticator app, each of them once. */

const recoveryCodeCount = 10;

/** Crockford's Base32: no letters that are taken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 4;
const groupLength = 4;

/** One code has 80 random bits: far beyond guessing, on paper still. */
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
  return code.length === groups * groupLength && [...code].every((character) => alphabet.includes(character)) ? code : null;
}

/**
 * What is stored of a code; null for a text that can't be one. A fast hash will do: nobody tries 2^80 of them.
 *
 * @param userId salts it, so that equal codes of two accounts differ
 */
export function recoveryCodeHash(userId: string, typed: string): Uint8Array<ArrayBuffer> | null {
  const code = normalised(typed);
  return code === null ? null : Uint8Array.from(createHash('sha256').update(`${userId}\n${code}`).digest());
}
