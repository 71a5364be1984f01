import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { openRaw } from '@/server/testing/raw-http';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

withFreshDatabase();
const call = withHttpServer();

/** The whole response to a literal request; the connection is closed after it. */
function answerTo(head: string): Promise<string> {
  return openRaw(call.port(), `${head}\nConnection: close\n\n`).closed();
}

describe('an absolute target (RFC 9112, section 3.2.2)', () => {
  test.each([
    ['/api/v1/identity', 401],
    ['/api/v1/openapi.json', 200],
    ['/api/trpc/identity.get', 401],
    ['/api/trpc/setup.status?input=%7B%22token%22%3A%22%22%7D', 200],
    ['/api/auth/csrf', 200],
    ['/api/mail/attachments/x', 404],
    ['/api/calendar/x.ics', 404],
    ['/blog/nobody', 404],
    ['/rsvp/nobody', 404],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/customers?page=2', 418],
    ['', 418],
    ['?x', 418],
  ])('of %j is answered like its path', async (path, status) => {
    for (const scheme of ['http', 'https', 'HTTP']) {
      const answer = await answerTo(`GET ${scheme}://desk.example.com:8080${path} HTTP/1.1\nHost: desk.example.com:8080`);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  test('says which host is meant, whatever Host says', async () => {
    const cookie = await sessionCookieOf(await createTestIdentity());
    const from = (site: string, host: string) =>
      answerTo(
        `GET http://desk.example.com/api/trpc/account.get?input=%7B%7D HTTP/1.1\nHost: ${host}\nOrigin: ${site}\nCookie: ${cookie}`,
      );
    expect(await from('http://desk.example.com', 'other.example')).toMatch(/^HTTP\/1.1 200 /);
    expect(await from('http://other.example', 'other.example')).toMatch(/^HTTP\/1.1 403 /);
  });

  test.each([
    'http://',
    'http:///x',
    'http://[::1/api/v1',
    'http://user:password@desk.example.com/',
    'http://a b/',
    'ftp://desk.example.com/',
    'urn:x',
    'x',
    'desk.example.com:443',
    '?x',
    '*',
    '*x',
  ])('that is none is a bad request: %s', async (target) => {
    expect(await answerTo(`GET ${target} HTTP/1.1\nHost: x`)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('Host', () => {
  test('is given once', async () => {
    for (const path of ['/', '/api/v1/identity', '/healthz']) {
      const answer = await answerTo(`GET ${path} HTTP/1.1\nHost: a.example\nhost: b.example`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('more than one Host');
      expect(await answerTo(`GET ${path} HTTP/1.1\nHost: a.example\nHost: a.example`)).toMatch(/^HTTP\/1.1 400 /);
    }
  });

  test('is given at all, from HTTP/1.1 on', async () => {
    expect(await answerTo('GET /healthz HTTP/1.1\nAccept: */*')).toMatch(/^HTTP\/1.1 400 /);
    expect(await answerTo('GET /healthz HTTP/1.0\nAccept: */*')).toMatch(/^HTTP\/1.1 200 /);
    expect(await answerTo('GET /healthz HTTP/2.0\nHost: x')).toMatch(/^HTTP\/1.1 400 /);
    expect(await answerTo('GET /healthz HTTP/1.1\nHost:')).toMatch(/^HTTP\/1.1 200 /);
  });

  test('is a host', async () => {
    for (const host of ['a b', 'a/b', 'user@a', 'http://a', 'a:port', '[::1', 'a?b', 'a:99999'])
      expect([host, await answerTo(`GET /healthz HTTP/1.1\nHost: ${host}`)]).toEqual([
        host,
        expect.stringMatching(/^HTTP\/1.1 400 /),
      ]);
    for (const host of ['localhost', 'desk.example.com:443', '[::1]:3000', '127.0.0.1', 'xn--bcher-kva.example', 'my_host'])
      expect([host, await answerTo(`GET /healthz HTTP/1.1\nHost: ${host}`)]).toEqual([
        host,
        expect.stringMatching(/^HTTP\/1.1 200 /),
      ]);
  });
});

describe('methods', () => {
  test('OPTIONS of the server as a whole says what there is', async () => {
    const answer = await answerTo('OPTIONS * HTTP/1.1\nHost: x');
    expect(answer).toMatch(/^HTTP\/1.1 204 /);
    expect(answer).toContain('\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n');
  });

  test.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/customers', 'GET, HEAD, OPTIONS'],
    ['/api/v1/identity', 'GET, PATCH, HEAD, OPTIONS'],
    ['/api/trpc/identity.get', 'GET, HEAD, POST, OPTIONS'],
    ['/api/auth/csrf', 'GET, HEAD'],
    ['/api/mail/attachments/x', 'GET, HEAD'],
    ['/blog/nobody', 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/readyz', 'GET, HEAD, OPTIONS'],
    ['/rsvp/x', 'GET, HEAD, POST'],
    ['/api/calendar/x.ics', 'GET, HEAD'],
  ])('TRACE and others of %s are refused with what there is', async (path, allow) => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const answer = await answerTo(`${method} ${path} HTTP/1.1\nHost: x`);
      expect(answer).toMatch(/^HTTP\/1.1 405 /);
      expect(/\r\nAllow: ([^\r]*)\r\n/i.exec(answer)?.[1]?.split(', ')).toEqual(expect.arrayContaining(allow.split(', ')));
    }
  });

  test('CONNECT is refused, for this is no proxy', async () => {
    const answer = await answerTo('CONNECT elsewhere.example:443 HTTP/1.1\nHost: elsewhere.example:443');
    expect(answer).toMatch(/^HTTP\/1.1 405 .*\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/s);
    expect(answer).toContain('"code":"method_not_allowed"');
  });

  test('CONNECT behind a request that is still being answered is not its answer', async () => {
    const first = 'GET /api/v1/identity HTTP/1.1\nHost: x\n\n';
    expect(await answerTo(`${first}CONNECT elsewhere.example:443 HTTP/1.1\nHost: elsewhere.example:443`)).not.toContain(' 405 ');
  });

  test('a page takes nothing that is sent to it', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await call(method, '/customers', { body: 'x' })).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed' },
      });
    }
    expect(await call('OPTIONS', '/customers')).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect((await call('HEAD', '/customers')).status).toBe(418);
  });
});
