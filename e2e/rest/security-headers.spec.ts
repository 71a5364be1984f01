import { connect } from 'node:net';
import { type Installation, startInstallation } from '../support/installation';
import { expect, test } from '../support/test';

/** Whatever is asked for, and whoever answers it: the API, Next.js, its files, or Node itself. */

interface Raw {
  status: number;
  headers: Map<string, string[]>;
}

/** Sends bytes as they are; `fetch` would tidy up the path. */
function ask(baseURL: string, text: string): Promise<Raw> {
  const { hostname, port } = new URL(baseURL);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = ''] = received.split('\r\n\r\n');
      const [status = '', ...lines] = head.split('\r\n');
      const headers = new Map<string, string[]>();
      for (const line of lines) {
        const name = line.slice(0, line.indexOf(':')).toLowerCase();
        headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(':') + 1).trim()]);
      }
      resolve({ status: Number(status.split(' ')[1]), headers });
    });
  });
}

const get = (path: string, method = 'GET', more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: desk.example\r\nConnection: close\r\n${more}\r\n`;

const post = 'POST /api/v1/customers HTTP/1.1\r\nHost: desk.example\r\nConnection: close\r\n';

const requests: [string, string, number[]][] = [
  ['a page', get('/sign-in'), [200]],
  ['a page for people who are signed in', get('/inbox'), [307]],
  ['no page', get('/nothing'), [404]],
  ['no page, deep down', get('/_next/nothing'), [404]],
  ['no data of a page', get('/_next/data/x/inbox.json'), [404]],
  ['no static file', get('/_next/static/nothing.js'), [404]],
  ['a static file with a bad name', get('/_next/static/%ff'), [400, 404]],
  ['no picture to be made smaller', get('/_next/image?url=%2Fx.png&w=64&q=75'), [400, 404]],
  ['a file', get('/icon.svg'), [200]],
  ['robots.txt', get('/robots.txt'), [200]],
  ['no favicon', get('/favicon.ico'), [404]],
  ['no vendor file', get('/vendor/nothing.js'), [404]],
  ['a slash too many', get('/inbox/'), [308]],
  ['two slashes', get('//inbox'), [308]],
  ['a path that is no text', get('/%ff'), [400, 404]],
  ['a path with a zero', get('/a%00b'), [400, 404]],
  ['a path that goes up', get('/x/../../etc/passwd'), [307, 308, 400, 404]],
  ['another method for a page', get('/sign-in', 'DELETE'), [405]],
  ['another method for a file', get('/icon.svg', 'POST', 'Content-Length: 0\r\n'), [404, 405]],
  ['sign-in', get('/api/auth/csrf'), [200]],
  ['no part of sign-in', get('/api/auth/nothing'), [400, 404]],
  ['the API without a key', get('/api/v1/identity'), [401]],
  ['no operation', get('/api/v1/nothing'), [404]],
  ['the document', get('/api/v1/openapi.json'), [200]],
  ['tRPC for nobody', get('/api/trpc/identity.get'), [401]],
  ['a file of a mail for nobody', get('/api/mail/attachments/x'), [401, 404]],
  ['the way in for mail', get('/api/inbound/email', 'POST', 'Content-Length: 0\r\n'), [401, 404]],
  ['no calendar', get('/api/calendar/x.ics'), [404]],
  ['no invitation', get('/rsvp/x'), [404]],
  ['no blog', get('/blog/nobody'), [404]],
  ['the reference', get('/docs'), [200]],
  ['the state', get('/healthz'), [200]],
  ['readiness', get('/readyz'), [200]],
  ['an upgrade', get('/sign-in').replace('Connection: close', 'Connection: close, Upgrade\r\nUpgrade: h2c'), [200]],
  ['a method nobody knows', get('/', 'FROBNICATE'), [400]],
  ['no HTTP', 'nonsense\r\n\r\n', [400]],
  ['headers without end', get('/', 'GET', `X: ${'x'.repeat(20_000)}\r\n`), [431]],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', [400]],
  [
    'a chunk with endless extensions',
    `${post}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
    [413],
  ],
  ['two hosts', get('/', 'GET', 'Host: other.example\r\n'), [400]],
  ['an expectation nobody can meet', get('/', 'GET', 'Expect: the-unexpected\r\n'), [200, 307]],
];

/** Looks at what every answer must have. @param https whether browsers come by https */
function expectGuarded({ headers }: Raw, https: boolean): void {
  const one = (name: string) => {
    expect([name, headers.get(name)?.length]).toEqual([name, 1]);
    return headers.get(name)?.[0] ?? '';
  };
  expect(one('x-content-type-options')).toBe('nosniff');
  expect(one('referrer-policy')).toMatch(/^(no-referrer|strict-origin-when-cross-origin)$/);
  expect(one('cross-origin-resource-policy')).toMatch(/^(same-origin|cross-origin)$/);
  const policy = one('content-security-policy');
  expect(policy).toMatch(/^default-src '(none|self)'/);
  expect(policy).toContain("frame-ancestors 'none'");
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
  expect(scripts).toMatch(/^$|^'self' 'nonce-[\w+/=]{24}' 'strict-dynamic'$/);
  if (headers.get('content-type')?.[0]?.startsWith('text/html')) expect(one('cross-origin-opener-policy')).toBe('same-origin');
  for (const name of ['server', 'x-powered-by', 'access-control-allow-credentials']) expect(headers.has(name)).toBe(false);
  expect(one('x-request-id')).not.toBe('');
  expect(headers.get('strict-transport-security')).toEqual(https ? ['max-age=31536000'] : undefined);
}

for (const [what, text, statuses] of requests) {
  test(`${what} is sent with the headers that guard it`, async ({ baseURL }) => {
    const answer = await ask(baseURL ?? '', text);
    expect(statuses).toContain(answer.status);
    expectGuarded(answer, false);
  });
}

test.describe('where browsers come by https', () => {
  let installation: Installation;

  test.beforeAll(async () => {
    installation = await startInstallation({ settings: { PUBLIC_URL: 'https://desk.example' } });
  });

  test.afterAll(() => installation?.stop());

  test('everything is sent with the same headers, and keeps them to it', async () => {
    for (const [what, text, statuses] of requests) {
      await test.step(what, async () => {
        const answer = await ask(installation.baseUrl, text);
        expect(statuses).toContain(answer.status);
        expectGuarded(answer, true);
      });
    }
  });
});
