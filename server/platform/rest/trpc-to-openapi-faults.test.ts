import { generateOpenApiDocument } from 'trpc-to-openapi';
import { describe, expect, test, vi } from 'vitest';
import { contactGuid } from '@/server/features/customers/contact-guid';
import { createCustomerInput, listCustomersInput } from '@/server/features/customers/customer.schema';
import { updateIdentityInput } from '@/server/features/identity/identity.schema';
import { rest } from '@/server/registry';
import { callerAs } from '@/server/testing/caller';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

/** One test for each fault measured in trpc-to-openapi's own request handler, the reason for the dispatcher (docs/adr/0002). */

vi.mock('trpc-to-openapi', { spy: true });

withFreshDatabase();
const call = withHttpServer();

const customers = '/api/v1/identity/customers';

async function createOne(key: string, email = 'ann@x.io'): Promise<string> {
  const { body } = await call('POST', customers, { key, json: { contacts: [{ email }], company: 'Quark' } });
  return (body as { id: string }).id;
}

describe('types in a body are not coerced', () => {
  const service = { name: 'x', price: 1, currency: 'EUR', billingInterval: 'monthly', active: true };

  test.each([
    ['price', '5'],
    ['price', ''],
    ['price', null],
    ['price', []],
    ['price', true],
    ['active', 'false'],
    ['active', 'true'],
    ['active', 0],
    ['active', null],
    ['name', 5],
  ])('a service’s %s is not %j', async (field, value) => {
    const { key } = await createTestIdentity();
    const json = { profile: { services: [{ ...service, [field]: value }] } };
    const answer = await call('PATCH', '/api/v1/identity', { key, json });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      details: { fields: { [`profile.services.0.${field}`]: expect.stringMatching(/^must be /) } },
    });
    expect((await call('GET', '/api/v1/identity', { key })).body).toMatchObject({ profile: null });
  });

  test('and null is a value only where it may be', async () => {
    const { key } = await createTestIdentity();
    for (const field of ['company', 'phone', 'notes', 'tags', 'metadata']) {
      const { status } = await call('POST', customers, { key, json: { contacts: [{ email: 'ann@x.io' }], [field]: null } });
      expect([field, status]).toEqual([field, 400]);
    }
    expect((await call('PATCH', '/api/v1/identity', { key, json: { displayName: null, profile: null } })).status).toBe(200);
  });
});

test('reading a query does not make schemas lax for everybody else from then on', async () => {
  const { key, actor } = await createTestIdentity();
  expect((await call('GET', `${customers}?limit=5&offset=0`, { key })).status).toBe(200);
  expect((await call('PATCH', '/api/v1/identity', { key, json: { displayName: 'x' } })).status).toBe(200);
  expect(listCustomersInput.safeParse({ limit: '5' }).success).toBe(false);
  expect(updateIdentityInput.safeParse({ displayName: 5 }).success).toBe(false);
  expect(createCustomerInput.safeParse({ contacts: [{ email: 'ann@x.io' }], tags: 'a' }).success).toBe(false);
  await expect(callerAs(actor).customers.list({ limit: '5' } as never)).rejects.toThrow('limit: must be a number');
});

test.each(['[1,2]', '[]', 'null', '"abc"', '5'])('a body of %s is not taken for an empty object', async (body) => {
  const { key } = await createTestIdentity({ displayName: 'Kept' });
  const answer = await call('PATCH', '/api/v1/identity', { key, body, headers: { 'content-type': 'application/json' } });
  expect(answer.status).toBe(400);
  expect((await call('GET', '/api/v1/identity', { key })).body).toMatchObject({ displayName: 'Kept', updatedAt: null });
});

test('what is created answers 201, what is there already 200, and deleting answers at all', async () => {
  const { key } = await createTestIdentity();
  const created = await call('POST', customers, { key, json: { contacts: [{ email: 'ann@x.io' }] } });
  expect(created.status).toBe(201);
  const path = `${customers}/${(created.body as { id: string }).id}`;
  expect((await call('POST', `${path}/contacts`, { key, json: { email: 'bob@x.io' } })).status).toBe(201);
  expect((await call('POST', `${path}/contacts`, { key, json: { email: 'bob@x.io' } })).status).toBe(200);
  expect(await call('DELETE', path, { key })).toMatchObject({ status: 200, body: { success: true } });
});

describe('methods', () => {
  test('a wrong one is 405 and tells the right ones', async () => {
    const { key } = await createTestIdentity();
    expect(await call('DELETE', '/api/v1/identity', { key })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, PATCH, HEAD, OPTIONS' },
    });
    expect(await call('GET', `${customers}/x/contacts`)).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
    expect(await call('PROPFIND', '/api/v1/identity')).toMatchObject({ status: 405 });
    expect(await call('GET', '/api/v1/nothing')).toMatchObject({
      status: 404,
      headers: expect.not.objectContaining({ allow: expect.anything() }),
    });
  });

  test('OPTIONS tells them too, without a key and without a body', async () => {
    expect(await call('OPTIONS', customers)).toMatchObject({
      status: 204,
      text: '',
      headers: { allow: 'GET, POST, HEAD, OPTIONS' },
    });
    expect(await call('OPTIONS', '/api/v1/nothing')).toMatchObject({ status: 404 });
  });

  test('HEAD is GET without the body', async () => {
    const { key } = await createTestIdentity();
    const get = await call('GET', '/api/v1/identity', { key });
    const head = await call('HEAD', '/api/v1/identity', { key });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': get.headers['content-length'] } });
    expect(await call('HEAD', '/api/v1/identity')).toMatchObject({ status: 401, text: '' });
    expect(await call('HEAD', `${customers}/x`, { key })).toMatchObject({ status: 400, text: '' });
  });
});

describe('paths', () => {
  test('are decoded', async () => {
    const { key } = await createTestIdentity();
    const id = await createOne(key);
    const encoded = contactGuid('ann@x.io').replaceAll('-', '%2D');
    expect(await call('GET', `${customers}/by-contact/${encoded}`, { key })).toMatchObject({ status: 200, body: { id } });
    expect(await call('GET', `/api/v1/identity/c%75stomers/${id}`, { key })).toMatchObject({ status: 200 });
  });

  test.each([
    '/api/v1/Identity',
    '/api/v1/IDENTITY/CUSTOMERS',
    '/api/V1/identity',
    '/api/v1/identity/',
    '/api/v1//identity',
    '/api/v1',
    '/api/v1/',
  ])('%s is another path', async (path) => {
    const { key } = await createTestIdentity();
    const { status } = await call('GET', path, { key });
    expect([404, 418]).toContain(status);
  });

  test('a static one is not shadowed by one with a parameter', async () => {
    const { key } = await createTestIdentity();
    const answer = await call('GET', `${customers}/by-contact/${contactGuid('nobody@x.io')}`, { key });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', message: 'Resource not found or access denied' } });
    // "by-contact" alone can only be an id, and is invalid.
    expect(await call('GET', `${customers}/by-contact`, { key })).toMatchObject({
      status: 400,
      body: { details: { fields: { id: 'must be a UUID' } } },
    });
  });

  test('are found below the prefix only, whatever the host and the rest are called', async () => {
    const { key } = await createTestIdentity();
    expect(await call('GET', '/api/v1/identity', { key, headers: { host: 'api.v1.example.com' } })).toMatchObject({
      status: 200,
    });
    expect(await call('GET', `${customers}/api/v1`, { key })).toMatchObject({ status: 404 });
    expect((await call('GET', '/x/api/v1/identity', { key })).status).toBe(418);
    expect((await call('GET', '/api/v1x/identity', { key })).status).toBe(418);
    for (const host of ['api', 'api.example.com']) {
      expect((await call('GET', '/api/v1/identity?limit=5', { key, headers: { host } })).status).toBe(200);
    }
  });
});

describe('queries', () => {
  test.each([
    'constructor=1',
    '__proto__=1',
    '__proto__[x]=1',
    'toString=1',
    'hasOwnProperty=1',
    'tags[]=a&tags[]=b',
    'a.b=1',
    '=',
    '&&',
    '%00=1',
  ])('?%s is not known and does no harm', async (query) => {
    const { key } = await createTestIdentity();
    expect(await call('GET', `${customers}?${query}`, { key })).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await call('GET', `/api/v1/identity?${query}`, { key })).toMatchObject({ status: 200 });
  });

  test('are not where a body belongs', async () => {
    const { key } = await createTestIdentity();
    expect(await call('PATCH', '/api/v1/identity?displayName=Query', { key, json: {} })).toMatchObject({
      status: 200,
      body: { displayName: null },
    });
    expect(await call('GET', customers, { key, json: { limit: 0, offset: 'x' } })).toMatchObject({ status: 200 });
  });
});

describe('bodies', () => {
  test('of a DELETE are looked at', async () => {
    const { key } = await createTestIdentity();
    const stranger = await createTestIdentity();
    const id = await createOne(key);
    const json = { identityId: stranger.identityId };
    expect(await call('DELETE', `${customers}/${id}`, { key, json })).toMatchObject({
      status: 403,
      body: { code: 'identity_override' },
    });
    expect(await call('GET', `${customers}/${id}`, { key })).toMatchObject({ status: 200 });
    // The path determines the customer, regardless of the body.
    const other = await createOne(key, 'bob@x.io');
    expect(await call('DELETE', `${customers}/${id}`, { key, json: { id: other } })).toMatchObject({ status: 200 });
    expect(await call('GET', `${customers}/${other}`, { key })).toMatchObject({ status: 200 });
  });

  test('of three megabytes are refused, announced or not, and the connection goes on', async () => {
    const { key } = await createTestIdentity();
    const body = JSON.stringify({ contacts: [{ email: 'ann@x.io' }], notes: 'x'.repeat(3_000_000) });
    const announced = await call('POST', customers, { key, body, headers: { 'content-type': 'application/json' } });
    expect(announced.status).toBe(413);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect((await call('POST', customers, { key, body, headers })).status).toBe(413);
    expect((await call('GET', customers, { key })).status).toBe(200);
  });
});

test('routes and document are made once, not per request', async () => {
  const before = rest.routes.all;
  const texts = await Promise.all(Array.from({ length: 5 }, async () => (await call('GET', '/api/v1/openapi.json')).text));
  expect(new Set(texts).size).toBe(1);
  expect(generateOpenApiDocument).toHaveBeenCalledTimes(1);
  expect(rest.routes.all).toBe(before);
});
