import { afterEach, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { callsPerMinute, sessionLimiterName } from './session-limit';
import { forgetLimiter } from './shared-limiter';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

afterEach(() => forgetLimiter(sessionLimiterName));

const origin = { host: 'desk.example.com', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' };

/** Somebody's browser, and how it makes so many calls in one request; of operations that nobody has, since every call counts. */
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
