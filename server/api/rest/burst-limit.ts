import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiKeyActor } from '@/server/actor';
import { env } from '@/server/env';
import { AppError } from '@/server/errors';
import { log } from '@/server/log';
import { planTerms } from '@/server/plan';
import { oncePerProcess, takeFromProcess } from '@/server/process-registry';

/**
 * Requests a key may make in one second, where the operator set RATE_LIMIT_BURST_PER_SECOND: per server, or over all servers that
 * share REDIS_URL. While Redis is away each server counts for itself.
 */
function redis(url: string): Redis {
  return oncePerProcess('redis', () => {
    const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
    client.on('error', (error) => log().warn({ err: error }, 'Redis is not reachable; each server limits bursts for itself'));
    return client;
  });
}

/** Seconds. */
const duration = 1;

function limiter(): RateLimiterMemory | RateLimiterRedis | null {
  return oncePerProcess('burst-limiter', () => {
    const { RATE_LIMIT_BURST_PER_SECOND: points, REDIS_URL } = env();
    if (points === 0) return null;
    const memory = new RateLimiterMemory({ points, duration });
    if (!REDIS_URL) return memory;
    return new RateLimiterRedis({
      storeClient: redis(REDIS_URL),
      keyPrefix: 'burst',
      points,
      duration,
      insuranceLimiter: memory,
    });
  });
}

/** @returns milliseconds to wait where there were too many requests in this second, else null */
async function consume(counter: RateLimiterMemory | RateLimiterRedis, key: string): Promise<number | null> {
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

async function count(counter: RateLimiterMemory | RateLimiterRedis, actor: ApiKeyActor): Promise<void> {
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

/** Ends the connection to Redis, if one was opened. */
export function closeBurstLimit(): void {
  takeFromProcess('burst-limiter');
  takeFromProcess<Redis>('redis')?.disconnect();
}
