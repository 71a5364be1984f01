import { createHash, randomBytes } from 'node:crypto';

/** Single-use codes that replace a lost authenticator app or passkey. */

const recoveryCodeCount = 10;

/** Crockford's Base32, without letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 6;
const groupLength = 4;
/** Version 0.3.0 issued shorter codes, which remain valid. */
const legacyGroups = 4;

/**
 * A new code of 120 random bits: enough for a fast hash to be safe (ASVS 6.5.2 asks for 112), and short enough to copy from
 * paper.
 */
function newCode(): string {
  const characters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % alphabet.length]);
  return Array.from({ length: groups }, (_, i) => characters.slice(i * groupLength, (i + 1) * groupLength).join('')).join('-');
}

/** Ten new codes in display form: `4g7k-m2x9-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, newCode);
}

/** Ten new codes of an account: as shown, and as stored. */
export function newRecoveryCodesFor(userId: string): { shown: string[]; stored: Uint8Array<ArrayBuffer>[] } {
  const shown = newRecoveryCodes();
  return { shown, stored: shown.flatMap((code) => recoveryCodeHash(userId, code) ?? []) };
}

/** The canonical form of a typed code: ignores case and spaces, reads `o` as `0`. Null if it can't be a code. */
function normalised(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  const isComplete = code.length === groups * groupLength || code.length === legacyGroups * groupLength;
  return isComplete && [...code].every((character) => alphabet.includes(character)) ? code : null;
}

/** True for a text that can be a recovery code, rather than one of an app. */
export function isRecoveryCode(typed: string | undefined): boolean {
  return typed !== undefined && normalised(typed) !== null;
}

/**
 * The hash to store for a code; null for a text that can't be one. A fast hash is enough for 120 random bits.
 * @param userId salts the hash, so that equal codes of two accounts differ
 */
export function recoveryCodeHash(userId: string, typed: string): Uint8Array<ArrayBuffer> | null {
  const code = normalised(typed);
  return code === null ? null : Uint8Array.from(createHash('sha256').update(`${userId}\n${code}`).digest());
}
