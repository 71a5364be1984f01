import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { logOutage } from '@/server/platform/outage-log';
import { oncePerProcess, takeFromProcess } from '@/server/platform/process-globals';

/** Milliseconds a request waits for Redis. */
const commandTimeout = 100;
/** Milliseconds between attempts to reconnect to Redis. */
const reconnectAfter = 1_000;

/** The process-wide Redis connection. While disconnected, commands fail immediately instead of waiting. */
function redis(url: string): Redis {
  return oncePerProcess('redis', () => {
    const client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout,
      // A frozen server keeps its connections open. With this timeout, later requests do not wait for it.
      socketTimeout: commandTimeout,
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

/** Allows `points` per key in `duration` seconds. `consume` rejects with a `RateLimiterRes` when they are used up. */
export type SharedLimiter = RateLimiterMemory | RateLimiterRedis;

/**
 * A limiter across all servers that share REDIS_URL, or in this process if unset. If Redis does not answer within 100 ms, each
 * server counts in memory.
 * @param name unique in the installation; each limiter is created once per process
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

/** Removes a limiter with its counts in this process' memory. */
export function forgetLimiter(name: string): void {
  takeFromProcess(`limiter:${name}`);
}

/** Closes the Redis connection, if opened. */
export function closeRedis(): void {
  takeFromProcess<Redis>('redis')?.disconnect();
}
