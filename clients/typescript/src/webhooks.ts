import type { FrontdeskEvent } from './generated/models.js';

/** Receiving webhooks (Standard Webhooks 1.0). */

/** Why a request is not accepted as one of Frontdesk's. */
export type WebhookRejection =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'invalid_secret'
  | 'no_matching_signature'
  | 'invalid_body';

/** A request that did not come from Frontdesk, or was changed or repeated on its way. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRejection;

  constructor(reason: WebhookRejection, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** `Headers`, or an object such as Node.js' `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** How many seconds the clock of the sender and yours may be apart; 300 by default. */
  tolerance?: number;
  /** The time that it is, in milliseconds; `Date.now()` by default. */
  now?: number;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The request has no header ${name}.`);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) {
    throw new WebhookVerificationError('invalid_secret', 'The secret is not one of Frontdesk: it begins with whsec_.');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function checkTime(timestamp: string, tolerance: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp is no time in seconds.');
  }
  const age = now / 1_000 - Number(timestamp);
  if (age > tolerance) throw new WebhookVerificationError('too_old', `The request is ${Math.round(age)} seconds old.`);
  if (-age > tolerance)
    throw new WebhookVerificationError('too_new', `The request is ${Math.round(-age)} seconds in the future.`);
}

/**
 * Verifies a request to your webhook, and gives you its event.
 *
 * @param body the request's body exactly as it came: not parsed, not formatted again
 * @param secret as it was shown when the webhook was created or its secret replaced
 * @throws WebhookVerificationError with a `reason`
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<FrontdeskEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  checkTime(timestamp, tolerance, now);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await keyOf(secret);
  // After a rotation there is one for each secret. Web Crypto compares them in constant time.
  let isGenuine = false;
  for (const each of signatures.split(' ')) {
    const signature = each.startsWith('v1,') ? bytesOf(each.slice(3)) : null;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) isGenuine = true;
  }
  if (!isGenuine) throw new WebhookVerificationError('no_matching_signature', 'No signature of the request fits the secret.');
  try {
    return (JSON.parse(text) as { data: FrontdeskEvent }).data;
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body of the request is not JSON.');
  }
}
