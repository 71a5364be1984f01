import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { openStored } from '../files/content-store';
import { receiveFile } from './received-file';

const maximum = 100_000;
const actor = { kind: 'system' as const, identityId: 'x' };
const upload = { maximumBytes: maximum, admit: async () => undefined };

function request(headers: Record<string, string>, ...chunks: (string | Uint8Array | Error)[]) {
  async function* body() {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  }
  const names = new Map(Object.entries(headers));
  return {
    headers: { get: (name: string) => names.get(name) ?? null, has: (name: string) => names.has(name) },
    body: chunks.length === 0 ? null : body(),
  };
}

const form = { 'content-type': 'multipart/form-data; boundary=xx' };
const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}\r\n`;
const part = (head: string, content = 'Hello') => `--xx\r\n${head}\r\n${content}\r\n`;
const end = '--xx--\r\n';
const file = part(disposition('name="file"; filename="a.txt"'));

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const hello = { size: 5, sha256: sha256('Hello') };
const problem = (text: RegExp) => ({ code: 'invalid_request', details: { fields: { file: expect.stringMatching(text) } } });

/** Files that are being written. */
async function unfinished(): Promise<string[]> {
  return readdir(path.join(env().DATA_DIR, 'files', 'incoming')).catch(() => []);
}

test('the whole body is a file, with its type', async () => {
  const received = await receiveFile(request({ 'content-type': 'Text/Plain; charset=utf-8' }, 'Hel', 'lo'), upload, actor);
  expect(received).toEqual({ ...hello, filename: undefined, contentType: 'text/plain' });
  // What curl says of any data.
  const untyped = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await receiveFile(request(untyped, 'Hello'), upload, actor)).toMatchObject({ ...hello, contentType: '' });
});

test.each([
  ['browsers', disposition('name="file"; filename="Ünïcode \\"1\\".pdf"'), 'Ünïcode "1".pdf'],
  ['.NET', disposition("name=file; filename=x.pdf; filename*=utf-8''f%C3%B6o.pdf"), 'föo.pdf'],
  ['clients that send the whole path', disposition('name="file"; filename="C:\\\\me\\\\offer.pdf"'), 'offer.pdf'],
  ['clients without names', disposition('name="file"'), undefined],
])('of a form of %s, the file is taken with its name', async (_, head, filename) => {
  const body = `${part(disposition('name="note"'), 'x')}${part(`${head}Content-Type: application/PDF\r\n`)}${end}`;
  expect(await receiveFile(request(form, body), upload, actor)).toEqual({ ...hello, filename, contentType: 'application/pdf' });
});

test('the bytes are those that were sent, however they come', async () => {
  const anything = fc.uint8Array({ minLength: 1, maxLength: 5_000 });
  await fc.assert(
    fc.asyncProperty(anything, fc.integer({ min: 1, max: 700 }), async (content, step) => {
      const head = part(disposition('name="file"; filename="a"'), '').slice(0, -2);
      const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n${end}`)]);
      const chunks = Array.from({ length: Math.ceil(body.length / step) }, (_, index) =>
        body.subarray(index * step, (index + 1) * step),
      );
      const received = await receiveFile(request(form, ...chunks), upload, actor);
      expect(received).toMatchObject({ size: content.length, sha256: sha256(content) });
    }),
    { numRuns: 30 },
  );
  const stored = await openStored(hello.sha256);
  expect(Buffer.concat((await stored?.stream.toArray()) ?? []).toString()).toBe('Hello');
});

test('no file, or an empty one, is refused', async () => {
  const empty = part(disposition('name="file"; filename="a"'), '');
  const other = part(disposition('name="picture"; filename="a"'));
  for (const sent of [request({}), request({}, ''), request(form), request(form, empty + end), request(form, other + end)]) {
    await expect(receiveFile(sent, upload, actor)).rejects.toMatchObject(problem(/^is required/));
  }
  await expect(receiveFile(request(form, file + file + end), upload, actor)).rejects.toMatchObject(problem(/more than once/));
});

test('a file that is too large is refused, announced or not', async () => {
  const large = 'x'.repeat(maximum + 1);
  const announced = { 'content-length': '200000' };
  const [head] = file.split('Hello');
  const tooLarge = { code: 'payload_too_large', message: `A file may have at most ${maximum} bytes.` };
  for (const sent of [
    request({}, large),
    request(announced, 'x'),
    request({ ...form, ...announced }, 'x'),
    request(form, `${head}${large}\r\n${end}`),
    request(form, head ?? '', ...Array.from({ length: 200 }, () => 'x'.repeat(1_000))),
    // Not the file, but the form.
    request(form, ...Array.from({ length: 200 }, () => part(disposition('name="note"'), 'x'.repeat(1_000)))),
  ]) {
    await expect(receiveFile(sent, upload, actor)).rejects.toMatchObject(tooLarge);
  }
  await expect.poll(unfinished).toEqual([]);
});

test('a form that ends early or is none is refused, wherever it ends', async () => {
  const whole = file + end;
  for (let length = 1; length < whole.length - 4; length += 3) {
    const received = receiveFile(request(form, whole.slice(0, length)), upload, actor);
    await expect(received, whole.slice(0, length)).rejects.toMatchObject(problem(/ends early or is malformed/));
  }
  await expect(receiveFile(request(form, 'Hello'), upload, actor)).rejects.toMatchObject(problem(/malformed/));
  const without = { 'content-type': 'multipart/form-data' };
  await expect(receiveFile(request(without, file + end), upload, actor)).rejects.toMatchObject(problem(/without a boundary/));
  expect(await unfinished()).toEqual([]);
});

test('a sender that stops gets the reason, and leaves nothing', async () => {
  const slow = new AppError('request_timeout', 'too slow');
  for (const headers of [form, { 'content-type': 'text/plain' }]) {
    await expect(receiveFile(request(headers, file, slow), upload, actor)).rejects.toBe(slow);
    await expect(receiveFile(request(headers, file.slice(0, -4), slow), upload, actor)).rejects.toBe(slow);
  }
  expect(await unfinished()).toEqual([]);
});

test('a compressed body is not read', async () => {
  await expect(receiveFile(request({ 'content-encoding': 'gzip' }, 'x'), upload, actor)).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
});

test('a caller who may not upload is refused before anything of the file is read', async () => {
  const full = new AppError('quota_exceeded', 'full');
  const unread = { ...request({}, 'x'), body: { [Symbol.asyncIterator]: () => expect.unreachable() } };
  const admit = () => Promise.reject(full);
  await expect(receiveFile(unread, { maximumBytes: maximum, admit }, actor)).rejects.toBe(full);
});
