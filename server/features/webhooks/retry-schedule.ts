/** When a delivery is tried again (contract section 11; the schedule is that of Standard Webhooks 1.0). */

const [minute, hour] = [60, 3_600];

/** Seconds until the next attempt, by the number of attempts before. */
export const retryDelays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const;

/** Delays vary by this share, so that what failed together is not repeated together. */
const jitter = 0.2;

/** The longest wait in seconds that a receiver may ask for. */
const longestRetryAfter = 24 * hour;

/** Statuses whose `Retry-After` counts. */
const busyStatuses = new Set([429, 503]);

/** What a receiver asks for with `Retry-After`, in seconds; 0 if nothing. */
export function askedWait(status: number | null, retryAfter: string | null, now = Date.now()): number {
  if (status === null || retryAfter === null || !busyStatuses.has(status)) return 0;
  const seconds = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestRetryAfter);
}

/**
 * Seconds until the next attempt: as scheduled, or later if the receiver asks for it. Null after the last attempt.
 * @param attempts how many were made
 */
export function nextDelay(attempts: number, asked = 0, random = Math.random()): number | null {
  const scheduled = retryDelays[attempts - 1];
  if (scheduled === undefined) return null;
  return Math.max(scheduled * (1 - jitter + 2 * jitter * random), asked);
}
