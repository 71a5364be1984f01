import { expect, test, vi } from 'vitest';
import { createFrontdesk } from '../src/index.js';
import { start } from './local-server.js';

const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

test('one flat input becomes path and query of a read', async () => {
  const { frontdesk, received } = await start([{}, {}, {}]);
  await frontdesk.customers.get({ id });
  await frontdesk.conversations.messages({
    conversationId: 'a/b c',
    limit: 5,
    includeAttachments: true,
    direction: undefined as never,
  });
  await frontdesk.customers.list();
  expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', `/api/v1/identity/customers/${id}`, ''],
    ['GET', '/api/v1/conversations/a%2Fb%20c/messages?limit=5&includeAttachments=true', ''],
    ['GET', '/api/v1/identity/customers', ''],
  ]);
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer sk_live_test', accept: 'application/json' });
  expect(received[0]?.headers['idempotency-key']).toBeUndefined();
});

test('of a write it becomes path and JSON body', async () => {
  const { frontdesk, received } = await start([{}, {}, {}, {}]);
  await frontdesk.customers.update({ id, company: 'Quark', tags: [] });
  await frontdesk.customers.update({ id });
  await frontdesk.customers.removeContact({ id, guid: 'g' });
  await frontdesk.blog.publish({ postId: 'p' });
  expect(received.map(({ method, url, headers, body }) => [method, url, headers['content-type'], body])).toEqual([
    ['PATCH', `/api/v1/identity/customers/${id}`, 'application/json', '{"company":"Quark","tags":[]}'],
    ['PATCH', `/api/v1/identity/customers/${id}`, 'application/json', '{}'],
    ['DELETE', `/api/v1/identity/customers/${id}/contacts/g`, undefined, ''],
    ['POST', '/api/v1/blog/posts/p/publish', undefined, ''],
  ]);
});

test('a merge patch is sent as one where it is asked for', async () => {
  const { frontdesk, received } = await start([{}, {}]);
  await frontdesk.identity.update({ profile: { about: null } }, { mergePatch: true });
  await frontdesk.identity.update({ profile: { about: null } });
  expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
    ['application/merge-patch+json', '{"profile":{"about":null}}'],
    ['application/json', '{"profile":{"about":null}}'],
  ]);
});

test('a file is the body, with its name in the query, and is sent again whole', async () => {
  const { frontdesk, received } = await start([{ status: 503 }, {}, {}, {}]);
  await frontdesk.conversations.uploadAttachment({ file: new File(['An offer.'], 'offer ü.pdf', { type: 'application/pdf' }) });
  await frontdesk.conversations.uploadAttachment({ file: new Blob(['x'], { type: 'text/plain' }), filename: 'x.txt' });
  await frontdesk.conversations.uploadAttachment({ file: new TextEncoder().encode('y') });
  const path = '/api/v1/attachments';
  expect(received.map(({ method, url, headers, body }) => [method, url, headers['content-type'], body])).toEqual([
    ['POST', `${path}?filename=offer+%C3%BC.pdf`, 'application/pdf', 'An offer.'],
    ['POST', `${path}?filename=offer+%C3%BC.pdf`, 'application/pdf', 'An offer.'],
    ['POST', `${path}?filename=x.txt`, 'text/plain', 'x'],
    ['POST', path, 'application/octet-stream', 'y'],
  ]);
  expect(received[0]?.headers['idempotency-key']).toBe(received[1]?.headers['idempotency-key']);
});

for (const wrong of ['', '.', '..', undefined]) {
  test(`an id "${wrong}" never reaches another operation`, async () => {
    const { frontdesk, received } = await start([{}]);
    await expect(frontdesk.customers.delete({ id: wrong as string })).rejects.toThrow(/needs "id"/);
    expect(received).toEqual([]);
  });
}

test('the address may have a path, a slash, or already end in /api/v1', async () => {
  const { baseUrl, received } = await start(() => ({}));
  for (const suffix of ['', '/', '/api/v1', '/api/v1/', '/desk/']) {
    await createFrontdesk({ baseUrl: baseUrl + suffix, apiKey: 'k' }).usage.stats();
  }
  const plain = '/api/v1/usage/stats';
  expect(received.map(({ url }) => url)).toEqual([plain, plain, plain, plain, `/desk${plain}`]);
});

test.each([
  ['desk.example', 'baseUrl must be an address such as https://desk.example, not "desk.example".'],
  ['ftp://desk.example', 'baseUrl must be an address such as https://desk.example, not "ftp://desk.example".'],
  ['https:desk.example', 'baseUrl must be an address such as https://desk.example, not "https:desk.example".'],
  ['', 'baseUrl must be an address such as https://desk.example, not "".'],
  [undefined, 'baseUrl must be an address such as https://desk.example, not undefined.'],
  ['https://me:secret@desk.example', 'baseUrl must hold no user or password; the key goes into apiKey.'],
  ['https://desk.example/?a=1', 'baseUrl must end with its path, without ?a=1.'],
  ['https://desk.example/#/keys', 'baseUrl must end with its path, without #/keys.'],
])('a bad baseUrl says what is wrong: %s', (baseUrl, message) => {
  const create = () => createFrontdesk({ baseUrl: baseUrl as string, apiKey: 'k' });
  expect(create).toThrow(new TypeError(message));
});

test('headers of client and call are sent; a key may come from a function', async () => {
  const keys = ['first', 'second'];
  const apiKey = vi.fn(async () => keys.shift() ?? '');
  const { frontdesk, received } = await start([{}, {}], { apiKey, headers: { 'X-Shop': 'a', 'X-Till': '1' } });
  await frontdesk.usage.stats({}, { headers: { 'X-Request-Id': 'mine', 'x-till': '2' } });
  await frontdesk.usage.stats();
  expect(
    received.map(({ headers }) => [headers.authorization, headers['x-shop'], headers['x-till'], headers['x-request-id']]),
  ).toEqual([
    ['Bearer first', 'a', '2', 'mine'],
    ['Bearer second', 'a', '1', undefined],
  ]);
});

test('the fetch given is used, as a plain function', async () => {
  const fetch = vi.fn(async function (this: unknown) {
    expect(this).toBeUndefined();
    return new Response('{"success":true}');
  });
  const frontdesk = createFrontdesk({ baseUrl: 'https://desk.example', apiKey: 'k', fetch });
  expect(await frontdesk.customers.delete({ id })).toEqual({ success: true });
  expect(fetch).toHaveBeenCalledOnce();
});
