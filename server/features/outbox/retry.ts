/** Attempts before a mail with temporary errors fails permanently; about three days (RFC 5321, 4.5.4.1). */
export const maximumAttempts = 18;

const shortest = 30;
const longest = 6 * 3600;

/**
 * Seconds until the next attempt: half a minute after the first, four times as long after each further one, at most six hours.
 * Undefined after the last attempt.
 */
export function retryDelay(attempts: number): number | undefined {
  if (attempts >= maximumAttempts) return undefined;
  return Math.min(longest, shortest * 4 ** (attempts - 1));
}
