import { RateLimiterRes } from 'rate-limiter-flexible';
import type { SessionActor } from '@/server/platform/actor';
import type { RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { AppError } from '@/server/platform/errors';
import { sharedLimiter } from './shared-limiter';

/**
 * Calls that the pages of one account may make in a minute, over all its browsers: far more than people bring about (a page begins with
 * twenty at most), and few enough that no one's script takes the server from the others.
 */
export const callsPerMinute = 1_200;

/** Of the limiter; its counts are shared where REDIS_URL is set. */
export const sessionLimiterName = 'session-calls';

/** Seconds. */
const duration = 60;

/**
 * Counts the calls of one request, each of a batch.
 *
 * @throws AppError rate_limit_exceeded, with `Retry-After`; noted in the security log
 */
export async function countCalls({ userId }: SessionActor, calls: number, origin: RequestOrigin): Promise<void> {
  try {
    await sharedLimiter(sessionLimiterName, { points: callsPerMinute, duration }).consume(userId, calls);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    noteSecurityEvent({ kind: 'rate_limited', reason: 'rate_limit_exceeded', userId, subject: 'dashboard', ...origin });
    // Under a clock that was set back, the minute would seem to last longer.
    const seconds = Math.min(duration, Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
    throw new AppError('rate_limit_exceeded', `Too many requests from this account. Wait ${seconds} seconds and try again.`, {
      details: { limit: callsPerMinute, remaining: 0, resetAt: new Date(Date.now() + seconds * 1000).toISOString() },
      headers: { 'Retry-After': String(seconds) },
    });
  }
}
