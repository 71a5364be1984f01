import { createHash } from 'node:crypto';

/**
 * The guid of the contact with this email address, as any client can compute it: UUIDv5 of its mailto URL (RFC 9562, section
 * 5.5).
 */
export function contactGuid(email: string): string {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
  const name = `mailto:${email.trim().toLowerCase()}`;
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
