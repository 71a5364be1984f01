import { describe, expect, test } from 'vitest';
import { type AppError, isAppError } from '@/server/platform/errors';
import type { BodySource } from '../http/request-body';
import { readBody, readPath, readQuery } from './request-input';
import type { QueryKind, RestRoute } from './route-table';

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('a query', () => {
  const known = new Map<string, QueryKind>([
    ['limit', 'number'],
    ['isRead', 'boolean'],
    ['search', 'string'],
  ]);
  const read = (query: string) => readQuery(new URLSearchParams(query), known);

  test('is read as the kinds the operation wants', () => {
    expect(read('limit=5&isRead=true&search=5')).toEqual({ limit: 5, isRead: true, search: '5' });
    expect(read('limit=-1')).toEqual({ limit: -1 });
    expect(read('limit=1.5')).toEqual({ limit: 1.5 });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('isRead=%s is %j', (text, value) => {
    expect(read(`isRead=${text}`)).toEqual({ isRead: value });
  });

  test.each(['', 'TRUE', 'yes', 'on', 'null', '2', '00', ' true', 'constructor', '__proto__'])(
    'isRead=%s stays text, which no boolean field takes',
    (text) => {
      expect(read(`isRead=${encodeURIComponent(text)}`)).toEqual({ isRead: text });
    },
  );

  test.each(['', ' 5', '5 ', '+5', '0x10', '1e3', '1_000', '1,5', '.5', '5.', 'Infinity', 'NaN', 'null', '[]', '٥', '5\n'])(
    'limit=%j stays text, which no number field takes',
    (text) => {
      expect(read(`limit=${encodeURIComponent(text)}`)).toEqual({ limit: text });
    },
  );

  test('may carry what the operation does not know', () => {
    expect(read('utm=1&constructor=1&toString=1&__proto__=1&hasOwnProperty=1')).toEqual({});
    expect(read('')).toEqual({});
  });

  test('names what is given twice, all of it', () => {
    expect(refusal(() => read('limit=1&limit=2&search=a&search=a&isRead=1&x=1&x=2')).details).toEqual({
      fields: { limit: 'is given more than once', search: 'is given more than once' },
    });
  });

  test('is decoded once', () => {
    expect(read('search=a%2Bb+c%2525')).toEqual({ search: 'a+b c%25' });
  });
});

describe('a path', () => {
  test('is decoded segment by segment, so that an encoded slash stays inside', () => {
    expect(readPath('/a/b%2Fc/d%40e.com/%F0%9F%98%80')).toEqual(['a', 'b/c', 'd@e.com', '😀']);
  });

  test.each(['/a/%', '/a/%zz', '/a/%E4', '/a/%ED%A0%80', '/a/%C0%80'])('%s does not encode UTF-8', (path) => {
    expect(refusal(() => readPath(path))).toMatchObject({
      code: 'invalid_request',
      status: 400,
      details: { fields: { path: expect.any(String) } },
    });
  });
});

function request(content: string | Uint8Array | null, headers: Record<string, string> = {}): BodySource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const all: Record<string, string> = bytes
    ? { 'content-type': 'application/json', 'content-length': String(bytes.byteLength), ...headers }
    : headers;
  return {
    headers: { get: (name) => all[name] ?? null, has: (name) => all[name] !== undefined },
    body: {
      async *[Symbol.asyncIterator]() {
        for (let at = 0; bytes && at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
      },
    },
  };
}

const general = {
  name: 'test.write',
  method: 'POST',
  path: '/things',
  segments: [{ text: 'things', parameter: false }],
  area: undefined,
  rest: {},
  query: new Map(),
  meta: {},
  takesBody: true,
} satisfies Partial<RestRoute> as unknown as RestRoute;

async function bodyRefusal(source: BodySource, route: Partial<RestRoute> = {}): Promise<AppError> {
  try {
    await readBody(source, { ...general, ...route });
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('a body', () => {
  test('is an object', async () => {
    expect(await readBody(request('{"a":1}'), general)).toEqual({ a: 1 });
    expect(await readBody(request('\ufeff{"a":"\\u00e4 ä"} '), general)).toEqual({ a: 'ä ä' });
  });

  test.each(['[1,2]', '[]', 'null', '"abc"', '5', 'true', '', ' ', '{', '{"a":1}}', "{'a':1}", '{"a":1,}', 'a=1', '\u0000'])(
    '%j is not one',
    async (content) => {
      expect(await bodyRefusal(request(content))).toMatchObject({
        code: 'invalid_request',
        details: { fields: { body: 'must be a JSON object' } },
      });
      expect(await bodyRefusal(request(content), { area: { path: '/identity', noObject: 'invalid_body' } })).toMatchObject({
        code: 'invalid_body',
        title: 'Invalid request body',
        message: 'Request body must be a JSON object',
      });
    },
  );

  test('is UTF-8', async () => {
    expect((await bodyRefusal(request(Buffer.from('{"a":"\xe4"}', 'latin1')))).status).toBe(400);
    expect((await bodyRefusal(request(Buffer.from('{"a":1}', 'utf16le')))).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
    'application/merge-patch+json',
    '',
  ])('sent as %j is refused', async (type) => {
    expect((await bodyRefusal(request('{"a":1}', { 'content-type': type }))).code).toBe('unsupported_media_type');
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    ' application/json ',
  ])('sent as %j is taken', async (type) => {
    expect(await readBody(request('{"a":1}', { 'content-type': type }), general)).toEqual({ a: 1 });
  });

  test('may be a merge patch where the operation says so', async () => {
    const route = { ...general, rest: { acceptsMergePatch: true } };
    expect(await readBody(request('{"a":1}', { 'content-type': 'application/merge-patch+json' }), route)).toEqual({ a: 1 });
    expect(await readBody(request('{"a":1}'), route)).toEqual({ a: 1 });
  });

  test('may have exactly the bytes allowed, and not one more', async () => {
    const of = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    const mebibyte = 1024 * 1024;
    expect((await readBody(request(of(mebibyte)), general)).a).toHaveLength(mebibyte - 8);
    expect(await bodyRefusal(request(of(mebibyte + 1)))).toMatchObject({ code: 'payload_too_large', status: 413 });
    const small = { rest: { maximumBodyBytes: 100 } };
    expect(await readBody(request(of(100)), { ...general, ...small })).toBeTruthy();
    expect((await bodyRefusal(request(of(101)), small)).code).toBe('payload_too_large');
  });

  test('is counted while it is read where its length was not announced or not true', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    const large = `{"a":"${'x'.repeat(2_000_000)}"}`;
    expect(
      (
        await bodyRefusal({
          ...request(large),
          headers: request(null, { ...chunked, 'content-type': 'application/json' }).headers,
        })
      ).code,
    ).toBe('payload_too_large');
    expect((await bodyRefusal(request(large, { 'content-length': '10' }))).code).toBe('payload_too_large');
  });

  test('that is announced as too large is refused before it is read', async () => {
    const source = request('{}', { 'content-length': '9999999' });
    const never: BodySource = {
      headers: source.headers,
      body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) },
    };
    expect((await bodyRefusal(never)).code).toBe('payload_too_large');
  });
});

describe('no body', () => {
  const empty = request(null);
  const zero = request(null, { 'content-length': '0', 'content-type': 'text/plain' });
  const emptyChunks = request(null, { 'transfer-encoding': 'chunked', 'content-type': 'application/octet-stream' });

  test.each([
    ['none at all', empty],
    ['one of no bytes', zero],
  ])('%s is refused where one is needed', async (_, source) => {
    expect((await bodyRefusal(source)).code).toBe('invalid_request');
  });

  test.each([
    ['none at all', empty],
    ['one of no bytes', zero],
    ['one of no chunks', emptyChunks],
  ])('%s is fine where none is needed, with any content type', async (_, source) => {
    expect(await readBody(source, { ...general, rest: { bodyOptional: true } })).toEqual({});
    expect(await readBody(source, { ...general, method: 'DELETE', takesBody: false })).toEqual({});
  });

  test('an operation that takes none still looks at one that is there', async () => {
    const none = { ...general, method: 'DELETE' as const, takesBody: false };
    expect(await readBody(request('{"identityId":"x"}'), none)).toEqual({ identityId: 'x' });
    expect(await readBody(request('[1]'), none)).toEqual({});
    expect((await bodyRefusal(request('{'), none)).status).toBe(400);
    expect((await bodyRefusal(request('x', { 'content-type': 'text/plain' }), none)).status).toBe(415);
  });
});
