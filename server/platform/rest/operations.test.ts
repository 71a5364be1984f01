import { beforeAll, describe, expect, test } from 'vitest';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { begins, type Ids } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bodyOf, contentOf, createRecords, named, pathOf, queryOf } from '@/server/testing/operations';
import { withHttpServer } from '@/server/testing/rest';
import type { RestRoute } from './route-table';

/** Rules for every operation, generated from the registry. */

withFreshDatabase();
const call = withHttpServer();

let caller: TestIdentity;
let stranger: TestIdentity;
let foreign: Ids;
/** What the stranger reads of each of its records. */
let before: string[];

const records = rest.routes.all.filter(({ operation }) => operation.version);

function readForeign(): Promise<string[]> {
  const read = (route: RestRoute) => call('GET', pathOf(route, foreign), { key: stranger.key });
  return Promise.all(records.map(async (route) => (await read(route)).text));
}

/** Read only: tests in this file must not change other identities' data. */
beforeAll(async () => {
  caller = await createTestIdentity();
  stranger = await createTestIdentity();
  foreign = await createRecords(stranger);
  before = await readForeign();
});

/** An error's name: blog and calendar have their own (specification, "Errors"). */
function refusalOf({ area }: RestRoute, title: keyof typeof blogTitles): object {
  if (area?.path === '/calendar') return { success: false, error: expect.not.stringMatching(/^$/) };
  return { error: area?.path === '/blog' ? blogTitles[title] : title };
}

/** The 404 body of each area. */
function notFoundIn({ area }: RestRoute): object {
  if (area?.path === '/calendar') return { success: false, error: 'Event not found' };
  if (area?.path === '/blog') return { error: 'NotFound', message: 'Blog post not found' };
  return { error: 'Not found', message: 'Resource not found or access denied' };
}

const blogTitles = {
  'Invalid request': 'ValidationError',
  'Not found': 'NotFound',
  'Method not allowed': 'MethodNotAllowed',
  'Payload too large': 'PayloadTooLarge',
  'Unsupported media type': 'UnsupportedMediaType',
};

const routes = rest.routes.all;

test('there is something to check', () => {
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

describe.each(named(routes))('%s', (_, route) => {
  const path = () => pathOf(route, foreign);

  test('without a key', async () => {
    const { status, headers, body } = await call(route.method, path(), contentOf(route));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(headers['x-ratelimit-limit']).toBeUndefined();
    expect(body).toEqual({
      error: 'Unauthorized',
      message: 'Invalid or expired API key',
      code: 'missing_key',
      requestId: headers['x-request-id'],
    });
  });

  test('with a session cookie instead of a key', async () => {
    const { status, body } = await call(route.method, path(), {
      ...contentOf(route),
      headers: { cookie: 'frontdesk.session=x' },
    });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'missing_key' });
  });

  const override = {
    status: 403,
    body: { error: 'Forbidden', message: 'identityId does not match the API key', code: 'identity_override' },
  };

  test('for another identity, named in the query', async () => {
    for (const identityId of [stranger.identityId, '', 'x']) {
      const query = `?identityId=${identityId}`;
      expect(await call(route.method, path() + query, { key: caller.key, ...contentOf(route) })).toMatchObject(override);
    }
    const twice = `?identityId=${caller.identityId}&identityId=${stranger.identityId}`;
    expect(await call(route.method, path() + twice, { key: caller.key, ...contentOf(route) })).toMatchObject(override);
  });

  test.skipIf(route.rest.upload)('for another identity, named in the body', async () => {
    for (const identityId of [stranger.identityId, '', null, 5, [caller.identityId], {}]) {
      const json = { ...bodyOf(route), identityId };
      expect(await call(route.method, path(), { key: caller.key, json })).toMatchObject(override);
    }
  });

  test('for one’s own identity, named as one likes', async () => {
    const identityId = caller.identityId;
    const own = { ...bodyOf(route), identityId: identityId.toUpperCase() };
    const { status } = await call(route.method, `${path()}?identityId=${identityId}&${queryOf(route, foreign)}`, {
      key: caller.key,
      ...(route.rest.upload ? contentOf(route) : { json: own }),
    });
    expect(status).not.toBe(403);
    expect([200, 201, 404]).toContain(status);
  });

  test('with a method it does not have', async () => {
    const has = (method: string) => routes.some((other) => other.path === route.path && other.method === method);
    const missing = has('PUT') ? 'PATCH' : 'PUT';
    const { status, headers, body } = await call(missing, path(), { key: caller.key, json: {} });
    expect(status).toBe(405);
    expect(headers.allow?.split(', ')).toContain(route.method);
    expect(headers.allow?.split(', ')).not.toContain(missing);
    expect(body).toMatchObject({ ...refusalOf(route, 'Method not allowed'), code: 'method_not_allowed' });
  });
});

const withParameters = routes.filter((route) => route.segments.some(({ parameter }) => parameter));

describe.each(named(withParameters))('%s of another identity', (_, route) => {
  test.skipIf(begins.includes(route.name))('is not found, in the same words as one that does not exist', async () => {
    const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
    const unknownIds = Object.fromEntries(Object.keys(foreign).map((name) => [name, unknownId]));
    const unknown = { ...unknownIds, guid: '53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb', provider: 'microsoft' };
    for (const ids of [foreign, unknown]) {
      const answer = await call(route.method, pathOf(route, ids), { key: caller.key, json: bodyOf(route) });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        ...notFoundIn(route),
        code: 'not_found',
        requestId: answer.headers['x-request-id'],
      });
    }
    expect(await readForeign()).toEqual(before);
  });

  test('by an id that is none is refused, each bad one named', async () => {
    const malformed = Object.fromEntries(
      route.segments.filter(({ parameter }) => parameter).map(({ text }) => [text, 'not-an-id']),
    );
    const { status, body } = await call(route.method, pathOf(route, malformed), { key: caller.key, json: bodyOf(route) });
    if (route.area?.path === '/calendar') {
      expect(status).toBe(404);
      return expect(body).toMatchObject(notFoundIn(route));
    }
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...refusalOf(route, 'Invalid request'), code: 'invalid_request' });
    if (route.area?.path === '/blog') expect(body).toMatchObject({ message: 'Invalid postId format. Must be a valid UUID.' });
    const { fields } = (body as { details: { fields: Record<string, string> } }).details;
    const refused = Object.keys(malformed).map((name) => [name, expect.stringMatching(/^must be (?:a UUID|one of: .+)$/)]);
    expect(fields).toEqual(Object.fromEntries(refused));
  });
});

const withBody = routes.filter((route) => route.takesBody);

describe.each(named(withBody))('%s with a body that is none', (_, route) => {
  const path = () => pathOf(route, foreign);
  const expected =
    route.area?.path === '/identity'
      ? { error: 'Invalid request body', message: 'Request body must be a JSON object' }
      : { ...refusalOf(route, 'Invalid request'), code: 'invalid_request' };

  test.each(['', '{', '[]', '[{}]', 'null', '"x"', '5', 'true'])('%j', async (body) => {
    const answer = await call(route.method, path(), { key: caller.key, body, headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(expected);
  });

  test('of another type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await call(route.method, path(), { key: caller.key, body: '{}', headers });
      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject({ ...refusalOf(route, 'Unsupported media type'), code: 'unsupported_media_type' });
    }
  });

  test('that is too large', async () => {
    const json = { ...bodyOf(route), padding: 'x'.repeat(route.rest.maximumBodyBytes ?? 1024 * 1024) };
    const answer = await call(route.method, path(), { key: caller.key, json });
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ ...refusalOf(route, 'Payload too large'), code: 'payload_too_large' });
  });

  test('that can not be stored, anywhere in it', async () => {
    for (const text of ['"a\\u0000"', '"\\ud800"', '1e400', '12345678901234567890']) {
      const body = `${JSON.stringify(bodyOf(route)).slice(0, -1)},"unknownKey":{"deep":[${text}]}}`;
      const answer = await call(route.method, path(), { key: caller.key, body, headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'invalid_request',
        details: { fields: { 'unknownKey.deep.0': expect.any(String) } },
      });
    }
  });
});
