import { createECDH, hkdfSync } from 'node:crypto';
import { authSecret } from '@/server/platform/auth/session-token';

/**
 * The key pair by which push services know this installation (VAPID, RFC 8292). It follows from AUTH_SECRET, so there is nothing to set up,
 * and all servers of an installation have the same.
 */

/** The order of the curve P-256 (FIPS 186-5). */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** 384 bits, 128 more than the order has, so that the remainder is nearly uniform (FIPS 186-5, appendix A.2.1). */
const seedBytes = 48;

export interface VapidKeys {
  /** The uncompressed point, in base64url; what browsers subscribe with. */
  publicKey: string;
  privateKey: string;
}

export function vapidKeys(): VapidKeys {
  const seed = Buffer.from(hkdfSync('sha256', authSecret(), '', 'frontdesk web push: application server key', seedBytes));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (order - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
