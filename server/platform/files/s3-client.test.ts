import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { settingsOf } from '@/server/testing/object-store';
import { ConfigurationError } from '../env';
import type { AppError } from '../errors';
import { DamagedFile } from './file-store';
import { ObjectStore } from './object-store';

type Step = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A store that answers as told, one step a request; the last step repeats. */
let steps: Step[] = [];
let requests: { method: string; url: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = [];
let server: http.Server;
let folder: string;

const content = Buffer.from('what is stored');
const sha256 = createHash('sha256').update(content).digest('hex');

const xml = (code: string) => `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>no &amp; no</Message></Error>`;

const answer =
  (status: number, body: string | Buffer = '', headers: http.OutgoingHttpHeaders = {}): Step =>
  (_request, response) =>
    void response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);

/** Answers nothing. */
const hang: Step = () => undefined;

/** Sends the beginning of a body, and then nothing, or the end of the connection. */
const begin =
  (body: string | Buffer, announced: number, then: 'hang' | 'close'): Step =>
  (request, response) => {
    response.writeHead(200, { 'content-length': announced });
    response.write(body, () => then === 'close' && request.socket.destroy());
  };

beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const step = steps.length > 1 ? steps.shift() : steps[0];
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body });
    step?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(path.join(os.tmpdir(), 'frontdesk s3-'));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  steps = [];
  requests = [];
});

afterEach(() => server.closeAllConnections());

function storeAt(port: number, limits = {}): ObjectStore {
  const url = `s3://key:secret@127.0.0.1:${port}/desk/files?tls=off`;
  return new ObjectStore(settingsOf(url), { connect: 2_000, silence: 300, backoff: 1, ...limits });
}

const store = (limits = {}) => storeAt((server.address() as AddressInfo).port, limits);

async function put(target: ObjectStore): Promise<void> {
  const temporary = path.join(folder, 'incoming');
  await writeFile(temporary, content);
  await target.put(temporary, { sha256, size: content.length });
}

async function read(target: ObjectStore): Promise<Buffer | null> {
  const opened = await target.open(sha256);
  return opened && buffer(opened.stream);
}

/** The error as clients get it. */
const unavailable = (cause: string | RegExp) => ({
  code: 'unavailable',
  message: 'Files can’t be reached right now. Try again in a few seconds.',
  headers: { 'Retry-After': '5' },
  cause: { message: expect.stringMatching(cause) },
});

async function errorOf(work: Promise<unknown>): Promise<AppError> {
  return work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: AppError) => error,
  );
}

describe('a request', () => {
  test('carries its length and the signed hash of what it stores', async () => {
    steps = [answer(200)];
    await put(store());
    expect(requests).toMatchObject([
      {
        method: 'PUT',
        url: `/desk/files/${sha256.slice(0, 2)}/${sha256}`,
        headers: { 'content-length': String(content.length), 'x-amz-content-sha256': sha256 },
        body: content,
      },
    ]);
    expect(requests[0]?.headers.authorization).toMatch(/SignedHeaders=[\w;-]*x-amz-content-sha256/);
  });

  test.each([
    ['a busy store', answer(503, xml('SlowDown'))],
    ['a broken one', answer(500)],
    ['a time-out there', answer(400, xml('RequestTimeout'))],
    ['no answer', hang],
    ['a closed connection', ((request) => request.socket.destroy()) as Step],
  ])('is repeated after %s, with its whole body', async (_, fault) => {
    steps = [fault, fault, answer(200)];
    await put(store());
    expect(requests.map(({ body }) => body.equals(content))).toEqual([true, true, true]);
  });

  test('ends with 503 when the store stays busy, after four attempts', async () => {
    steps = [answer(503, xml('SlowDown'))];
    expect(await errorOf(put(store()))).toMatchObject(unavailable(/^PUT files\/.*: 503 SlowDown$/));
    expect(requests).toHaveLength(4);
  });

  test('ends with 503 where nothing listens', async () => {
    const other = http.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    other.close();
    await once(other, 'close');
    expect(await errorOf(put(storeAt(port)))).toMatchObject(unavailable(/ECONNREFUSED/));
    expect(await errorOf(read(storeAt(port)))).toMatchObject(unavailable(/ECONNREFUSED/));
  });

  test('does not go on for ever where every attempt hangs', async () => {
    steps = [hang];
    expect(await errorOf(put(store({ patience: 0 })))).toMatchObject(unavailable(/did not answer in time/));
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['403', answer(403, xml('SignatureDoesNotMatch')), /: 403 SignatureDoesNotMatch$/],
    ['a refused checksum', answer(400, xml('XAmzContentSHA256Mismatch')), /: 400 XAmzContentSHA256Mismatch$/],
    ['a redirect, which is not followed', answer(301, '', { location: 'http://169.254.169.254/' }), /: 301$/],
    ['an error that is no XML', answer(418, '<html>'), /: 418$/],
    ['an error with a huge body', answer(403, Buffer.alloc(5 * 1024 * 1024, 'x')), /: 403$/],
  ])('is not repeated after %s', async (_, refusal, reason) => {
    steps = [refusal];
    expect(await errorOf(put(store()))).toMatchObject(unavailable(reason));
    expect(requests).toHaveLength(1);
  });

  test('never shows the secret', async () => {
    steps = [answer(403, xml('AccessDenied'))];
    const { cause } = await errorOf(put(store()));
    expect(JSON.stringify([String(cause), (cause as Error).stack])).not.toContain('secret');
  });

  test('waits when many go on at once, and none is lost', async () => {
    let atOnce = 0;
    let most = 0;
    steps = [
      (request, response) => {
        most = Math.max(most, ++atOnce);
        setImmediate(() => {
          atOnce--;
          answer(204)(request, response);
        });
      },
    ];
    const target = store({ silence: 10_000 });
    await Promise.all(Array.from({ length: 60 }, () => target.remove(sha256)));
    expect(requests).toHaveLength(120);
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('a download', () => {
  test('is complete and checked', async () => {
    steps = [answer(200, content)];
    expect(await read(store())).toEqual(content);
  });

  test('begins again while the store is busy', async () => {
    steps = [answer(503, xml('SlowDown')), hang, answer(200, content)];
    expect(await read(store())).toEqual(content);
  });

  test.each([
    ['hangs in the middle', begin('what', content.length, 'hang'), /fell silent/],
    ['ends in the middle', begin('what', content.length, 'close'), /broke off/],
  ])('fails where it %s', async (_, fault, reason) => {
    steps = [fault];
    expect(await errorOf(read(store()))).toMatchObject(unavailable(reason));
  });

  test.each([
    ['another content', Buffer.from('what is storeD')],
    ['a shorter one', Buffer.from('what')],
    ['nothing', Buffer.alloc(0)],
  ])('fails before its end where the store has %s', async (_, damaged) => {
    steps = [answer(200, damaged)];
    const opened = await store().open(sha256);
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of opened?.stream ?? []) seen.push(chunk as Buffer);
    })();
    await expect(reading).rejects.toThrow(DamagedFile);
    expect(Buffer.concat(seen).length).toBeLessThan(Math.max(1, damaged.length));
  });

  test('finds nothing only where the store says so', async () => {
    steps = [answer(404, xml('NoSuchKey'))];
    expect(await store().open(sha256)).toBeNull();
    for (const refusal of [answer(404, xml('NoSuchBucket')), answer(404, '<html>'), answer(403, xml('AccessDenied'))]) {
      steps = [refusal];
      expect(await errorOf(read(store()))).toMatchObject({ code: 'unavailable' });
    }
  });

  test('closes its connection when its reader goes away', async () => {
    const closed = new Promise<void>((resolve) => {
      steps = [
        (request, response) => {
          request.socket.once('close', resolve);
          response.writeHead(200, { 'content-length': 1_000_000 }).write('what');
        },
      ];
    });
    const opened = await store({ silence: 60_000 }).open(sha256);
    opened?.stream.once('error', () => undefined).resume();
    opened?.stream.destroy();
    await closed;
  });

  test('counts no silence while its reader is slow', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, 'x');
    const name = createHash('sha256').update(large).digest('hex');
    steps = [answer(200, large)];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = await store().open(name);
    if (!opened) throw new Error('it is not there');
    const chunks = opened.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let size = (await chunks.next()).value.length;
    // All buffers are full soon; then no time limit is left running.
    while (vi.getTimerCount() > 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(60_000);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) size += next.value.length;
    expect(size).toBe(large.length);
  });
});

describe('a list', () => {
  const page = (keys: string[], next = '') => `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${next !== ''}</IsTruncated>
<NextContinuationToken>${next}</NextContinuationToken>${keys
    .map((key) => `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>14</Size></Contents>`)
    .join('')}</ListBucketResult>`;

  test('goes on through its pages, and leaves out what is not ours', async () => {
    const keyOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;
    const second = 'b'.repeat(64);
    steps = [
      answer(200, page([keyOf(sha256), 'files/readme.txt', 'files/a&amp;b', keyOf('A'.repeat(64))], 'to+ken/&amp;=')),
      answer(200, page([`files/zz/${second}`, keyOf(second), `${keyOf('c'.repeat(64))}.removed`])),
    ];
    const sizes = await store().list(sha256.slice(0, 2));
    expect([...sizes]).toEqual([
      [sha256, 14],
      [second, 14],
      ['c'.repeat(64), 14],
    ]);
    expect(new URL(requests[1]?.url ?? '', 'http://x').searchParams.get('continuation-token')).toBe('to+ken/&=');
  });

  test.each([
    ['something else', '<html></html>'],
    ['half of it', page([`files/${sha256}`]).slice(0, -20)],
    ['no next page', page([]).replace('>false<', '>true<')],
    ['an object without a size', page(['files/x']).replace('<Size>14</Size>', '')],
    ['more than anyone needs', 'x'.repeat(5 * 1024 * 1024)],
  ])('fails on %s', async (_, body) => {
    steps = [answer(200, body)];
    expect(await errorOf(store().list('ab'))).toMatchObject({ code: 'unavailable' });
  });
});

describe('the check at start', () => {
  test.each([
    ['a wrong secret', answer(403, xml('SignatureDoesNotMatch')), 'SignatureDoesNotMatch'],
    ['a missing bucket', answer(404, xml('NoSuchBucket')), 'NoSuchBucket'],
    ['something that is no store', answer(200, '<html>'), 'not a list of objects'],
    ['a refusal without a word', answer(403), 'status 403'],
  ])('refuses %s in one line', async (_, refusal, reason) => {
    steps = [refusal];
    const { port } = server.address() as AddressInfo;
    const error = await errorOf(store().check());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toBe(`FILES_URL: can't use the bucket desk at http://127.0.0.1:${port}: ${reason}.`);
  });

  test('tells a store that is away apart', async () => {
    steps = [answer(503, xml('SlowDown'))];
    expect(await errorOf(store().check())).toMatchObject({ code: 'unavailable' });
    expect(requests).toHaveLength(1);
  });
});
