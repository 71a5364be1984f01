import { FrontdeskConnectionError, FrontdeskError } from './errors.js';

/** When a call is tried again, and after how long. */

/** Time and chance, so that tests need neither. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** 0 ≤ x < 1 */
  random(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that comes first. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** A server that asks for more (the day's limit is reached, mostly) is not waited for: whoever called should decide. */
const longestRetryAfterMs = 60_000;
/** No answer in time, too many requests, and a server or proxy that is not there for the moment. */
const passingStatuses = new Set([408, 429, 502, 503, 504]);

function mayPass(error: unknown): boolean {
  if (error instanceof FrontdeskConnectionError) return true;
  if (!(error instanceof FrontdeskError)) return false;
  // The first attempt is still at work; its answer will be there soon.
  return passingStatuses.has(error.status) || (error.status === 409 && error.code === 'idempotency_running');
}

/** Seconds or a date (RFC 9110, section 10.2.3), as milliseconds from now; null where there is none that can be read. */
function retryAfterMs(error: unknown, now: number): number | null {
  const text = error instanceof FrontdeskError ? error.response.headers.get('retry-after') : null;
  if (!text) return null;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}

/**
 * Milliseconds to wait before the next attempt: what the server asks for, else 0.5 s, 1 s, 2 s … to 8 s, of which half is chance, so
 * that clients that failed together do not come back together.
 *
 * @param failures how many attempts failed before this one
 * @returns null where trying again is of no use
 */
export function retryDelay(error: unknown, failures: number, clock: Clock): number | null {
  if (!mayPass(error)) return null;
  const asked = retryAfterMs(error, clock.now());
  if (asked !== null && asked > longestRetryAfterMs) return null;
  const backoff = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
  const delay = backoff * (0.5 + clock.random() / 2);
  // Half a second of chance on top is enough to spread those that were told the same time.
  return Math.round(asked === null ? delay : asked + clock.random() * firstDelayMs);
}

export const realClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};
