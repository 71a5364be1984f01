import { createHmac, randomBytes } from 'node:crypto';
import { openSecret, sealSecret } from '@/server/platform/auth/sealed-secret';

/** Secrets of webhooks and what they sign (Standard Webhooks 1.0, "Signature scheme"). */

const purpose = 'webhook';
const prefix = 'whsec_';

interface NewSecret {
  /** As shown to the owner. */
  secret: string;
  /** As stored. */
  sealed: string;
}

export function newSecret(webhookId: string): NewSecret {
  const bytes = randomBytes(32);
  const sealed = Buffer.from(sealSecret(bytes, purpose, webhookId)).toString('base64');
  return { secret: `${prefix}${bytes.toString('base64')}`, sealed };
}

interface Message {
  id: string;
  /** Unix seconds. */
  timestamp: number;
  body: string;
}

/**
 * The header `webhook-signature`: a signature for each of the stored secrets.
 * @returns null if none of them can be decrypted
 */
export function signatureOf({ id, timestamp, body }: Message, webhookId: string, sealed: readonly string[]): string | null {
  const keys = sealed.flatMap((each) => openSecret(Buffer.from(each, 'base64'), purpose, webhookId) ?? []);
  if (keys.length === 0) return null;
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
