/** How often a mail that can't be sent right now is tried before it counts as failed; about three days (RFC 5321, 4.5.4.1). */
export const maximumAttempts = 18;

const shortest = 30;
const longest = 6 * 3600;

/**
 * Seconds until the next try: half a minute after the first, four times as long after each further one, six hours at most. Undefined
 * where it was the last.
 */
export function retryDelay(attempts: number): number | undefined {
  if (attempts >= maximumAttempts) return undefined;
  return Math.min(longest, shortest * 4 ** (attempts - 1));
}
