import { connect, type Socket } from 'node:net';
import { expect, test } from '../support/base-test';
import { type Installation, startInstallation } from '../support/installation';
import { startKeepAliveLoad } from '../support/keep-alive-load';
import { createDesk } from '../support/own-installation';

/** A server that is told to stop, whatever its clients do at that moment. */

let installation: Installation;

test.beforeEach(async () => {
  installation = await startInstallation();
});

test.afterEach(async () => {
  await installation?.stop();
});

interface RawClient {
  socket: Socket;
  received(): string;
}

async function rawClient(): Promise<RawClient> {
  const { hostname, port } = new URL(installation.baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, received: () => text };
}

/** A request that offers to go on in another protocol, as curl (`--http2`), Java's HttpClient and browsers do. */
function upgrading(path: string, protocol: 'h2c' | 'websocket', body = ''): string {
  const lines = [
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    `Host: ${new URL(installation.baseUrl).host}`,
    ...(protocol === 'h2c'
      ? [
          'Connection: Upgrade, HTTP2-Settings',
          'Upgrade: h2c',
          'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
        ]
      : [
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ]),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Says that the process has ended, and how long that took, in milliseconds. */
async function terminate(): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  const exited = new Promise<number | null>((resolve) => installation.process.once('exit', resolve));
  installation.process.kill('SIGTERM');
  return { code: await exited, ms: performance.now() - startedAt };
}

test('a request that offers an upgrade is answered like any other, and holds no one up', async ({ request }) => {
  // With its first page, Next.js looks for a server to listen to.
  expect((await request.get(`${installation.baseUrl}/sign-in`)).status()).toBe(200);
  const requests: [string, RegExp][] = [];
  for (const protocol of ['h2c', 'websocket'] as const) {
    requests.push(
      [upgrading('/sign-in', protocol), /^HTTP\/1\.1 200 /],
      [upgrading('/_next/hmr', protocol), /^HTTP\/1\.1 404 /],
      [upgrading('/', protocol), /^HTTP\/1\.1 307 /],
      [upgrading('/healthz', protocol), /^HTTP\/1\.1 200 /],
      [upgrading('/api/v1/identity', protocol), /^HTTP\/1\.1 401 /],
      [upgrading('/api/v1/identity/customers', protocol, '{"company":"x"}'), /^HTTP\/1\.1 401 /],
      [upgrading('/api/trpc/identity.get', protocol), /^HTTP\/1\.1 401 /],
      [upgrading('/blog/nobody', protocol), /^HTTP\/1\.1 404 /],
    );
  }
  const clients: RawClient[] = [];
  for (const [sent, status] of requests) {
    const client = await rawClient();
    clients.push(client);
    client.socket.write(sent);
    await expect.poll(client.received, { message: sent.slice(0, 60) }).toMatch(status);
    expect(client.received()).not.toMatch(/^HTTP\/1\.1 101/);
  }
  // The connection is as good as before.
  const [first] = clients;
  first?.socket.write(`GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => first?.received()).toContain('{"status":"ok"}');
  expect(await terminate()).toMatchObject({ code: 0 });
  for (const { socket } of clients) expect(socket.closed || socket.readableEnded || socket.destroyed).toBe(true);
});

test('it ends in time, whatever clients hold open', async ({ request }) => {
  expect((await request.get(`${installation.baseUrl}/sign-in`)).status()).toBe(200);
  const held = [
    '',
    'GET / HT',
    'GET /sign-in HTTP/1.1\r\nHost: x\r\n',
    'POST /api/inbound/email HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf of it',
    'POST /api/trpc/x HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 9000\r\n\r\n{',
    upgrading('/sign-in', 'websocket'),
    upgrading('/_next/hmr', 'websocket'),
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
  ];
  for (const text of held) {
    const { socket } = await rawClient();
    socket.pause();
    if (text) socket.write(text);
  }
  const { code, ms } = await terminate();
  expect(code).toBe(0);
  // 10 s for requests, 5 s for what handles them, and the database.
  expect(ms).toBeLessThan(25_000);
});

test('nobody is cut off in the middle of a request, and the database goes last', async () => {
  const desk = await createDesk(installation);
  const headers = { Authorization: `Bearer ${desk.key}` };
  const api = startKeepAliveLoad(`${installation.baseUrl}/api/v1/identity/customers?limit=20`, 12, { headers });
  const pages = startKeepAliveLoad(`${installation.baseUrl}/sign-in`, 4);
  await expect.poll(() => Math.min(api.outcomes.length, pages.outcomes.length)).toBeGreaterThan(50);
  const { code } = await terminate();
  await Promise.all([api.stop(), pages.stop()]);
  expect(code).toBe(0);
  const outcomes = [...api.outcomes, ...pages.outcomes];
  expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
  // Once it accepts no one any more, connections are refused, and nothing else happens to anyone.
  expect(outcomes.filter(({ error }) => error && !error.includes('ECONNREFUSED'))).toEqual([]);
  expect(outcomes.filter(({ error, wasConnected }) => error && wasConnected)).toEqual([]);
  expect(installation.output()).not.toMatch(/"level":[56]0|did not stop cleanly/);
});
