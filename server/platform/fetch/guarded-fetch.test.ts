import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { overrideEnv, parseEnv } from '../env';
import { guardedFetch } from './guarded-fetch';
import { OutboundFailed, OutboundRefused } from './outbound-error';

let server: Server;
let port: number;
let answer: RequestListener;
let seen: IncomingMessage[];

beforeEach(async () => {
  seen = [];
  answer = (_request, response) => void response.end('hello');
  server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
  allow('');
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

function allow(list: string): void {
  overrideEnv({ OUTBOUND_ALLOWLIST: parseEnv({ OUTBOUND_ALLOWLIST: list }).OUTBOUND_ALLOWLIST });
}

/** A resolver with one answer per call; the last one is repeated. */
function resolving(...answers: string[][]): LookupFunction {
  return (_hostname, _options, callback) => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

const limits = { maximumBytes: 1000, timeoutMilliseconds: 10_000 };

/** A public address that must not be resolved: connecting would fail the test. */
const never: LookupFunction = (hostname) => {
  throw new Error(`${hostname} was resolved`);
};

describe('refused before anything is sent', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://127.0.0.1../',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://１２７.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://192.0.0.8/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://192.88.99.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001::7f00:1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://[4000::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://desk.localhost/',
    'http://8.8.8.8:22/',
    'https://8.8.8.8:8443/',
    'http://user@example.com/',
    'http://user:password@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'gopher://example.com/',
    '//example.com/image.png',
    'example.com',
    '',
  ])('%s', async (address) => {
    await expect(guardedFetch(address, { ...limits, lookup: never })).rejects.toThrow(OutboundRefused);
  });
});

describe('a name that resolves to', () => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['a public address and a private one', ['93.184.216.34', '127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a link-local address with a zone', ['fe80::1%eth0']],
  ])('%s is refused, without saying which', async (_what, addresses) => {
    const refused = guardedFetch('https://pictures.example/', { ...limits, lookup: resolving(addresses) });
    await expect(refused).rejects.toThrow(OutboundRefused);
    await expect(refused).rejects.toThrow('pictures.example is not an address of the public internet.');
  });

  test('another address at the next request is checked again', async () => {
    allow('127.0.0.1');
    answer = (_request, response) => void response.writeHead(302, { location: '/again' }).end();
    const lookup = resolving(['127.0.0.1'], ['127.0.0.2']);
    await expect(guardedFetch(`http://rebind.example:${port}/`, { ...limits, lookup })).rejects.toThrow(OutboundRefused);
    expect(seen).toHaveLength(1);
  });

  test('a public address is fetched from on ports 80 and 443 only', async () => {
    const lookup = resolving(['93.184.216.34']);
    await expect(guardedFetch('http://pictures.example:8080/', { ...limits, lookup })).rejects.toThrow(
      'Port 8080 is not fetched from; only 80 and 443 are.',
    );
  });
});

describe('the allowlist opens', () => {
  test('a host by name, wherever it leads', async () => {
    allow('Pictures.internal');
    const lookup = resolving(['127.0.0.1']);
    expect(await guardedFetch(`http://pictures.internal.:${port}/`, { ...limits, lookup })).toMatchObject({ status: 200 });
    for (const other of ['other.internal', 'a.pictures.internal', 'pictures.internal.example', '127.0.0.1'])
      await expect(guardedFetch(`http://${other}:${port}/`, { ...limits, lookup })).rejects.toThrow(OutboundRefused);
  });

  test('one port of a host', async () => {
    allow(`localhost:${port}`);
    expect(await guardedFetch(`http://localhost:${port}/`, { ...limits, lookup: resolving(['127.0.0.1']) })).toMatchObject({
      status: 200,
    });
    await expect(guardedFetch(`http://localhost:${port + 1}/`, limits)).rejects.toThrow(OutboundRefused);
    await expect(guardedFetch('http://localhost/', limits)).rejects.toThrow(OutboundRefused);
  });

  test('an address in any spelling, and names that lead there', async () => {
    allow('127.0.0.1');
    for (const host of ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', 'pictures.example'])
      expect(await guardedFetch(`http://${host}:${port}/`, { ...limits, lookup: resolving(['127.0.0.1']) })).toMatchObject({
        status: 200,
      });
    for (const host of ['127.0.0.2', '[::1]', '10.0.0.1'])
      await expect(guardedFetch(`http://${host}:${port}/`, limits)).rejects.toThrow(OutboundRefused);
  });

  test('a range of addresses', async () => {
    allow('127.0.0.0/31');
    expect(await guardedFetch(`http://127.0.0.1:${port}/`, limits)).toMatchObject({ status: 200 });
    await expect(guardedFetch(`http://127.0.0.2:${port}/`, limits)).rejects.toThrow(OutboundRefused);
  });
});

describe('redirects', () => {
  beforeEach(() => allow(`127.0.0.1:${port}`));

  test('are followed, each checked anew', async () => {
    answer = (request, response) => {
      if (request.url === '/image#top') response.end('wrong');
      else if (request.url === '/image') response.end('image');
      else response.writeHead(308, { location: '/image#top' }).end();
    };
    expect(await guardedFetch(`http://127.0.0.1:${port}/moved`, limits)).toMatchObject({
      finalUrl: `http://127.0.0.1:${port}/image`,
      body: Buffer.from('image'),
    });
  });

  test.each([
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    '//localhost/',
    'http://a:b@c.example/',
  ])('to %s are refused', async (location) => {
    answer = (_request, response) => void response.writeHead(302, { location }).end();
    await expect(guardedFetch(`http://127.0.0.1:${port}/`, { ...limits, lookup: never })).rejects.toThrow(OutboundRefused);
  });

  test('end', async () => {
    answer = (request, response) => void response.writeHead(302, { location: `${request.url}a` }).end();
    await expect(guardedFetch(`http://127.0.0.1:${port}/`, { ...limits, maximumRedirects: 2 })).rejects.toThrow(OutboundFailed);
    expect(seen.map(({ url }) => url)).toEqual(['/', '/a', '/aa']);
  });
});

describe('an answer', () => {
  beforeEach(() => allow('127.0.0.1'));
  const fetched = (options = {}) => guardedFetch(`http://127.0.0.1:${port}/a?b=c`, { ...limits, ...options });

  test('comes with status, headers and body', async () => {
    answer = (_request, response) => void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not here');
    expect(await fetched({ accept: 'image/*' })).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('not here'),
      finalUrl: `http://127.0.0.1:${port}/a?b=c`,
      truncated: false,
    });
    expect(seen[0]?.url).toBe('/a?b=c');
    expect(seen[0]?.headers).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': 'Frontdesk',
    });
  });

  test('without an end is cut, and the connection closed', async () => {
    const closed = new Promise((resolve) => {
      answer = (request, response) => {
        request.on('close', resolve);
        const more = () => {
          while (response.write(Buffer.alloc(5000, 'x')));
        };
        response.on('drain', more);
        more();
      };
    });
    const { body, truncated } = await fetched();
    expect(body).toEqual(Buffer.alloc(1000, 'x'));
    expect(truncated).toBe(true);
    await closed;
  });

  test('of just the size that is allowed is whole', async () => {
    answer = (_request, response) => void response.end(Buffer.alloc(1000));
    expect(await fetched()).toMatchObject({ truncated: false, body: Buffer.alloc(1000) });
  });

  test.each<[string, RequestListener]>([
    ['that never comes', () => undefined],
    ['whose body trickles', (_request, response) => void setInterval(() => response.write('x'), 10).unref()],
    ['whose body stops', (_request, response) => void response.write('x')],
  ])('%s is given up at the deadline', async (_what, listener) => {
    answer = listener;
    const given = fetched({ timeoutMilliseconds: 200 });
    await expect(given).rejects.toThrow(OutboundFailed);
    await expect(given).rejects.toThrow('127.0.0.1 does not answer in time.');
  });

  test('is not waited for longer where the name does not resolve', async () => {
    const lookup: LookupFunction = () => undefined;
    await expect(guardedFetch('http://slow.example/', { ...limits, timeoutMilliseconds: 100, lookup })).rejects.toThrow(
      'slow.example does not answer in time.',
    );
  });

  test.each<[string, RequestListener]>([
    ['with endless headers', (_request, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()],
    [
      'in a compressed form',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x')),
    ],
    [
      'that breaks off',
      (_request, response) => void response.writeHead(200, { 'content-length': 50 }).write('x', () => response.destroy()),
    ],
    ['that is not HTTP', (request) => void request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ])('%s is an OutboundFailed', async (_what, listener) => {
    answer = listener;
    await expect(fetched()).rejects.toThrow(OutboundFailed);
  });

  test('that nobody gives is an OutboundFailed', async () => {
    server.close();
    await expect(fetched()).rejects.toThrow("127.0.0.1 can't be reached.");
  });
});
