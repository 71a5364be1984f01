import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import * as customerService from '@/server/features/customers/customer.service';
import { pool } from '@/server/platform/db/pool';
import { env, overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { type Answer, withHttpServer } from '@/server/testing/rest';
import { closeBurstLimit } from './burst-limit';

vi.mock('@/server/features/customers/customer.service', { spy: true });

withFreshDatabase();
const call = withHttpServer();

afterEach(() => {
  vi.mocked(customerService.listCustomers).mockReset();
});

const list = (key: string) => call('GET', '/api/v1/identity/customers', { key });

async function usedBy(apiKeyId: string): Promise<number> {
  const { rows } = await pool().query<{ requests: number }>('SELECT requests FROM api_key_daily_usage WHERE api_key_id = $1', [
    apiKeyId,
  ]);
  return rows[0]?.requests ?? 0;
}

/** Sets this key's request count of today. */
async function use(apiKeyId: string, requests: number): Promise<void> {
  await pool().query(
    `INSERT INTO api_key_daily_usage (api_key_id, day, requests) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)
      ON CONFLICT (api_key_id, day) DO UPDATE SET requests = $2`,
    [apiKeyId, requests],
  );
}

function nextUtcMidnight(): number {
  return Math.floor(Date.now() / 86_400_000 + 1) * 86_400;
}

function limits({ headers }: Answer) {
  return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']];
}

describe('the daily limit', () => {
  test('of the free plan lets exactly 100 of 300 simultaneous requests pass', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    const answers = await Promise.all(Array.from({ length: 300 }, () => list(key)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200);
    const remaining = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(100);
  });

  test.each([
    ['free', 100],
    ['solopreneur', 1_000],
    ['small_business', 10_000],
  ] as const)('of %s is %d, told with every answer', async (plan, limit) => {
    const { key } = await createTestIdentity({ plan });
    for (const [used, [method, path, status]] of (
      [
        ['GET', '/api/v1/identity', 200],
        ['GET', '/api/v1/identity/customers/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', 404],
        ['GET', '/api/v1/identity/customers?limit=x', 400],
        ['GET', '/api/v1/nothing/here', 404],
        ['DELETE', '/api/v1/identity', 405],
        ['GET', '/api/v1/identity?identityId=x', 403],
        ['POST', '/api/v1/identity/customers', 400],
        ['GET', '/api/v1/identity/customers/%zz', 400],
      ] as const
    ).entries()) {
      const answer = await call(method, path, { key });
      expect([path, answer.status]).toEqual([path, status]);
      expect(limits(answer), path).toEqual([String(limit), String(limit - used - 1), String(nextUtcMidnight())]);
    }
  });

  test('that is reached is told in full', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'solopreneur' });
    await use(apiKeyActor.apiKeyId, 1_000);
    const answer = await list(key);
    const reset = nextUtcMidnight();
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: 'Rate limit exceeded',
      message: 'The plan Solopreneur allows 1000 requests a day and key.',
      code: 'rate_limit_exceeded',
      requestId: answer.headers['x-request-id'],
      details: { limit: 1_000, remaining: 0, resetAt: new Date(reset * 1000).toISOString(), plan: 'Solopreneur' },
    });
    expect(limits(answer)).toEqual(['1000', '0', String(reset)]);
    const retryAfter = Number(answer.headers['retry-after']);
    expect(Math.abs(retryAfter - (reset - Date.now() / 1000))).toBeLessThan(5);
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(1_000);
  });

  test('is over with the UTC day', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    await use(apiKeyActor.apiKeyId, 100);
    expect((await list(key)).status).toBe(429);
    await pool().query('UPDATE api_key_daily_usage SET day = day - 1 WHERE api_key_id = $1', [apiKeyActor.apiKeyId]);
    expect(limits(await list(key))[1]).toBe('99');
  });

  test('is each key’s own', async () => {
    const { key, actor, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    const other = await createApiKey(actor, { name: 'Other', expiresAt: null });
    await use(apiKeyActor.apiKeyId, 100);
    expect((await list(key)).status).toBe(429);
    expect((await list(other.key)).status).toBe(200);
  });

  test('does not count what was our own fault', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    vi.mocked(customerService.listCustomers).mockRejectedValue(new Error('select * from secrets'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => list(key)));
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({
        error: 'Internal server error',
        message: expect.any(String),
        code: 'internal_error',
        requestId: answer.headers['x-request-id'],
      });
      expect(answer.text).not.toContain('secrets');
      expect(limits(answer)[0]).toBe('100');
    }
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(0);
  });

  test('does not count what the database was not there for', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    vi.mocked(customerService.listCustomers).mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    const answer = await list(key);
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { error: 'Service unavailable', code: 'unavailable' },
    });
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(0);
  });

  test('does not count what the client has already, however much of it comes at once', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    const { headers } = await list(key);
    const read = (tag: string | undefined) =>
      call('GET', '/api/v1/identity/customers', { key, headers: { 'if-none-match': tag ?? '' } });
    for (let n = 0; n < 3; n++) {
      expect(limits(await read(headers.etag))).toEqual(['100', '99', String(nextUtcMidnight())]);
    }
    // Fifty are new to the client. Those that find a hundred being answered are refused, and count no more than the unchanged.
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => read(n % 6 === 0 ? '"seen-long-ago"' : headers.etag)),
    );
    const statuses = answers.map(({ status }) => status);
    // A busy machine turns some away, which count as little.
    expect(statuses.filter((status) => ![200, 304, 429, 503].includes(status))).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining([200, 304]));
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(1 + statuses.filter((status) => status === 200).length);
    for (const answer of answers) expect(Number(limits(answer)[1])).toBeLessThanOrEqual(99);
  });

  test('that is reached is that of conditional requests, too, which need a request left to be answered', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    const { headers } = await list(key);
    const read = () => call('GET', '/api/v1/identity/customers', { key, headers: { 'if-none-match': headers.etag ?? '' } });
    await use(apiKeyActor.apiKeyId, 99);
    expect(await read()).toMatchObject({ status: 304, headers: { 'x-ratelimit-remaining': '1' } });
    await use(apiKeyActor.apiKeyId, 100);
    expect(await read()).toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining': '0' } });
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(100);
  });

  test('does not exist on the plan enterprise, and no header speaks of one', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'enterprise' });
    const answers = await Promise.all(Array.from({ length: 150 }, () => list(key)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(Object.keys(answers[0]?.headers ?? {}).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    expect(await usedBy(apiKeyActor.apiKeyId)).toBe(0);
  });
});

describe('a limit on bursts', () => {
  test('sends away what comes too fast, without counting it for the day', async () => {
    const { key, apiKeyActor } = await createTestIdentity({ plan: 'free' });
    const other = await createTestIdentity({ plan: 'free' });
    const before = env().RATE_LIMIT_BURST_PER_SECOND;
    closeBurstLimit();
    overrideEnv({ RATE_LIMIT_BURST_PER_SECOND: 3 });
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => list(key)));
      const passed = answers.filter(({ status }) => status === 200).length;
      expect(passed).toBeGreaterThanOrEqual(3);
      expect(passed).toBeLessThan(20);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused).toMatchObject({
        headers: { 'retry-after': '1', 'x-ratelimit-limit': '100' },
        body: { code: 'rate_limit_exceeded', details: { limit: 3, remaining: 0, plan: 'Free' } },
      });
      expect(await usedBy(apiKeyActor.apiKeyId)).toBe(passed);
      expect((await list(other.key)).status).toBe(200);
    } finally {
      closeBurstLimit();
      overrideEnv({ RATE_LIMIT_BURST_PER_SECOND: before });
    }
  });
});
