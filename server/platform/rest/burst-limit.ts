import { RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiKeyActor } from '@/server/platform/actor';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import { closeRedis, forgetLimiter, type SharedLimiter, sharedLimiter } from '../http/shared-limiter';

/**
 * Requests a key may make in one second, where the operator set RATE_LIMIT_BURST_PER_SECOND: per server, or over all servers that
 * share REDIS_URL.
 */
const name = 'burst';

/** Seconds. */
const duration = 1;

function limiter(): SharedLimiter | null {
  const { RATE_LIMIT_BURST_PER_SECOND: points } = env();
  return points === 0 ? null : sharedLimiter(name, { points, duration });
}

/** @returns milliseconds to wait where there were too many requests in this second, else null */
async function consume(counter: SharedLimiter, key: string): Promise<number | null> {
  try {
    await counter.consume(key);
    return null;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return rejection.msBeforeNext;
  }
}

/** @throws AppError rate_limit_exceeded for more requests in this second than the operator allows */
export function countBurst(actor: ApiKeyActor): Promise<void> | undefined {
  const counter = limiter();
  return counter ? count(counter, actor) : undefined;
}

async function count(counter: SharedLimiter, actor: ApiKeyActor): Promise<void> {
  const longest = duration * 1000;
  let wait = await consume(counter, actor.apiKeyId);
  if (wait !== null && wait > longest) {
    // The second was begun under a clock that was ahead, ours or that of Redis; it would be over when that time comes again.
    await counter.delete(actor.apiKeyId);
    wait = await consume(counter, actor.apiKeyId);
  }
  if (wait !== null) {
    const limit = counter.points;
    throw new AppError('rate_limit_exceeded', `At most ${limit} requests a second.`, {
      details: {
        limit,
        remaining: 0,
        resetAt: new Date(Date.now() + Math.min(wait, longest)).toISOString(),
        plan: planTerms[actor.plan].label,
      },
      headers: { 'Retry-After': '1' },
    });
  }
}

/** Forgets the counts and ends the connection to Redis, if one was opened. */
export function closeBurstLimit(): void {
  forgetLimiter(name);
  closeRedis();
}
