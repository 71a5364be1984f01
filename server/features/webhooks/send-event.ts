import type { LookupFunction } from 'node:net';
import type { EventRecord } from '@/server/features/events/event.schema';
import { guardedPost } from '@/server/platform/fetch/guarded-post';
import { OutboundFailed, OutboundRefused } from '@/server/platform/fetch/outbound-error';
import { askedWait } from './retry-schedule';
import { signatureOf } from './webhook-secret';

/** Sends one event to one webhook, once. */

/** Total time in milliseconds for connection and answer. */
const timeoutMilliseconds = 15_000;

/** Bytes of an answer that are received, and that are kept. */
const [receivedBytes, keptBytes] = [64 * 1024, 2 * 1024];

export interface Target {
  webhookId: string;
  url: string;
  /** Stored secrets, the current one first. */
  secrets: readonly string[];
}

/** What came of an attempt. */
export interface Outcome {
  /** Null without an answer. */
  status: number | null;
  /** The answer's beginning. */
  answer: string;
  /** Why it failed; null for a success. */
  error: string | null;
  durationMs: number;
  /** Seconds that the receiver asks to wait. */
  askedWait: number;
}

/** Text without control and format characters, which could change how a log or a page shows what is around it. */
function plainText(bytes: Buffer): string {
  const text = bytes.subarray(0, keptBytes).toString('utf8');
  return text.replace(/[^\P{C}\n\t]/gu, '');
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered with a redirect (${status}), which is not followed.`;
  if (status === 410) return 'It answered that it is gone (410).';
  return `It answered with status ${status}.`;
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  lookup?: LookupFunction | undefined;
}

/** The request's body: the same bytes that are signed. */
function bodyOf(event: EventRecord): string {
  return JSON.stringify({ type: event.type, timestamp: event.createdAt, data: event });
}

/** Sends an event. @throws the reason of `signal`, if it ends the request */
export async function sendEvent(event: EventRecord, target: Target, { signal, lookup }: SendOptions = {}): Promise<Outcome> {
  const startedAt = performance.now();
  const ended = (outcome: Pick<Outcome, 'error'> & Partial<Outcome>): Outcome => ({
    ...{ status: null, answer: '', askedWait: 0, durationMs: Math.round(performance.now() - startedAt) },
    ...outcome,
  });
  const body = bodyOf(event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = signatureOf({ id: event.id, timestamp, body }, target.webhookId, target.secrets);
  if (signature === null) {
    return ended({ error: 'It can’t be signed: AUTH_SECRET has changed since the secret was made. Rotate the secret.' });
  }
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  try {
    const options = { body, headers, timeoutMilliseconds, maximumBytes: receivedBytes, signal, lookup };
    const { status, headers: answered, body: bytes } = await guardedPost(target.url, options);
    const retryAfter = answered['retry-after'];
    const asked = askedWait(status, typeof retryAfter === 'string' ? retryAfter : null);
    return ended({ status, answer: plainText(bytes), error: errorOf(status), askedWait: asked });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) return ended({ error: error.message });
    throw error;
  }
}
