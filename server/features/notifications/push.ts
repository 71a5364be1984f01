import type { LookupFunction } from 'node:net';
import webPush from 'web-push';
import { guardedPost } from '@/server/platform/fetch/guarded-post';
import { OutboundFailed, OutboundRefused } from '@/server/platform/fetch/outbound-error';
import { accountMailSender } from '../outbox/account-mail.service';
import { vapidKeys } from './vapid';

/** Sends one message to one browser (Web Push, RFC 8030), encrypted for it (RFC 8291), once. */

/** What the service worker shows (public/notifications.js). */
export interface PushMessage {
  title: string;
  body: string;
  /** The page that a click opens. */
  path: string;
  /** One with the same tag is replaced. */
  tag: string;
}

/** A browser, as it has described itself. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushOutcome {
  /** True if the browser will never get a push at this address again. */
  isGone: boolean;
  /** Why it failed, for people; null for a success. */
  error: string | null;
}

export interface PushOptions {
  signal?: AbortSignal | undefined;
  lookup?: LookupFunction | undefined;
}

/** In milliseconds, in all: a job waits for it. */
const timeoutMilliseconds = 5_000;

/** Seconds for which a push service keeps a message for a browser that is not running. */
const timeToLive = 24 * 3_600;

/** Statuses of a subscription that has ended (RFC 8030, section 7.3). */
const goneStatuses = [404, 410];

/** @throws the reason of `signal`, if it ends the request */
export async function sendPush(
  { endpoint, p256dh, auth }: PushTarget,
  message: PushMessage,
  { signal, lookup }: PushOptions = {},
): Promise<PushOutcome> {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
    vapidDetails: { subject: `mailto:${accountMailSender().email}`, ...vapidKeys() },
    TTL: timeToLive,
  });
  const { 'Content-Length': _, ...given } = headers as Record<string, string | number>;
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  try {
    const options = { timeoutMilliseconds, maximumBytes: 0, signal, lookup };
    const { status } = await guardedPost(endpoint, { ...options, headers: texts, body: body as unknown as Buffer });
    if (status >= 200 && status < 300) return { isGone: false, error: null };
    return { isGone: goneStatuses.includes(status), error: `The push service answered with status ${status}.` };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) return { isGone: false, error: error.message };
    throw error;
  }
}
