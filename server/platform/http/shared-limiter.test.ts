import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '@/server/platform/db/free-port';
import { overrideEnv, parseEnv } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { redisServer, startTestRedis, type TestRedis } from '@/server/testing/redis';
import { closeRedis, forgetLimiter, type SharedLimiter, sharedLimiter } from './shared-limiter';

const points = 5;
/** Of 50 requests the first one waits for Redis, 100 ms; this is less than all of them would. */
const ifEachWaited = 4_000;

const started: TestRedis[] = [];
let port = 0;

beforeEach(async () => {
  setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }));
  takeFromProcess('outages');
  port = await freePort();
  overrideEnv({ REDIS_URL: `redis://127.0.0.1:${port}` });
});

afterEach(async () => {
  forgetLimiter('test');
  closeRedis();
  await Promise.all(started.splice(0).map((redis) => redis.remove()));
  takeFromProcess('env');
});

async function startRedis(): Promise<TestRedis['process']> {
  const redis = await startTestRedis(port);
  started.push(redis);
  return redis.process;
}

/** How many of `count` sequential requests passed, and their total duration in milliseconds. */
async function consume(limiter: SharedLimiter, key: string, count: number): Promise<{ passed: number; ms: number }> {
  const startedAt = performance.now();
  let passed = 0;
  for (let index = 0; index < count; index++) {
    await limiter.consume(key).then(
      () => passed++,
      () => undefined,
    );
  }
  return { passed, ms: performance.now() - startedAt };
}

/** Another server's limiter, with the same Redis. */
function ofAnotherServer(): SharedLimiter {
  const [own, connection] = [takeFromProcess('limiter:test'), takeFromProcess('redis')];
  const other = sharedLimiter('test', { points, duration: 60 });
  closers.push(() => closeRedis());
  setForProcess('limiter:test', own);
  const theirs = takeFromProcess('redis');
  setForProcess('redis', connection);
  closers.push(() => (theirs as { disconnect(): void }).disconnect());
  return other;
}

let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

const isShared = async (first: SharedLimiter, second: SharedLimiter) => {
  const key = `shared ${Math.random()}`;
  await first.consume(key, points);
  return second.consume(key).then(
    () => false,
    () => true,
  );
};

describe.skipIf(!redisServer)('with a real Redis', () => {
  test('servers share a limit; a frozen Redis stalls no one, and is shared again once it goes on', async () => {
    const warn = vi.spyOn(log(), 'warn');
    const info = vi.spyOn(log(), 'info');
    const child = await startRedis();
    const limiter = sharedLimiter('test', { points, duration: 60 });
    const other = ofAnotherServer();
    await expect.poll(() => isShared(limiter, other)).toBe(true);
    warn.mockClear();
    takeFromProcess('outages');

    child.kill('SIGSTOP');
    const frozen = await consume(limiter, 'frozen', 50);
    expect(frozen.passed).toBe(points);
    expect(frozen.ms).toBeLessThan(ifEachWaited);
    expect((await consume(limiter, 'still frozen', 20)).passed).toBe(points);
    expect(warn.mock.calls.map(([, message]) => message)).toEqual([expect.stringMatching(/^Redis does not answer/)]);

    info.mockClear();
    child.kill('SIGCONT');
    await expect.poll(() => isShared(limiter, other)).toBe(true);
    expect(info.mock.calls.flat()).toContain('Redis answers again; servers share their limits');
  });

  test('one that is killed and started again', async () => {
    const child = await startRedis();
    const limiter = sharedLimiter('test', { points, duration: 60 });
    const other = ofAnotherServer();
    await expect.poll(() => isShared(limiter, other)).toBe(true);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const away = await consume(limiter, 'away', 50);
    expect(away.passed).toBe(points);
    expect(away.ms).toBeLessThan(ifEachWaited);
    await startRedis();
    await expect.poll(() => isShared(limiter, other)).toBe(true);
  });
});

describe('without one that answers', () => {
  let silent: Server | undefined;

  afterEach(() => void silent?.close());

  test.each([
    ['nobody listens', false],
    ['somebody accepts and says nothing', true],
  ])('%s: each server counts for itself at once, and says so once', async (_what, accepts) => {
    const warn = vi.spyOn(log(), 'warn');
    if (accepts) {
      silent = createServer((socket) => closers.push(() => socket.destroy()));
      await new Promise<void>((resolve) => silent?.listen(port, '127.0.0.1', resolve));
    }
    const limiter = sharedLimiter('test', { points, duration: 60 });
    const startedAt = performance.now();
    const first = await consume(limiter, 'first', 50);
    expect(first.passed).toBe(points);
    expect(first.ms).toBeLessThan(ifEachWaited);
    // Also while it reconnects.
    await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(1_500);
    const later = await consume(limiter, 'later', 50);
    expect(later.passed).toBe(points);
    expect(later.ms).toBeLessThan(ifEachWaited);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
