import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseEnv } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { handlePage, recordPageFailure } from './page-request';

let server: Server;
/** The error of rendering a page; Next.js reports it, and answers 500 by setting the status. */
let failure: unknown;

beforeEach(async () => {
  setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }));
  takeFromProcess('outages');
  server = createServer((request, response) => {
    request.headers['x-request-id'] = 'mine';
    void handlePage(request, response, async () => {
      await new Promise(setImmediate);
      if (failure) recordPageFailure(failure);
      response.statusCode = failure ? 500 : 200;
      response.setHeader('Content-Type', 'text/html');
      response.end('a page');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  vi.restoreAllMocks();
});

const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

test.each([
  ['nothing', undefined, 200, null],
  ['a fault', new TypeError('x is undefined'), 500, null],
  ['the database being away', Object.assign(new Error('terminated'), { code: '57P01' }), 503, '5'],
  ['a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' }), 503, '60'],
])('a page that fails of %s', async (_what, thrown, status, retryAfter) => {
  const [warn, error] = [vi.spyOn(log(), 'warn'), vi.spyOn(log(), 'error')];
  failure = thrown;
  const answer = await ask();
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([status, retryAfter, 'a page']);
  const logged = [warn.mock.calls.length, error.mock.calls.length];
  expect(logged).toEqual(status === 503 ? [1, 0] : status === 500 ? [0, 1] : [0, 0]);
});

test('pages at the same time do not take each other’s failures', async () => {
  failure = Object.assign(new Error('terminated'), { code: '57P01' });
  const failing = ask();
  await expect.poll(async () => (await failing).status).toBe(503);
  failure = new TypeError('x is undefined');
  expect((await ask()).status).toBe(500);
});
