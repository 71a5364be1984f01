import { type ServerResponse, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { httpRoutes } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { openRaw, type RawConnection } from '@/server/testing/raw-http';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { createHttpServer } from './http-server';
import { sendAnswer } from './node-adapter';

/** Slow or silent peers must not affect others. */

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const patient = withHttpServer();
const hasty = withHttpServer({ body: { bytesPerSecond: 1024, window: 300 }, headers: 300 });
const steady = withHttpServer({ body: { bytesPerSecond: 1024, window: 2_500 } });

const origin = { host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' };
const mebibyte = 1024 * 1024;
const type = { 'content-type': 'application/json' };
/** Named like an image; it is refused once it has been read. */
const noPicture = JSON.stringify({ data: 'x'.repeat(2 * mebibyte), filename: 'x.png' });

function head(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ ...type, host: 'desk.example.com', ...headers }).map(([name, value]) => `${name}: ${value}\n`);
  return `POST ${path} HTTP/1.1\n${lines.join('')}\n`;
}

/** A client that announces a large body and sends nothing. */
function idler(port: number, path: string, headers: Record<string, string>): RawConnection {
  return openRaw(port, head(path, { 'content-length': String(2 * mebibyte), ...headers }));
}

describe('those who send nothing', () => {
  test('hold no places for large bodies while no one knows them', async () => {
    const strangers = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.3'].flatMap((address) => {
      const headers = { ...origin, 'x-forwarded-for': address };
      const upload = idler(patient.port(), '/api/trpc/blog.uploadImage', headers);
      const form = idler(patient.port(), '/api/auth/callback/credentials', headers);
      return [upload, form, idler(patient.port(), '/api/v1/blog/images', headers)];
    });
    const identity = await createTestIdentity();
    const headers = { ...origin, ...type, cookie: await sessionCookieOf(identity) };
    expect((await patient('POST', '/api/trpc/blog.uploadImage', { headers, body: noPicture })).status).toBe(400);
    expect((await patient('POST', '/api/v1/blog/images', { key: identity.key, headers: type, body: noPicture })).status).toBe(
      400,
    );
    for (const stranger of strangers) {
      expect(await stranger.received(/\}$/)).toMatch(/^HTTP\/1.1 4(01|13) /);
      stranger.socket.destroy();
    }
  });

  test('hold only their own where they are known, whatever address they come from', async () => {
    const [idle, busy] = [await createTestIdentity(), await createTestIdentity()];
    const idlers = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'].map((address) =>
      idler(patient.port(), '/api/v1/blog/images', { authorization: `Bearer ${idle.key}`, 'x-forwarded-for': address }),
    );
    expect((await patient('POST', '/api/v1/blog/images', { key: busy.key, headers: type, body: noPicture })).status).toBe(400);
    for (const { socket } of idlers) socket.destroy();
  });

  test.each([
    ['REST', '/api/v1/blog/images', async ({ key }: TestIdentity) => ({ authorization: `Bearer ${key}` })],
    [
      'the dashboard',
      '/api/trpc/blog.uploadImage',
      async (identity: TestIdentity) => ({ ...origin, cookie: await sessionCookieOf(identity) }),
    ],
    ['sign-in', '/api/auth/callback/credentials', async () => ({ 'content-length': '500' })],
    [
      'an answer to an invitation',
      '/rsvp/x',
      async () => ({ 'content-length': '500', 'content-type': 'application/x-www-form-urlencoded' }),
    ],
  ])('are sent away from %s', async (_name, path, headersOf) => {
    const idle = idler(hasty.port(), path, await headersOf(await createTestIdentity()));
    idle.send('{"');
    const answer = await idle.closed();
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    if (!path.startsWith('/rsvp')) expect(answer).toContain('"code":"request_timeout"');
  });

  test('not those who keep sending', async () => {
    const { key } = await createTestIdentity();
    const json = JSON.stringify({ contacts: [{ email: 'ann@x.io' }], notes: 'x'.repeat(7_000) });
    const authorization = `Bearer ${key}`;
    const client = openRaw(
      steady.port(),
      head('/api/v1/identity/customers', { authorization, 'content-length': String(json.length) }),
    );
    // For longer than a window, with a sixth of it between two pieces.
    for (let sent = 0; sent < json.length; sent += 1_000) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      client.send(json.slice(sent, sent + 1_000));
    }
    expect(await client.received(/\}$/)).toMatch(/^HTTP\/1.1 201 /);
    client.socket.destroy();
  });

  test('in the middle of their headers hear that it took too long', async () => {
    const idle = openRaw(hasty.port(), 'GET / HTTP/1.1\nHost: x\nX-Slow: ');
    const answer = await idle.closed();
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(/\r\nX-Request-Id: \S+\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'Request timeout', code: 'request_timeout' });
  });

  test('who leave half-way are no fault of ours', async () => {
    const { key } = await createTestIdentity();
    const leaving = idler(patient.port(), '/api/v1/blog/images', { authorization: `Bearer ${key}` });
    leaving.send('{"data":"xxxx');
    leaving.socket.end();
    expect(await leaving.closed()).not.toMatch(/HTTP\/1.1 5/);
  });
});

describe('a refusal', () => {
  const large = 'x'.repeat(8 * mebibyte);

  test.each([
    ['another site', '/api/trpc/customers.create', { 'sec-fetch-site': 'cross-site' }, 403],
    ['nobody', '/api/trpc/customers.create', {}, 401],
    ['nobody, of sign-in', '/api/auth/signout', {}, 413],
    ['nobody, over REST', '/api/v1/identity/customers', {}, 401],
  ])('reaches who sends all of a large body first: %s', async (_name, path, headers, status) => {
    const refused = await patient('POST', path, { headers: { ...origin, ...type, ...headers }, body: large });
    expect(refused.status).toBe(status);
    const answer = await fetch(`http://127.0.0.1:${patient.port()}${path}`, {
      method: 'POST',
      headers: { ...type, ...headers },
      body: large,
    });
    expect([401, 403, 413]).toContain(answer.status);
    await answer.text();
  });

  test('of what is far too large reaches them too, and ends the connection', async () => {
    const { key } = await createTestIdentity();
    const length = 20 * mebibyte;
    const headers = { authorization: `Bearer ${key}`, 'content-length': String(length) };
    const client = openRaw(patient.port(), head('/api/v1/identity/customers', headers));
    for (let sent = 0; sent < length; sent += mebibyte) client.send('x'.repeat(mebibyte));
    expect(await client.received(/\}$/)).toMatch(/^HTTP\/1.1 413 /);
    client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await client.received(/"ok"\}$/)).toContain('HTTP/1.1 200 OK');
    const endless = openRaw(patient.port(), head('/api/v1/nothing', { 'content-length': String(1024 ** 4) }));
    expect(await endless.received(/\}$/)).toMatch(/\r\nConnection: close\r\n/);
    const chunk = 'x'.repeat(mebibyte);
    const pump = () => {
      while (!endless.socket.destroyed && endless.socket.write(chunk));
    };
    endless.socket.on('drain', pump);
    pump();
    await endless.closed();
  });
});

describe('who does not read', () => {
  const http = createHttpServer(httpRoutes, { reader: 200 });
  let answer: (response: ServerResponse) => void;
  let port: number;

  beforeAll(async () => {
    http.open((_request, response) => answer(response));
    await new Promise<void>((resolve) => {
      http.server.listen(0, '127.0.0.1', resolve);
    });
    port = (http.server.address() as { port: number }).port;
  });

  afterAll(() => http.close());

  /** Closes its source once nobody reads it. */
  function endless(): { stream: Readable; closed: Promise<void> } {
    const chunk = Buffer.alloc(64 * 1024);
    const stream = new Readable({
      read() {
        this.push(chunk);
      },
    });
    return { stream, closed: new Promise((resolve) => stream.once('close', resolve)) };
  }

  test('loses the connection, and what was open for them is closed', async () => {
    const { stream, closed } = endless();
    answer = (response) => sendAnswer(response, { status: 200, headers: {}, body: stream }, {});
    const reader = openRaw(port, 'GET / HTTP/1.1\nHost: x\n\n');
    reader.socket.pause();
    await closed;
    reader.socket.resume();
    await reader.closed();
  });

  test('loses it with an answer that is all in memory, too', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (response) => {
        response.once('close', resolve);
        sendAnswer(response, { status: 200, headers: {}, body: Buffer.alloc(64 * mebibyte) }, {});
      };
    });
    const reader = openRaw(port, 'GET / HTTP/1.1\nHost: x\n\n');
    reader.socket.pause();
    await gone;
    reader.socket.destroy();
  });

  test('keeps it while the answer is being made, however long that takes', async () => {
    let isDue = false;
    answer = (response) => {
      setTimeout(() => {
        isDue = true;
        response.end('at last');
      }, 900);
    };
    const text = await new Promise<string>((resolve, reject) => {
      sendRequest({ port, path: '/' }, (incoming) => {
        let all = '';
        incoming.on('data', (part: Buffer) => {
          all += part.toString();
        });
        incoming.on('end', () => resolve(all));
      })
        .on('error', reject)
        .end();
    });
    expect([isDue, text]).toEqual([true, 'at last']);
  });

  test('keeps it while they read slowly', async () => {
    const [limit, pause] = [1_500, 250];
    const server = createHttpServer(httpRoutes, { reader: limit });
    const size = 32 * mebibyte;
    server.open((_request, response) => sendAnswer(response, { status: 200, headers: {}, body: Buffer.alloc(size, 'x') }, {}));
    await new Promise<void>((resolve) => {
      server.server.listen(0, '127.0.0.1', resolve);
    });
    const reader = openRaw((server.server.address() as { port: number }).port, 'GET / HTTP/1.1\nHost: x\nConnection: close\n\n');
    onTestFinished(() => server.close());
    const begun = performance.now();
    let read = 0;
    reader.socket.on('data', ({ length }: Buffer) => {
      const before = read;
      read += length;
      if (Math.floor(before / (2 * mebibyte)) === Math.floor(read / (2 * mebibyte))) return;
      reader.socket.pause();
      setTimeout(() => reader.socket.resume(), pause);
    });
    await reader.closed();
    expect(read).toBeGreaterThan(size);
    expect(performance.now() - begun).toBeGreaterThan(2 * limit);
  });
});
