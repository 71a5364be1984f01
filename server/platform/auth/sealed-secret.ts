import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { authSecret } from './session-token';

/**
 * Encrypts secrets that must be readable again: AES-256-GCM (NIST SP 800-38D) with a key per purpose, derived from AUTH_SECRET
 * by HKDF-SHA256 (RFC 5869). A copy of the database alone can't decrypt them.
 */

/** Format version 1: this byte, 12 bytes of nonce, 16 bytes of tag, the ciphertext. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

function keyFor(purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret(), '', `frontdesk sealed secret: ${purpose}`, 32));
}

/**
 * Encrypts `plain`.
 * @param purpose kind of secret; each kind has its own key
 * @param owner id of the row, so that the value can't be moved to another row
 */
export function sealSecret(plain: Uint8Array, purpose: string, owner: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Uint8Array.from([version, ...nonce, ...cipher.getAuthTag(), ...ciphertext]);
}

/** Decrypts a value of `sealSecret`; null if it was damaged, belongs to another row or was sealed with another AUTH_SECRET. */
export function openSecret(sealed: Uint8Array, purpose: string, owner: string): Buffer | null {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) return null;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, options).setAAD(Buffer.from(owner)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}
