import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { openRaw } from '@/server/testing/raw-http';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

/** Handling of bodies from unauthenticated callers: unread, or read with a small limit. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com', INBOUND_SECRET: 'a-secret-of-the-mail-server' });
const call = withHttpServer();

const origin = { host: 'desk.example.com', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' };
const mebibyte = 1024 * 1024;

/** The head of a request that announces a large body, which is never sent. */
function head(path: string, length: number, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ 'content-type': 'application/json', ...origin, ...headers, 'content-length': String(length) });
  return `POST ${path} HTTP/1.1\n${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
}

describe('a large body of no one known is answered before a byte of it has come', () => {
  test.each([
    ['/api/trpc/blog.uploadImage', 401, '"code":"signed_out"'],
    ['/api/trpc/customers.create?batch=1', 401, '"code":"signed_out"'],
    ['/api/trpc/nothing.here', 404, '"code":"not_found"'],
    ['/api/trpc/identity.get', 405, '"code":"method_not_allowed"'],
    ['/api/trpc/setup.complete', 413, '"code":"payload_too_large"'],
    ['/api/auth/callback/credentials', 413, '"code":"payload_too_large"'],
    ['/api/auth/signout', 413, '"code":"payload_too_large"'],
    ['/api/v1/blog/images', 401, '"code":"missing_key"'],
    ['/api/inbound/email', 401, '"code":"missing_key"'],
    ['/customers', 405, '"code":"method_not_allowed"'],
  ])('POST %s: %d', async (path, status, body) => {
    const stranger = openRaw(call.port(), head(path, 13 * mebibyte));
    const answer = await stranger.received(/[}\]]$/);
    stranger.socket.destroy();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(body);
  });

  test('with a forged session or key too', async () => {
    const forged = { cookie: '__Host-frontdesk.session=forged', authorization: 'Bearer sk_live_forged' };
    for (const path of ['/api/trpc/blog.uploadImage', '/api/v1/blog/images', '/api/inbound/email']) {
      const stranger = openRaw(call.port(), head(path, 13 * mebibyte, forged));
      expect(await stranger.received(/[}\]]$/)).toMatch(/^HTTP\/1.1 401 /);
      stranger.socket.destroy();
    }
  });

  test('who waits to be asked for the body is not asked', async () => {
    const stranger = openRaw(call.port(), head('/api/v1/blog/images', 13 * mebibyte, { expect: '100-continue' }));
    const answer = await stranger.closed();
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    const { key } = await createTestIdentity();
    const json = JSON.stringify({ contacts: [{ email: 'ann@x.io' }] });
    const known = { expect: '100-continue', authorization: `Bearer ${key}` };
    const client = openRaw(call.port(), head('/api/v1/identity/customers', json.length, known));
    expect(await client.received(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(json);
    expect(await client.received(/\}$/)).toContain('HTTP/1.1 201 Created');
    client.socket.destroy();
  });
});

describe('16 kB are read of anyone', () => {
  const sizes = [
    [16 * 1024, 400],
    [16 * 1024 + 1, 413],
  ] as const;

  test.each(sizes)('setting up: %d bytes are %d', async (size, status) => {
    const headers = { ...origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ token: '' }).replace('""', `"${'x'.repeat(size - 12)}"`);
    expect((await call('POST', '/api/trpc/setup.complete', { headers, body })).status).toBe(status);
  });

  test.each(sizes)('signing in: %d bytes are %d, announced or not', async (size, status) => {
    const body = 'x'.repeat(size);
    for (const encoding of [{}, { 'transfer-encoding': 'chunked' }]) {
      const headers = { ...origin, 'content-type': 'application/json', ...encoding };
      expect((await call('POST', '/api/auth/callback/credentials', { headers, body })).status).toBe(status);
    }
  });
});

describe('signing in with what no form sends', () => {
  const post = (body: string, type = 'application/json', path = 'callback/credentials') =>
    call('POST', `/api/auth/${path}`, { headers: { ...origin, 'content-type': type }, body });

  test.each(['{', '', 'null', '[]', '"x"', '1', '{"email":1}', '{"email":{"a":1}}', '{"csrfToken":[]}', '\xff'])(
    'JSON %j is a bad request',
    async (body) => {
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid request', code: 'invalid_request' } });
      expect(answer.text).not.toMatch(/SyntaxError|Unexpected/);
    },
  );

  test('names the fields that are no text', async () => {
    expect((await post('{"email":1,"password":"x","csrfToken":null}')).body).toMatchObject({
      details: { fields: { email: 'must be text', csrfToken: 'must be text' } },
    });
  });

  test('another type of body is not read', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', '']) expect((await post('a=b', type)).status).toBe(415);
  });

  test('an address to lead back to that is none is left out', async () => {
    const csrf = await call('GET', '/api/auth/csrf', { headers: origin });
    const { csrfToken } = csrf.body as { csrfToken: string };
    for (const address of [':::', 'nonsense', '//', 'javascript:alert(1)', '/\\evil.example', '\0']) {
      const cookie = `${csrf.cookies[0]?.split(';')[0]}; __Host-frontdesk.callback=${encodeURIComponent(address)}`;
      const path = `/api/auth/callback/credentials?callbackUrl=${encodeURIComponent(address)}`;
      const fields = { csrfToken, callbackUrl: address, email: 'a@b.io', password: 'x', json: 'true' };
      const headers = { ...origin, cookie, 'x-forwarded-for': '192.0.2.77' };
      const answer = await call('POST', path, { headers, json: fields });
      expect([address, answer.status]).toEqual([address, 401]);
      expect((await call('GET', `/api/auth/csrf?callbackUrl=${encodeURIComponent(address)}`, { headers })).status).toBe(200);
    }
  });

  test('hosts that are none lead to no fault', async () => {
    for (const forwarded of ['a b', 'x:y:z', '', '[', 'evil.example/x']) {
      const headers = { ...origin, 'x-forwarded-host': forwarded, 'x-forwarded-proto': 'gopher' };
      expect((await call('GET', '/api/auth/csrf', { headers })).status).toBe(200);
    }
  });

  test.each([
    ['POST', '_log', 404],
    ['POST', 'session', 405],
    ['GET', 'callback/credentials', 405],
    ['GET', 'verify-request', 404],
    ['POST', 'callback/github', 404],
    ['DELETE', 'session', 405],
    ['GET', '', 404],
    ['GET', '__proto__', 404],
    ['TRACE', 'csrf', 405],
    ['HEAD', 'csrf', 200],
  ])('%s /api/auth/%s: %d', async (method, action, status) => {
    const answer = await call(method, `/api/auth/${action}`, { headers: origin });
    expect(answer.status).toBe(status);
    if (status === 405) expect(answer.headers.allow).toMatch(/^(GET|POST)/);
  });
});

describe('a body of nothing but values is refused unparsed', () => {
  const values = '[],'.repeat(mebibyte / 4);
  const body = `{"company":[${values}0]}`;

  test('over REST and from the dashboard', async () => {
    const identity = await createTestIdentity();
    const refused = { status: 400, body: { code: 'invalid_request', message: expect.stringContaining('names and values') } };
    const type = { 'content-type': 'application/json' };
    expect(await call('POST', '/api/v1/identity/customers', { key: identity.key, headers: type, body })).toMatchObject(refused);
    const headers = { ...origin, ...type, cookie: await sessionCookieOf(identity) };
    expect(await call('POST', '/api/trpc/customers.create', { headers, body })).toMatchObject(refused);
  });
});
