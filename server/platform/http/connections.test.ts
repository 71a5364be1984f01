import { Agent, createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { parseEnv } from '../env';
import { type ClosingTimes, type Connections, trackConnections } from './connections';

setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }));

let server: Server;
let connections: Connections;
let closing: Promise<void> | undefined;
let port = 0;
const cleanups: (() => void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  await (closing ?? connections.close(0));
  closing = undefined;
  takeFromProcess('outages');
});

type Handler = (...parameters: Parameters<RequestListener>) => Promise<void> | void;

async function serve(handler: Handler, times: Partial<ClosingTimes> = {}): Promise<void> {
  server = createServer((request, response) => {
    void connections.handle(request, response, async () => {
      // Errors of a client that was disconnected.
      await Promise.resolve(handler(request, response)).catch(() => undefined);
    });
  });
  connections = trackConnections(server, { idle: 100, requests: 500, handlers: 500, ...times });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
}

/** A promise, and the function that resolves it. */
function signal(): { happened: Promise<void>; happen: () => void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

function request(path: string, agent?: Agent): Promise<IncomingMessage & { text: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve(Object.assign(answer, { text })));
    }).on('error', reject);
  });
}

function keptAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanups.push(() => agent.destroy());
  return agent;
}

/** A raw socket client, and what it has received. */
async function rawClient(): Promise<{ socket: Socket; received: () => string; ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  cleanups.push(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, received: () => text, ended };
}

describe('draining', () => {
  test('answers everybody, and ends their connections', async () => {
    const [arrived, finish] = [signal(), signal()];
    await serve(async ({ url }, response) => {
      if (url === '/slow') {
        arrived.happen();
        await finish.happened;
      }
      response.end('answered');
    });
    const agent = keptAlive();
    expect((await request('/', agent)).headers.connection).toBe('keep-alive');
    const slow = request('/slow', keptAlive());
    await arrived.happened;
    connections.drain();
    expect(connections.isDraining).toBe(true);
    finish.happen();
    const answers = [await slow, await request('/', agent), await request('/')];
    expect(answers.map(({ text, headers }) => [text, headers.connection])).toEqual(answers.map(() => ['answered', 'close']));
  });

  test('lets those who come finish while it lasts, and no one in afterwards', async () => {
    await serve((_request, response) => void response.end('answered'));
    closing = connections.close(2_000);
    const startedAt = performance.now();
    expect((await request('/')).text).toBe('answered');
    await expect.poll(() => request('/').then(() => '', String), { interval: 20 }).toContain('ECONNREFUSED');
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    await closing;
  });

  test('answers all of several requests that were sent at once', async () => {
    const finish = signal();
    let arrived = 0;
    await serve(async ({ url }, response) => {
      arrived++;
      await finish.happened;
      response.end(url);
    });
    const { socket, received, ended } = await rawClient();
    for (const path of ['/1', '/2', '/3']) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => arrived).toBe(3);
    connections.drain();
    finish.happen();
    await ended;
    expect(received().match(/\/\d(?!\.)/g)).toEqual(['/1', '/2', '/3']);
    expect(received().match(/connection: close/gi)).toHaveLength(1);
  });
});

describe('closing', () => {
  test('answers a request that comes on a connection no one used when it began', async () => {
    await serve((_request, response) => void response.end('answered'), { idle: 3_000 });
    const agent = keptAlive();
    await request('/', agent);
    closing = connections.close(0);
    await expect.poll(() => request('/').then(() => '', String), { interval: 20 }).toContain('ECONNREFUSED');
    const answer = await request('/', agent);
    expect([answer.text, answer.headers.connection]).toEqual(['answered', 'close']);
  });

  test('waits for a request whose headers come slowly', async () => {
    await serve((_request, response) => void response.end('answered'), { idle: 1_500, requests: 60_000 });
    const { socket, received, ended } = await rawClient();
    closing = connections.close(0);
    for (const part of ['GET / HTTP/1.1\r\n', 'Host: x\r\n', 'X-More: 1\r\n', '\r\n']) {
      socket.write(part);
      // Less than the timeout of an idle connection.
      await new Promise((resolve) => setTimeout(resolve, 450));
    }
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 200 .*answered$/s);
  });

  test.each([
    ['says nothing', ''],
    ['stops within its headers', 'GET / HTTP/1.1\r\nHost'],
    ['stops within its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
    ['does not read its answer', 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['asks for an upgrade', 'GET /upgrade HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('ends in time where a client %s', async (_what, sent) => {
    const arrived = signal();
    await serve(async (incoming, response) => {
      arrived.happen();
      if (incoming.url === '/endless') for (let part = 0; part < 1_000; part++) response.write(Buffer.alloc(65_536));
      else for await (const _part of incoming);
      if (incoming.url !== '/endless') response.end('read');
    });
    // As under Next.js' hot reload: with an upgrade listener, the server gives up the socket.
    server.on('upgrade', () => arrived.happen());
    const { socket, ended } = await rawClient();
    socket.pause();
    if (sent) socket.write(sent);
    if (/^(GET|POST) .*\r\n\r\n/s.test(sent)) await arrived.happened;
    closing = connections.close(0);
    await closing;
    socket.resume();
    await ended;
  });

  test('waits for the handler of a client that has left, for so long', async () => {
    const [arrived, finish] = [signal(), signal()];
    let isDone = false;
    await serve(
      async () => {
        arrived.happen();
        await finish.happened;
        isDone = true;
      },
      { requests: 50, handlers: 5_000 },
    );
    const { socket, ended } = await rawClient();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.happened;
    closing = connections.close(0);
    // The request timeout has passed; its socket is destroyed, but its handler still runs.
    await ended;
    setTimeout(finish.happen, 50);
    await closing;
    expect(isDone).toBe(true);
  });

  test('does not wait for ever for a handler that never ends', async () => {
    const arrived = signal();
    await serve(() => {
      arrived.happen();
      return new Promise(() => undefined);
    });
    const { socket } = await rawClient();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.happened;
    closing = connections.close(0);
    await closing;
  });
});
