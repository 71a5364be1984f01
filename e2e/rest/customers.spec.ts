import { expect, test } from '../support/api';
import { contactGuid } from '../support/contact-guid';

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const notFound = { status: 404, body: { error: 'Not found', message: 'Resource not found or access denied', code: 'not_found' } };

test('POST creates with one contact, and fills in the rest', async ({ api, tenant }) => {
  const { status, body } = await api.post('/identity/customers', { contacts: [{ email: ' Ann@Quark.IO ' }] });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    identityId: tenant.identityId,
    company: '',
    phone: '',
    tags: [],
    notes: '',
    metadata: {},
    contacts: [{ guid: '53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb', email: 'ann@quark.io', displayName: '', isPrimary: true }],
    revision: 1,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body.createdAt,
  });
  expect((await api.get(`/identity/customers/${body.id}`)).body).toEqual(body);
});

test('POST keeps every field to the letter', async ({ api }) => {
  const fields = {
    company: 'Quark & "Söhne" 😀',
    phone: '+49 40 5550 1234',
    tags: ['vip', 'a,b', '"q"', 'NULL', 'back\\slash'],
    notes: "Robert'); DROP TABLE customers;--\n",
    metadata: { nested: { list: [1, 0.1, null, true, 'x'] }, constructor: 1 },
    contacts: [{ email: 'ann@quark.io', displayName: 'Ann Quark' }, { email: 'bob@quark.io' }],
  };
  const customer = await api.createCustomer(fields);
  expect(customer).toMatchObject(fields);
  expect(customer.contacts.map(({ isPrimary }) => isPrimary)).toEqual([true, false]);
});

test('POST wants at least one contact, each by e-mail or guid', async ({ api }) => {
  for (const [data, field] of [
    [{}, 'contacts'],
    [{ contacts: null }, 'contacts'],
    [{ contacts: {} }, 'contacts'],
    [{ contacts: [] }, 'contacts'],
    [{ contacts: ['ann@quark.io'] }, 'contacts.0'],
    [{ contacts: [{}] }, 'contacts.0.email'],
    [{ contacts: [{ displayName: 'Ann' }] }, 'contacts.0.email'],
    [{ contacts: [{ email: 'nonsense' }] }, 'contacts.0.email'],
    [{ contacts: [{ email: 5 }] }, 'contacts.0.email'],
    [{ contacts: [{ guid: 'nonsense' }] }, 'contacts.0.guid'],
    [{ contacts: [{ email: 'ann@quark.io' }, { email: 'ANN@quark.io' }] }, 'contacts.1.email'],
  ] as const) {
    const { status, body } = await api.post('/identity/customers', data);
    expect([data, status, Object.keys(body.details?.fields ?? {})]).toEqual([data, 400, [field]]);
    expect(body).toMatchObject({ error: 'Invalid request', code: 'invalid_request' });
  }
  expect((await api.get('/identity/customers')).body.total).toBe(0);
});

test('types are strict, and all bad fields are named at once', async ({ api }) => {
  const data = { contacts: [{ email: 'x' }], company: 5, phone: null, tags: 'vip', notes: [], metadata: 'x' };
  const { status, body } = await api.post('/identity/customers', data);
  expect(status).toBe(400);
  expect(body.details.fields).toEqual({
    'contacts.0.email': 'must be an e-mail address',
    company: 'must be a string',
    phone: 'must be a string',
    tags: 'must be an array',
    notes: 'must be a string',
    metadata: 'must be an object',
  });
  expect(body.message).toMatch(/^6 fields are invalid: /);
});

test('by-contact finds the owner of a contact by its guid', async ({ api }) => {
  const customer = await api.createCustomer({ contacts: [{ email: 'ann@quark.io' }, { email: 'bob@quark.io' }] });
  for (const email of ['ann@quark.io', 'BOB@quark.io']) {
    expect(await api.get(`/identity/customers/by-contact/${contactGuid(email)}`)).toMatchObject({ status: 200, body: customer });
    const upper = await api.get(`/identity/customers/by-contact/${contactGuid(email).toUpperCase()}`);
    expect(upper.body).toEqual(customer);
  }
  expect(await api.get(`/identity/customers/by-contact/${contactGuid('nobody@quark.io')}`)).toMatchObject(notFound);
});

test('PATCH changes what was sent; tags and metadata are replaced whole', async ({ api }) => {
  const before = await api.createCustomer({
    company: 'Quark',
    phone: '1',
    tags: ['a', 'b'],
    notes: 'n',
    metadata: { a: 1, b: 2 },
  });
  const path = `/identity/customers/${before.id}`;
  const { status, body } = await api.patch(path, { company: '', tags: ['c'], metadata: { b: 3 } });
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, company: '', tags: ['c'], metadata: { b: 3 }, revision: 2, updatedAt: body.updatedAt });
  expect((await api.patch(path, {})).body).toEqual(body);
  expect((await api.get(path)).body).toEqual(body);
  for (const field of ['company', 'phone', 'tags', 'notes', 'metadata']) {
    expect((await api.patch(path, { [field]: null })).status).toBe(400);
  }
});

test('a customer that was read can be written back', async ({ api }) => {
  const before = await api.createCustomer({ company: 'Quark', tags: ['a'] });
  const { status, body } = await api.patch(`/identity/customers/${before.id}`, before);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, revision: 2, updatedAt: body.updatedAt });
});

test('DELETE takes it away, its contacts are free for others, and it can be restored', async ({ api }) => {
  const first = await api.createCustomer({ contacts: [{ email: 'ann@quark.io', displayName: 'Ann' }] });
  const path = `/identity/customers/${first.id}`;
  const deleted = await api.delete(path);
  expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
  for (const method of ['GET', 'DELETE']) expect(await api.call(method, path)).toMatchObject(notFound);
  expect(await api.get(`/identity/customers/by-contact/${contactGuid('ann@quark.io')}`)).toMatchObject(notFound);
  const next = await api.createCustomer({ contacts: [{ guid: contactGuid('ann@quark.io') }] });
  expect(next.contacts).toMatchObject([{ email: 'ann@quark.io', displayName: 'Ann', isPrimary: true }]);

  expect(await api.call('POST', `${path}/restore`)).toMatchObject({
    status: 409,
    body: { code: 'contact_conflict', details: { customerId: next.id } },
  });
  await api.delete(`/identity/customers/${next.id}`);
  for (const _ of ['restored', 'there']) {
    const { status, body } = await api.call('POST', `${path}/restore`);
    expect([status, body]).toEqual([200, { ...first, revision: 2, updatedAt: body.updatedAt }]);
  }
  expect(await api.call('POST', `/identity/customers/${unknownId}/restore`)).toMatchObject(notFound);
});

test('an id that is none is refused, an unknown one is not found', async ({ api }) => {
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const data = method === 'PATCH' ? { company: 'x' } : undefined;
    for (const id of [
      '1',
      'nonsense',
      `${unknownId}x`,
      `{${unknownId}}`,
      unknownId.replaceAll('-', ''),
      '%00',
      '..%2F..',
      'by-contact',
    ]) {
      const { status, body } = await api.call(method, `/identity/customers/${id}`, { data });
      expect([id, status, body.details]).toEqual([id, 400, { fields: { id: expect.stringMatching(/^must /) } }]);
    }
    expect(await api.call(method, `/identity/customers/${unknownId}`, { data })).toMatchObject(notFound);
  }
});
