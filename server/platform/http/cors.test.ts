import { describe, expect, test } from 'vitest';
import { renewFeed } from '@/server/features/calendar/feed.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

/** What cross-origin pages may do: everything their key allows over REST, and reading public feeds. */

withFreshDatabase({ INBOUND_SECRET: 'a-secret-of-the-mail-server' });
const call = withHttpServer();

const origin = 'https://shop.example';
const preflight = (method: string) => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization',
});
const listOf = (header: string | undefined) => (header ?? '').split(', ');

function expectOpen(headers: Record<string, string | undefined>): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
}

describe('the REST API', () => {
  test('tells browsers before a request what it may be', async () => {
    const { status, headers, text } = await call('OPTIONS', '/api/v1/identity', { headers: preflight('PATCH') });
    expect([status, text]).toEqual([204, '']);
    expectOpen(headers);
    expect(listOf(headers['access-control-allow-methods'])).toEqual(['GET', 'PATCH', 'HEAD', 'OPTIONS']);
    expect(listOf(headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match']),
    );
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
  });

  test('lets the request itself hear that there is nothing', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1', '/api/v1/identity/customers/1/2/3']) {
      const answer = await call('OPTIONS', path, { headers: preflight('GET') });
      expect(answer.status).toBe(204);
      expectOpen(answer.headers);
      const missing = await call('GET', path, { headers: { origin } });
      expect(missing.status).toBe(404);
      expectOpen(missing.headers);
    }
    expect((await call('OPTIONS', '/api/v1/nothing')).status).toBe(404);
  });

  test('shows answers of every kind, with the headers that say what to do next', async () => {
    const { key } = await createTestIdentity();
    const answers = [
      await call('GET', '/api/v1/identity', { key, headers: { origin } }),
      await call('GET', '/api/v1/identity', { headers: { origin } }),
      await call('GET', '/api/v1/identity?identityId=x', { key, headers: { origin } }),
      await call('POST', '/api/v1/identity/customers', { key, headers: { origin }, json: { contacts: 1 } }),
      await call('DELETE', '/api/v1/identity/customers', { key, headers: { origin } }),
      await call('GET', '/api/v1/openapi.json', { headers: { origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 400, 405, 200]);
    for (const { headers } of answers) {
      expectOpen(headers);
      expect(listOf(headers['access-control-expose-headers'])).toEqual(
        expect.arrayContaining(['ETag', 'Link', 'Location', 'Retry-After', 'X-RateLimit-Remaining', 'X-Request-Id']),
      );
    }
  });

  test('costs no request of the key to ask', async () => {
    const { key } = await createTestIdentity();
    const left = async () => (await call('GET', '/api/v1/identity', { key })).headers['x-ratelimit-remaining'];
    const before = Number(await left());
    await call('OPTIONS', '/api/v1/identity', { headers: preflight('GET') });
    expect(Number(await left())).toBe(before - 1);
  });
});

test('feeds may be read by any page', async () => {
  const { actor } = await createTestIdentity();
  const { url } = await renewFeed(actor);
  const calendar = new URL(url ?? '').pathname;
  for (const path of [
    calendar,
    '/api/calendar/none.ics',
    '/blog/nobody/feed.xml',
    '/blog/nobody/atom.xml',
    '/blog/nobody/feed.json',
  ]) {
    for (const method of ['GET', 'HEAD']) expectOpen((await call(method, path, { headers: { origin } })).headers);
    const asked = await call('OPTIONS', path, { headers: preflight('GET') });
    expect(asked.status).toBe(204);
    expectOpen(asked.headers);
    expect(asked.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'If-None-Match',
    });
  }
});

test('nothing else is open to other sites', async () => {
  for (const path of [
    '/api/trpc/identity.get',
    '/api/auth/session',
    '/api/mail/attachments/x',
    '/api/inbound/email',
    '/blog/nobody',
    '/blog/nobody/a/feed.xml',
    '/rsvp/x',
    '/',
    '/healthz',
  ]) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await call(method, path, { headers: preflight('GET') });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  }
});

describe('compressed bodies', () => {
  test('are refused with what is read instead, wherever a body is read', async () => {
    const { key } = await createTestIdentity();
    const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    for (const path of ['/api/v1/identity/customers', '/api/v1/blog/images', '/api/auth/callback/credentials']) {
      const answer = await call('POST', path, { key, headers: gzip, body: 'not even gzip' });
      expect(answer).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } });
      expect(answer.text).toContain('without Content-Encoding');
    }
    const mail = { 'content-encoding': 'gzip', authorization: 'Bearer a-secret-of-the-mail-server' };
    expect((await call('POST', '/api/inbound/email?recipient=a@b.io', { headers: mail, body: 'x' })).status).toBe(415);
    const form = { ...gzip, 'content-type': 'application/x-www-form-urlencoded' };
    expect(await call('POST', '/rsvp/x', { headers: form, body: 'x' })).toMatchObject({
      status: 415,
      headers: { 'accept-encoding': 'identity' },
    });
    const json = { contacts: [{ email: 'ann@x.io' }] };
    const plain = await call('POST', '/api/v1/identity/customers', { key, headers: { 'content-encoding': 'identity' }, json });
    expect(plain.status).toBe(201);
  });
});
