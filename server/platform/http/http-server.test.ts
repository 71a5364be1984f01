import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { httpRoutes } from '@/server/registry';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { openRaw } from '@/server/testing/raw-http';
import { createHttpServer, type HttpServer } from './http-server';

withFreshDatabase();

let http: HttpServer;
let closing: Promise<void> | undefined;

beforeEach(async () => {
  http = createHttpServer(httpRoutes);
  closing = undefined;
  await new Promise<void>((resolve) => {
    http.server.listen(0, '127.0.0.1', resolve);
  });
});

afterEach(async () => {
  await (closing ?? http.close());
});

const port = () => (http.server.address() as AddressInfo).port;
const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port()}${path}`, init);

describe('before the pages are ready', () => {
  test('the process is alive, and everything else is to come back in a moment', async () => {
    expect(await (await fetchPath('/healthz')).json()).toEqual({ status: 'ok' });
    for (const path of ['/', '/api/v1/identity', '/api/trpc/identity.get', '/readyz', '/healthzx']) {
      const answer = await fetchPath(path);
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1']);
      expect(await answer.json()).toMatchObject({ code: 'unavailable' });
    }
  });
});

test('every answer keeps browsers to https where they come by it', async () => {
  const header = async (path: string) => (await fetchPath(path)).headers.get('strict-transport-security');
  http.open((_request, response) => response.writeHead(200).end('a page'));
  const paths = [
    '/',
    '/healthz',
    '/readyz',
    '/api/v1/identity',
    '/api/trpc/identity.get',
    '/api/mail/files/x',
    '/api/inbound/email',
  ];
  expect(await Promise.all(paths.map(header))).toEqual(paths.map(() => null));
  overrideEnv({ PUBLIC_URL: 'https://desk.example' });
  expect(await Promise.all(paths.map(header))).toEqual(paths.map(() => 'max-age=31536000'));
});

test('so does what the server says to what is no request, or comes too late', async () => {
  const hasty = createHttpServer(httpRoutes, { headers: 300 });
  await new Promise<void>((resolve) => {
    hasty.server.listen(0, '127.0.0.1', resolve);
  });
  hasty.open((_request, response) => response.writeHead(200).end('a page'));
  const head = (request: string) => `${request} HTTP/1.1\nHost: desk.example\n`;
  const endlessChunk = `Transfer-Encoding: chunked\n\n1;${'x'.repeat(20_000)}\nx\n0\n\n`;
  const requests: Record<number, string> = {
    400: 'nonsense\n\n',
    // Answered before its end turns out to be unreadable.
    405: `${head('POST /')}${endlessChunk}`,
    408: head('GET /'),
    413: `${head('POST /api/v1/identity')}${endlessChunk}`,
    431: `${head('GET /')}X: ${'x'.repeat(20_000)}\n\n`,
  };
  const answerTo = (text: string) => openRaw((hasty.server.address() as AddressInfo).port, text).closed();
  try {
    for (const [publicUrl, times] of [
      ['http://desk.example', 0],
      ['https://desk.example', 1],
    ] as const) {
      overrideEnv({ PUBLIC_URL: publicUrl });
      for (const [status, text] of Object.entries(requests)) {
        const answer = await answerTo(text);
        expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
        expect([status, answer.match(/^Strict-Transport-Security: max-age=31536000\r$/gm)?.length ?? 0]).toEqual([status, times]);
        expect(answer.match(/^X-Request-Id: /gm)).toHaveLength(1);
      }
    }
  } finally {
    await hasty.close();
  }
});

test('no answer has a header twice, and each has its request’s id', async () => {
  http.open((_request, response) => response.writeHead(404, { 'X-Request-Id': 'of the page' }).end());
  for (const path of [
    '/',
    '/healthz',
    '/readyz',
    '/api/v1/nothing',
    '/api/v1/openapi.json',
    '/api/trpc/x',
    '/blog/nobody',
    '/rsvp/x',
  ]) {
    const raw = await new Promise<string[]>((resolve, reject) => {
      const options = { port: port(), path, headers: { 'X-Request-Id': 'mine' } };
      get(options, (answer) => {
        answer.resume();
        resolve(answer.rawHeaders);
      }).on('error', reject);
    });
    const names = raw.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect([path, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([path, []]);
    expect([path, raw[2 * names.indexOf('x-request-id') + 1]]).toEqual([path, path === '/' ? 'of the page' : 'mine']);
  }
});

describe('once open', () => {
  beforeEach(() => {
    http.open((request, response) => {
      response.setHeader('x-seen-request-id', String(request.headers['x-request-id']));
      response.setHeader('x-seen-address', String(request.headers['x-frontdesk-client-address']));
      response.writeHead(200).end('a page');
    });
  });

  test('it is ready while the database answers', async () => {
    const ready = await fetchPath('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    vi.spyOn(pool(), 'query').mockImplementation(() => Promise.reject(new Error('gone')) as never);
    const lost = await fetchPath('/readyz');
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await fetchPath('/healthz')).status).toBe(200);
  });

  test('it is not ready while a migration is missing', async () => {
    await queryAsOwner('ALTER TABLE "_prisma_migrations" RENAME TO "elsewhere"');
    expect((await fetchPath('/readyz')).status).toBe(503);
    await queryAsOwner('ALTER TABLE "elsewhere" RENAME TO "_prisma_migrations"');
    expect((await fetchPath('/readyz')).status).toBe(200);
  });

  test('what is no API is a page', async () => {
    for (const path of ['/', '/api/v1x', '/api/v', '/api/trpcx', '/readyzx', '/x/api/v1/identity', '/API/v1/identity']) {
      expect(await (await fetchPath(path)).text()).toBe('a page');
    }
    for (const path of ['/api/v1', '/api/v1?x', '/api/v1/', '/api/v1/x']) expect((await fetchPath(path)).status).toBe(404);
  });

  test('every answer carries its request’s id: the caller’s own where it is sane', async () => {
    for (const path of ['/healthz', '/readyz', '/', '/api/v1/identity', '/api/v1/nothing', '/api/trpc/identity.get']) {
      const kept = await fetchPath(path, { headers: { 'x-request-id': 'my-own-id-1' } });
      expect([path, kept.headers.get('x-request-id')]).toEqual([path, 'my-own-id-1']);
      const made = await fetchPath(path, { headers: { 'x-request-id': 'not sane; at all' } });
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await fetchPath('/', { headers: { 'x-request-id': 'my-own-id-1' } })).headers.get('x-seen-request-id')).toBe(
      'my-own-id-1',
    );
  });

  test('nobody tells us where they come from', async () => {
    const answer = await fetchPath('/', { headers: { 'x-frontdesk-client-address': '8.8.8.8' } });
    expect(answer.headers.get('x-seen-address')).toBe('127.0.0.1');
  });

  test('answers for programs can not be framed, sniffed, run or kept', async () => {
    for (const path of ['/healthz', '/readyz', '/api/v1/identity', '/api/v1/nothing', '/api/trpc/identity.get']) {
      const { headers } = await fetchPath(path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    }
  });

  test('a page that fails is a masked 500 with the request’s id', async () => {
    http.open(() => {
      throw new Error('select secret from users');
    });
    const answer = await fetchPath('/', { headers: { 'x-request-id': 'my-own-id-1' } });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: 'Internal server error',
      message: 'Something went wrong on our side. Quote the request id when you report it.',
      code: 'internal_error',
      requestId: 'my-own-id-1',
    });
  });

  test('a target that is no URL is refused, and the server goes on', async () => {
    for (const target of ['/api/trpc/x http://', '//', '/api/trpc//%', '*', 'http://[::1/api/trpc/x']) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(port(), '127.0.0.1', () =>
          socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        );
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 [24]\d\d /);
    }
    expect((await fetchPath('/healthz')).status).toBe(200);
  });
});

describe('closing', () => {
  test('is not ready from the signal on, while everything else is answered', async () => {
    http.open((_request, response) => response.end('a page'));
    expect((await fetchPath('/readyz')).status).toBe(200);
    http.drain();
    const ready = await fetchPath('/readyz');
    expect([ready.status, ready.headers.get('retry-after'), ready.headers.get('connection')]).toEqual([503, '5', 'close']);
    for (const [path, status] of [
      ['/healthz', 200],
      ['/', 200],
      ['/api/v1/identity', 401],
      ['/api/trpc/identity.get', 401],
      ['/blog/nobody', 404],
    ] as const) {
      const answer = await fetchPath(path);
      expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, status, 'close']);
    }
  });

  test('lets a request at work finish, takes no new one, and lets idle connections go', async () => {
    let arrived = () => {};
    let finish = () => {};
    const atWork = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    http.open((_request, response) => {
      finish = () => response.end('finished');
      arrived();
    });
    const agent = new Agent({ keepAlive: true });
    const idle = new Promise<void>((resolve) =>
      get({ port: port(), path: '/healthz', agent }, (answer) => answer.resume().on('end', resolve)),
    );
    await idle;
    const slow = fetchPath('/slow');
    await atWork;
    const address = `http://127.0.0.1:${port()}/healthz`;
    closing = http.close();
    await expect(fetch(address)).rejects.toThrow();
    finish();
    expect(await (await slow).text()).toBe('finished');
    await closing;
    agent.destroy();
  });
});
