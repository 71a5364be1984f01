import { RateLimiterRes } from 'rate-limiter-flexible';
import type { SessionActor } from '@/server/platform/actor';
import type { RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { AppError } from '@/server/platform/errors';
import { sharedLimiter } from './shared-limiter';

/**
 * Calls per minute of one account, over all its browsers: far more than people make (a page starts with twenty at most), and
 * low enough that a script can't monopolise the server.
 */
export const callsPerMinute = 1_200;

/** The limiter's name; its counts are shared if REDIS_URL is set. */
export const sessionLimiterName = 'session-calls';

/** In seconds. */
const duration = 60;

/**
 * Counts the calls of one request, one for each call of a batch.
 * @throws AppError rate_limit_exceeded, with `Retry-After`; noted in the security log
 */
export async function countCalls({ userId }: SessionActor, calls: number, origin: RequestOrigin): Promise<void> {
  try {
    await sharedLimiter(sessionLimiterName, { points: callsPerMinute, duration }).consume(userId, calls);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    noteSecurityEvent({ kind: 'rate_limited', reason: 'rate_limit_exceeded', userId, subject: 'dashboard', ...origin });
    // If the clock was set back, the minute would seem to last longer.
    const seconds = Math.min(duration, Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
    throw new AppError('rate_limit_exceeded', `Too many requests from this account. Wait ${seconds} seconds and try again.`, {
      details: { limit: callsPerMinute, remaining: 0, resetAt: new Date(Date.now() + seconds * 1000).toISOString() },
      headers: { 'Retry-After': String(seconds) },
    });
  }
}
