import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { logOutage } from '@/server/platform/outage-log';
import { oncePerProcess, takeFromProcess } from '@/server/platform/process-globals';

/** Milliseconds that a request waits for Redis. */
const patience = 100;
/** Milliseconds between attempts to reach a Redis that is away. */
const reconnectAfter = 1_000;

/** The process' connection to Redis. While it has none, commands fail at once instead of waiting. */
function redis(url: string): Redis {
  return oncePerProcess('redis', () => {
    const client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: patience,
      // A frozen server keeps its connections open. Without this one, the next requests do not wait for it at all.
      socketTimeout: patience,
      connectTimeout: 2_000,
      retryStrategy: () => reconnectAfter,
      disableClientInfo: true,
    });
    let isAway = false;
    client.on('error', (error) => {
      isAway = true;
      logOutage('redis', { err: error }, 'Redis does not answer; each server limits requests for itself');
    });
    client.on('ready', () => {
      if (isAway) log().info('Redis answers again; servers share their limits');
      isAway = false;
    });
    return client;
  });
}

/** `points` for each key in `duration` seconds. `consume` rejects with a `RateLimiterRes` where they are used up. */
export type SharedLimiter = RateLimiterMemory | RateLimiterRedis;

/**
 * A limiter over all servers that share REDIS_URL, or of this process where it is not set. While Redis is away or does not answer within
 * 100 ms, each server counts in its own memory.
 *
 * @param name unique in the installation; the limiter is made once a process
 */
export function sharedLimiter(name: string, limit: { points: number; duration: number }): SharedLimiter {
  return oncePerProcess(`limiter:${name}`, () => {
    const memory = new RateLimiterMemory({ keyPrefix: name, ...limit });
    const { REDIS_URL } = env();
    if (!REDIS_URL) return memory;
    const storeClient = redis(REDIS_URL);
    return new RateLimiterRedis({
      storeClient,
      keyPrefix: name,
      ...limit,
      insuranceLimiter: memory,
      rejectIfRedisNotReady: true,
    });
  });
}

/** Forgets a limiter's settings and the counts in this process' memory. */
export function forgetLimiter(name: string): void {
  takeFromProcess(`limiter:${name}`);
}

/** Ends the connection to Redis, if one was opened. */
export function closeRedis(): void {
  takeFromProcess<Redis>('redis')?.disconnect();
}
