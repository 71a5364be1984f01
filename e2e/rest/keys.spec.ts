import { randomBytes } from 'node:crypto';
import { acceptedFor } from '../support/accepted-for';
import { expect, test } from '../support/api';

const refused = (code: string) => ({
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  body: { error: 'Unauthorized', message: 'Invalid or expired API key', code },
});

test('without a key, or with one that is none', async ({ api, tenant }) => {
  expect(await api.get('/identity', { key: null })).toMatchObject(refused('missing_key'));
  const wrong = `${tenant.key.slice(0, -1)}${tenant.key.endsWith('0') ? '1' : '0'}`;
  for (const Authorization of [
    'Bearer',
    'Bearer x',
    `Bearer ${wrong}`,
    `Bearer ${tenant.key}x`,
    `Bearer sk_test_${tenant.key.slice(8)}`,
    `Basic ${Buffer.from(`${tenant.key}:`).toString('base64')}`,
    tenant.key,
    `Bearer ${tenant.key} ${tenant.key}`,
    'Bearer null',
    `Bearer ${'x'.repeat(5_000)}`,
  ]) {
    expect(await api.get('/identity', { key: null, headers: { Authorization } })).toMatchObject(refused('invalid_key'));
  }
  for (const Authorization of [`bearer ${tenant.key}`, `BEARER  ${tenant.key}`]) {
    expect((await api.get('/identity', { key: null, headers: { Authorization } })).status).toBe(200);
  }
});

test('a key in the query or in another header is none', async ({ api, tenant }) => {
  for (const name of ['key', 'api_key', 'apiKey', 'access_token', 'authorization']) {
    expect(await api.get(`/identity?${name}=${tenant.key}`, { key: null })).toMatchObject(refused('missing_key'));
  }
  expect(await api.get('/identity', { key: null, headers: { 'X-Api-Key': tenant.key } })).toMatchObject(refused('missing_key'));
});

test('a session is no key', async ({ api, tenant, playwright, baseURL }) => {
  const browser = await playwright.request.newContext({ baseURL });
  const { csrfToken } = await (await browser.get('/api/auth/csrf')).json();
  const { email, password } = tenant.owner;
  await browser.post('/api/auth/callback/credentials', { form: { email, password, csrfToken, json: 'true' } });
  const { cookies } = await browser.storageState();
  await browser.dispose();
  expect(cookies.map(({ name }) => name)).toContain('frontdesk.session');
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(await api.get('/identity', { key: null, headers: { Cookie: cookie } })).toMatchObject(refused('missing_key'));
  expect((await api.get('/identity', { headers: { Cookie: cookie } })).status).toBe(200);
});

test('a key is no session', async ({ request, tenant }) => {
  const headers = { Authorization: `Bearer ${tenant.key}`, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await request.get('/api/trpc/identity.get?input=%7B%7D', { headers });
  expect(answer.status()).toBe(401);
  expect(await answer.json()).toMatchObject({ error: { data: { code: 'signed_out' } } });
});

test('an expired key says so, from the moment it expires', async ({ api, keys }) => {
  const expiresAt = new Date(Date.now() + 3_000);
  const { key } = await keys.create(expiresAt);
  await expect.poll(async () => (await api.get('/identity', { key })).status).toBe(401);
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  expect(await api.get('/identity', { key })).toMatchObject(refused('expired_key'));
});

test('a revoked key stops within one second, and no other does', async ({ api, keys }) => {
  const { id, key } = await keys.create();
  const read = () => api.get('/identity', { key });
  expect((await read()).status).toBe(200);
  await keys.revoke(id);
  expect(await acceptedFor(async () => (await read()).status === 200)).toBeLessThan(1_000);
  expect(await read()).toMatchObject(refused('revoked_key'));
  expect((await api.get('/identity')).status).toBe(200);
});

test('a key says what it is: sk_live_ and at least 32 random bytes', async ({ tenant }) => {
  expect(tenant.key).toMatch(/^sk_live_[0-9A-Za-z]{43,}$/);
});

test('X-Request-Id is the caller’s own where it is sane, else a new one', async ({ api }) => {
  const own = randomBytes(12).toString('hex');
  expect((await api.get('/identity', { headers: { 'X-Request-Id': own } })).headers['x-request-id']).toBe(own);
  const refusedAnswer = await api.get('/identity', { key: null, headers: { 'X-Request-Id': own } });
  expect(refusedAnswer.body.requestId).toBe(own);
  const made = new Set<string | undefined>();
  for (const insane of ['', 'has spaces in it', '<script>', 'x'.repeat(200)]) {
    made.add((await api.get('/identity', { headers: { 'X-Request-Id': insane } })).headers['x-request-id']);
  }
  expect(made.size).toBe(4);
  for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});
