import { type Api, expect, test } from '../support/api';

/** The same rules in the two shapes that the specification has for a bad request. */
const writes = [
  { method: 'PATCH', path: '/identity', error: 'Invalid request body' },
  { method: 'POST', path: '/identity/customers', error: 'Invalid request' },
];

const mebibyte = 1024 * 1024;

/** A customer as JSON of exactly so many bytes. */
function customerOf(bytes: number, email: string): string {
  const text = JSON.stringify({ contacts: [{ email }], ignored: '' });
  return text.replace('"ignored":""', `"ignored":"${'x'.repeat(bytes - text.length)}"`);
}

async function expectNothingCreated(api: Api): Promise<void> {
  expect((await api.get('/identity/customers')).body.total).toBe(0);
}

for (const { method, path, error } of writes) {
  test(`${method} ${path}: what is no JSON object is refused`, async ({ api }) => {
    for (const raw of [
      '{',
      '{"a":1',
      '{"a":1}}',
      "{'a':1}",
      '{"a":1,}',
      '{a:1}',
      'null',
      '[]',
      '[{}]',
      '"x"',
      '1',
      'true',
      'NaN',
      '',
      ' ',
      '<a/>',
      'a=1',
    ]) {
      const { status, body } = await api.call(method, path, { raw });
      expect([raw, status, body.error]).toEqual([raw, 400, error]);
      expect(JSON.stringify(body)).not.toMatch(/SyntaxError|position|Unexpected/);
    }
    expect((await api.call(method, path)).body).toMatchObject({ error });
    const latin = { raw: Buffer.from('{"displayName":"\xe4"}', 'latin1') };
    expect((await api.call(method, path, latin)).status).toBe(400);
  });

  test(`${method} ${path}: another content type is refused`, async ({ api }) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonp',
      'json',
    ]) {
      const { status, body } = await api.call(method, path, { raw: '{}', headers: { 'Content-Type': type } });
      expect([type, status]).toEqual([type, 415]);
      expect(body).toMatchObject({ error: 'Unsupported media type', code: 'unsupported_media_type' });
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON']) {
      const { status } = await api.call(method, path, { raw: '{}', headers: { 'Content-Type': type } });
      expect([type, status === 415]).toEqual([type, false]);
    }
  });

  test(`${method} ${path}: what can not be stored is refused wherever it stands`, async ({ api }) => {
    for (const text of [
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udc00x"',
      '1e400',
      '-1e400',
      '9007199254740993',
      '123456789012345678901234567890',
    ]) {
      for (const [raw, field] of [
        [`{"displayName":${text},"company":${text}}`, method === 'PATCH' ? 'displayName' : 'company'],
        [`{"metadata":{"a":[${text}]},"profile":{"x":[${text}]}}`, method === 'PATCH' ? 'profile.x.0' : 'metadata.a.0'],
        [`{"nobodyKnowsThis":${text}}`, 'nobodyKnowsThis'],
      ]) {
        const { status, body } = await api.call(method, path, { raw });
        expect([raw, status]).toEqual([raw, 400]);
        expect(Object.keys(body.details.fields)).toContain(field);
      }
    }
  });

  test(`${method} ${path}: names that are not for data are refused, others that look like it are not`, async ({ api }) => {
    for (const raw of ['{"__proto__":{"admin":true}}', '{"metadata":{"__proto__":1},"profile":{"__proto__":1}}']) {
      const { status, body } = await api.call(method, path, { raw });
      expect([raw, status, Object.keys(body.details.fields).length > 0]).toEqual([raw, 400, true]);
    }
    const raw = '{"constructor":{},"toString":1,"hasOwnProperty":null,"length":-1,"contacts":[{"email":"ann@quark.io"}]}';
    expect((await api.call(method, path, { raw })).status).toBeLessThan(300);
  });

  test(`${method} ${path}: nesting without end is refused`, async ({ api }) => {
    for (const levels of [100, 10_000, 250_000]) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const raw = `{"metadata":{"a":${open.repeat(levels)}1${close.repeat(levels)}}}`;
        const { status } = await api.call(method, path, { raw });
        expect([levels, status]).toEqual([levels, raw.length > mebibyte ? 413 : 400]);
      }
    }
  });
}

test('a body of exactly one mebibyte is taken, one byte more is not', async ({ api }) => {
  const exact = customerOf(mebibyte, 'ann@quark.io');
  expect(Buffer.byteLength(exact)).toBe(mebibyte);
  expect((await api.call('POST', '/identity/customers', { raw: exact })).status).toBe(201);
  const { status, body } = await api.call('POST', '/identity/customers', { raw: customerOf(mebibyte + 1, 'bob@quark.io') });
  expect(status).toBe(413);
  expect(body).toMatchObject({ error: 'Payload too large', code: 'payload_too_large' });
  const wide = customerOf(mebibyte - 10, 'bob@quark.io').replace('"x', '"😀😀😀😀😀x');
  expect((await api.call('POST', '/identity/customers', { raw: wide })).status).toBe(413);
  expect((await api.get('/identity/customers')).body.total).toBe(1);
});

test('nothing is created by what is refused', async ({ api }) => {
  const contacts = [{ email: 'ann@quark.io' }];
  for (const data of [
    { contacts, tags: ['a', 5] },
    { contacts, metadata: { a: '\ud800' } },
    { contacts, company: 'x'.repeat(501) },
    { contacts, metadata: { a: 'x'.repeat(70_000) } },
    { contacts: Array.from({ length: 101 }, (_, i) => ({ email: `c${i}@x.io` })) },
  ]) {
    expect((await api.post('/identity/customers', data)).status).toBe(400);
  }
  await expectNothingCreated(api);
});

test('booleans and numbers are not texts that look like them, nor the other way around', async ({ api }) => {
  const service = { name: 'x', price: 1, currency: 'EUR', billingInterval: 'monthly', active: true };
  for (const [field, values] of Object.entries({
    price: ['5', '', null, [], {}, true],
    active: ['true', 'false', '', 0, 1, null, []],
    name: [5, true, null, ['x'], {}],
  })) {
    for (const value of values) {
      const { status, body } = await api.patch('/identity', { profile: { services: [{ ...service, [field]: value }] } });
      expect([field, value, status]).toEqual([field, value, 400]);
      expect(Object.keys(body.details.fields)).toEqual([`profile.services.0.${field}`]);
    }
  }
  expect((await api.get('/identity')).body.profile).toBeNull();
});

test('an operation that takes no body takes none of another type, and an empty one of any', async ({ api }) => {
  const path = `/identity/customers/${(await api.createCustomer()).id}`;
  expect((await api.delete(path, { raw: 'x', headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
  expect((await api.delete(path, { raw: '{' })).status).toBe(400);
  expect((await api.get(path)).status).toBe(200);
  expect((await api.delete(path, { headers: { 'Content-Type': 'text/plain' } })).status).toBe(200);
});

test('a large body of nothing but mistakes is answered in few words', async ({ api }) => {
  const raw = `{"contacts":[{"email":"ann@quark.io"}],"tags":[${'5,'.repeat(400_000)}5]}`;
  const { status, body } = await api.call('POST', '/identity/customers', { raw });
  expect(status).toBe(400);
  expect(JSON.stringify(body).length).toBeLessThan(20_000);
});
