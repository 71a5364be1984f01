import { Agent, request } from 'node:http';
import { expect, test } from '../support/base-test';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { createDesk, type Desk } from '../support/own-installation';
import { programs, type ReverseProxy, startNginx } from '../support/reverse-proxy';

/** Behind the real nginx, set up as the README says, or nearly so. */

let installation: Installation;
let proxy: ReverseProxy | undefined;
let url = '';
let desk: Desk;

async function start(settings: Record<string, string>, changes: Record<string, string> = {}): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  installation = await startInstallation({ settings: { PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1', ...settings } });
  proxy = await startNginx(port, Number(new URL(installation.baseUrl).port), changes);
  desk = await createDesk(installation);
}

test.beforeEach(() => {
  // biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
  test.skip(!programs.nginx, 'nginx is not installed.');
});

test.afterEach(async () => {
  await proxy?.stop();
  await installation?.stop();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A browser at another address of this machine, with its cookies. */
function browserAt(localAddress: string) {
  const cookies = new Map<string, string>();
  const agent = new Agent({ keepAlive: true });
  return (method: string, path: string, more: { headers?: Record<string, string>; body?: string } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        Origin: url,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(more.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(more.body)) }),
        ...more.headers,
      };
      const outgoing = request(`${url}${path}`, { method, headers, localAddress, agent }, (answer) => {
        for (const cookie of answer.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          cookies.set(name, value);
        }
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : {} }));
      });
      outgoing.on('error', reject);
      outgoing.end(more.body);
    });
}

type Browser = ReturnType<typeof browserAt>;

async function signIn(browser: Browser, headers: Record<string, string> = {}): Promise<Answer> {
  const { csrfToken } = (await browser('GET', '/api/auth/csrf')).body;
  const form = { email: desk.email, password: desk.password, csrfToken: String(csrfToken), json: 'true' };
  return browser('POST', '/api/auth/callback/credentials', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

const identity = '/api/trpc/identity.get?input=%7B%7D';
const sessions = '/api/trpc/account.sessions?input=%7B%7D';

test('people sign in, and the server knows where they come from', async () => {
  await start({});
  const browser = browserAt('127.0.0.2');
  // Whoever says to come from elsewhere is believed as little as without a proxy.
  const signedIn = await signIn(browser, { 'X-Forwarded-For': '203.0.113.7' });
  expect(signedIn.status).toBe(200);
  expect(String(signedIn.body.url)).toContain(url);
  expect((await browser('GET', identity)).status).toBe(200);
  const { result } = (await browser('GET', sessions)).body as { result?: { data: { address: string }[] } };
  expect(result?.data.map(({ address }) => address)).toEqual(['127.0.0.2']);
  const page = await fetch(`${url}/sign-in`);
  expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, 'DENY']);
});

test('with PUBLIC_URL it does without the Host header', async () => {
  await start({}, { 'proxy_set_header Host $http_host;': '' });
  const browser = browserAt('127.0.0.2');
  expect((await signIn(browser)).status).toBe(200);
  expect((await browser('GET', identity)).status).toBe(200);
});

test('without either, the refusal says what to set', async () => {
  await start({ PUBLIC_URL: '' }, { 'proxy_set_header Host $http_host;': '' });
  const { host } = new URL(installation.baseUrl);
  const refused = await browserAt('127.0.0.2')('GET', identity);
  expect(refused).toMatchObject({ status: 403, body: { code: 'cross_origin' } });
  expect(refused.body.message).toBe(
    `The page is at ${url}, but PUBLIC_URL is not set and the Host header is ${host}. If this is the dashboard, set PUBLIC_URL=${url}, or let the reverse proxy pass on the Host header.`,
  );
  await expect.poll(installation.output).toContain('"level":40');
  expect(installation.output()).toContain(`set PUBLIC_URL=${url}`);
});
