import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { listSecurityInput } from '@/server/features/audit/security.schema';
import { listSecurity } from '@/server/features/audit/security.service';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { freePort } from '@/server/platform/db/free-port';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { redisServer, startTestRedis } from '@/server/testing/redis';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { callsPerMinute, countCalls, sessionLimiterName } from './session-limit';
import { closeRedis, forgetLimiter } from './shared-limiter';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

afterEach(() => forgetLimiter(sessionLimiterName));

const origin = { host: 'desk.example.com', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' };

/** A browser session that makes many calls in one request, of unknown operations, since every call counts. */
async function browserOf(identity: TestIdentity) {
  const headers = { ...origin, cookie: await sessionCookieOf(identity) };
  const calls = (count: number) =>
    call('GET', `/api/trpc/${Array.from({ length: count }, () => 'no.thing').join(',')}?batch=1&input=%7B%7D`, { headers });
  return { headers, calls };
}

test('an account makes so many calls a minute, each of a batch counted, and hears when it may go on', async () => {
  const { headers, calls } = await browserOf(await createTestIdentity());
  for (let made = 0; made < callsPerMinute - 20; made += 20) expect((await calls(20)).status).toBe(404);
  const last = await Promise.all(Array.from({ length: 3 }, () => calls(10)));
  expect(last.map(({ status }) => status).sort()).toEqual([404, 404, 429]);
  const refused = await call('GET', '/api/trpc/account.get?input=%7B%7D', { headers });
  expect(refused).toMatchObject({
    status: 429,
    body: {
      error: 'Rate limit exceeded',
      code: 'rate_limit_exceeded',
      details: { limit: callsPerMinute, remaining: 0, resetAt: expect.any(String) },
    },
  });
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  const other = await browserOf(await createTestIdentity());
  expect((await other.calls(20)).status).toBe(404);
});

test('a body is not read of an account that has made too many', async () => {
  const { headers, calls } = await browserOf(await createTestIdentity());
  for (let made = 0; made < callsPerMinute; made += 20) await calls(20);
  const answer = await call('POST', '/api/trpc/customers.create', { headers, json: { contacts: [{ email: 'ann@x.io' }] } });
  expect(answer.status).toBe(429);
});

test('the security log says so, to the owner alone: one row a minute, however many calls were refused', async () => {
  const [identity, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const { calls } = await browserOf(identity);
  for (let made = 0; made < callsPerMinute + 60; made += 20) await calls(20);
  await flushSecurityLog();
  const { events } = await listSecurity(identity.actor, listSecurityInput.parse({}));
  // Two if a minute ends in between.
  expect([1, 2]).toContain(events.length);
  expect(events[0]).toMatchObject({ kind: 'rate_limited', reason: 'rate_limit_exceeded', address: '127.0.0.1' });
  expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect((await listSecurity(stranger.actor, listSecurityInput.parse({}))).events).toEqual([]);
});

describe.skipIf(!redisServer)('with a real Redis', () => {
  test('an account has one limit over all servers, and one of each server’s own while Redis is away', async () => {
    const port = await freePort();
    const redis = await startTestRedis(port);
    overrideEnv({ REDIS_URL: `redis://127.0.0.1:${port}` });
    onTestFinished(async () => {
      overrideEnv({ REDIS_URL: undefined });
      closeRedis();
      await redis.remove();
    });
    const someone = () => ({ kind: 'session', userId: randomUUID(), sessionId: '', identityId: null, role: null }) as const;
    const count = (actor: ReturnType<typeof someone>, calls: number) =>
      countCalls(actor, calls, { address: '192.0.2.1', requestId: 'r' }).then(
        () => 'passed',
        (error: { code: string }) => error.code,
      );
    /** The response of another server without local state, for an account that has used up its calls. */
    const onAnotherServer = async () => {
      const actor = someone();
      expect(await count(actor, callsPerMinute)).toBe('passed');
      forgetLimiter(sessionLimiterName);
      return count(actor, 1);
    };
    await expect.poll(onAnotherServer).toBe('rate_limit_exceeded');
    redis.process.kill('SIGKILL');
    await expect.poll(onAnotherServer).toBe('passed');
    const actor = someone();
    expect([await count(actor, callsPerMinute), await count(actor, 1)]).toEqual(['passed', 'rate_limit_exceeded']);
  });
});
