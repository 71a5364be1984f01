import { acceptedFor } from '../support/accepted-for';
import { Api, expect, test } from '../support/api';
import { operator } from '../support/operator';

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

function nextUtcMidnight(): number {
  return Math.floor(Date.now() / 86_400_000 + 1) * 86_400;
}

test('of 300 requests at the same time, the free plan lets exactly 100 pass', async ({ request, contract, createTenant }) => {
  const api = new Api(request, contract, await createTenant({ plan: 'free' }));
  const answers = await Promise.all(Array.from({ length: 300 }, () => api.get('/identity/customers')));
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(100);
  const remaining = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, i) => i));
  const refused = answers.filter(({ status }) => status !== 200);
  const reset = nextUtcMidnight();
  for (const { status, headers, body } of refused) {
    expect(status).toBe(429);
    expect(names.map((name) => headers[name])).toEqual(['100', '0', String(reset)]);
    expect(body).toMatchObject({
      error: 'Rate limit exceeded',
      message: expect.any(String),
      code: 'rate_limit_exceeded',
      details: { limit: 100, remaining: 0, resetAt: new Date(reset * 1000).toISOString(), plan: 'Free' },
    });
    expect(Math.abs(Number(headers['retry-after']) - (reset - Date.now() / 1000))).toBeLessThan(60);
  }
});

test('the limit is told with every answer to a key, whatever it says; refusals of the key itself tell none', async ({
  request,
  contract,
  createTenant,
}) => {
  const api = new Api(request, contract, await createTenant({ plan: 'solopreneur' }));
  const answers = [
    await api.get('/identity'),
    await api.get('/identity/customers?limit=x'),
    await api.get('/identity/customers/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50'),
    await api.get('/nothing/here'),
    await api.get('/identity/customers/%zz'),
    await api.call('DELETE', '/identity'),
    await api.get('/identity?identityId=x'),
    await api.call('POST', '/identity/customers', { raw: '{' }),
    await api.call('POST', '/identity/customers', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 404, 400, 405, 403, 400, 415]);
  for (const [used, { headers }] of answers.entries()) {
    expect(names.map((name) => headers[name])).toEqual(['1000', String(999 - used), String(nextUtcMidnight())]);
  }
  const { headers } = await api.get('/identity', { key: null });
  expect(names.map((name) => headers[name])).toEqual([undefined, undefined, undefined]);
});

test('the plan enterprise has no limit and sends no header; a change of plan counts within a second', async ({ api, tenant }) => {
  const { headers } = await api.get('/identity');
  expect(names.map((name) => headers[name])).toEqual([undefined, undefined, undefined]);
  expect(await operator('identity', 'set-plan', '--handle', tenant.handle, '--plan', 'small_business')).toMatchObject({
    plan: 'small_business',
  });
  const limit = async () => (await api.get('/identity')).headers['x-ratelimit-limit'];
  expect(await acceptedFor(async () => (await limit()) === undefined)).toBeLessThan(1_000);
  expect(await limit()).toBe('10000');
});
