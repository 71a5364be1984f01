import { RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiKeyActor } from '@/server/platform/actor';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { planTerms } from '@/server/platform/plan';
import { closeRedis, forgetLimiter, type SharedLimiter, sharedLimiter } from '../http/shared-limiter';

/** The burst limit: requests per second and key, from RATE_LIMIT_BURST_PER_SECOND; per server, or shared through REDIS_URL. */
const name = 'burst';

/** In seconds. */
const duration = 1;

function limiter(): SharedLimiter | null {
  const { RATE_LIMIT_BURST_PER_SECOND: points } = env();
  return points === 0 ? null : sharedLimiter(name, { points, duration });
}

/** @returns milliseconds to wait if the limit is exceeded, else null */
async function consume(counter: SharedLimiter, key: string): Promise<number | null> {
  try {
    await counter.consume(key);
    return null;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return rejection.msBeforeNext;
  }
}

/** @throws AppError rate_limit_exceeded if the burst limit is exceeded */
export function countBurst(actor: ApiKeyActor): Promise<void> | undefined {
  const counter = limiter();
  return counter ? count(counter, actor) : undefined;
}

async function count(counter: SharedLimiter, actor: ApiKeyActor): Promise<void> {
  const longest = duration * 1000;
  let wait = await consume(counter, actor.apiKeyId);
  if (wait !== null && wait > longest) {
    // The window was started by a clock that was ahead, ours or that of Redis, and would last too long.
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

/** Clears the counts and closes the Redis connection, if opened. */
export function closeBurstLimit(): void {
  forgetLimiter(name);
  closeRedis();
}
