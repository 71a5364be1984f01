import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { PushSubscriptionInput } from '@/server/features/notifications/notification.schema';

/** A browser that gets pushes: it decrypts them as RFC 8291 says, without the library that encrypts them. */
export interface TestBrowser {
  /** What it gives to the server. */
  subscription: PushSubscriptionInput;
  decrypt(body: Buffer): unknown;
}

export function createTestBrowser(endpoint: string): TestBrowser {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') };
  return { subscription: { endpoint, keys }, decrypt: (body) => decrypt(body, pair, auth) };
}

type KeyPair = ReturnType<typeof createECDH>;

/** RFC 8188: salt, record size, length of the sender's key, the key; then one record with its tag. */
function decrypt(body: Buffer, pair: KeyPair, auth: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // A last record ends with a 2 and zeros.
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
}

/** The claims of the header `authorization` (RFC 8292), whose signature is checked. @throws Error for a wrong one */
export function vapidClaims(authorization: string): { publicKey: string; claims: Record<string, unknown> } {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? [];
  const [header = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is wrong');
  }
  return { publicKey, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) };
}
