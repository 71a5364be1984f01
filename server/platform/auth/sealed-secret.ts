import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { authSecret } from './session-token';

/**
 * Secrets that have to be readable again, encrypted for the database: AES-256-GCM (NIST SP 800-38D) under a key that HKDF-SHA256
 * (RFC 5869) derives from AUTH_SECRET for each purpose. A copy of the database alone reads none of them.
 */

/** Version 1: this byte, 12 bytes of nonce, 16 of tag, the ciphertext. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

function keyFor(purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret(), '', `frontdesk sealed secret: ${purpose}`, 32));
}

/**
 * Encrypts `plain`.
 *
 * @param purpose what kind of secret it is; each kind has a key of its own
 * @param owner the id of the row it belongs to, so that it can't be moved to another one
 */
export function sealSecret(plain: Uint8Array, purpose: string, owner: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Uint8Array.from([version, ...nonce, ...cipher.getAuthTag(), ...ciphertext]);
}

/** Decrypts what `sealSecret` made; null where it was damaged, belongs to another row or was sealed under another AUTH_SECRET. */
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
