import { type Api, expect, test } from '../support/api';

let contacts = 0;

/** Customers of these fields, each with a contact of its own, the first one oldest. */
async function fill(api: Api, ...customers: Record<string, unknown>[]): Promise<void> {
  for (const fields of customers) await api.createCustomer({ contacts: [{ email: `c${contacts++}@x.io` }], ...fields });
}

async function companies(api: Api, query: string): Promise<string[]> {
  const { status, body } = await api.get(`/identity/customers?${query}`);
  expect([query, status]).toEqual([query, 200]);
  expect(body.count).toBe(body.customers.length);
  return body.customers.map((customer: { company: string }) => customer.company);
}

test('newest first, with count, total and whether there is more', async ({ api }) => {
  await fill(api, ...Array.from({ length: 5 }, (_, i) => ({ company: `shop ${i}` })));
  expect(await companies(api, '')).toEqual(['shop 4', 'shop 3', 'shop 2', 'shop 1', 'shop 0']);
  for (const [query, count, hasMore] of [
    ['limit=2', 2, true],
    ['limit=2&offset=3', 2, false],
    ['limit=2&offset=4', 1, false],
    ['offset=5', 0, false],
    ['offset=100000', 0, false],
    ['query=shop&limit=4', 4, true],
    ['query=shop&offset=9', 0, false],
  ] as const) {
    expect([query, (await api.get(`/identity/customers?${query}`)).body]).toMatchObject([query, { count, total: 5, hasMore }]);
  }
});

test('50 unless said otherwise, 100 at most', async ({ api }) => {
  await Promise.all(Array.from({ length: 101 }, (_, i) => api.createCustomer({ contacts: [{ email: `m${i}@x.io` }] })));
  expect((await api.get('/identity/customers')).body).toMatchObject({ count: 50, total: 101, hasMore: true });
  expect((await api.get('/identity/customers?limit=100')).body).toMatchObject({ count: 100, hasMore: true });
  expect((await api.get('/identity/customers?limit=100&offset=100')).body).toMatchObject({ count: 1, hasMore: false });
});

for (const query of [
  'limit=0',
  'limit=-1',
  'limit=101',
  'limit=1.5',
  'limit=',
  'limit=abc',
  'limit=5x',
  'limit=1e2',
  'limit=0x5',
  'limit=%205',
  'limit=%2B5',
  'limit=NaN',
  'limit=null',
  'limit=99999999999999999999',
  `limit=${'9'.repeat(400)}`,
  'limit=5&limit=5',
  'limit=%00',
]) {
  test(`?${query.slice(0, 30)} is refused, never clamped`, async ({ api }) => {
    const { status, body } = await api.get(`/identity/customers?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Invalid request',
      code: 'invalid_request',
      details: { fields: { limit: expect.any(String) } },
    });
  });
}

test('all that is wrong with a query is named at once', async ({ api }) => {
  const { status, body } = await api.get(`/identity/customers?limit=0&offset=-1&query=${'x'.repeat(501)}`);
  expect([status, Object.keys(body.details.fields).sort()]).toEqual([400, ['limit', 'offset', 'query']]);
});

test('query searches company and notes, ignoring case, and wins over q', async ({ api }) => {
  await fill(
    api,
    { company: 'Quark Labs' },
    { company: 'b', notes: 'knows QUARK' },
    { company: 'Ärger & Söhne' },
    { company: 'd', phone: 'quark', tags: ['quark'] },
  );
  expect(await companies(api, 'query=quark')).toEqual(['b', 'Quark Labs']);
  expect(await companies(api, 'q=qUaRk%20l')).toEqual(['Quark Labs']);
  expect(await companies(api, 'q=qUaRk+l')).toEqual(['Quark Labs']);
  expect(await companies(api, 'query=%C3%84RGER%20%26')).toEqual(['Ärger & Söhne']);
  expect(await companies(api, 'query=labs&q=knows')).toEqual(['Quark Labs']);
  expect(await companies(api, 'query=nothing')).toEqual([]);
});

test('%, _ and \\ are only themselves', async ({ api }) => {
  await fill(
    api,
    { company: '100% sure' },
    { company: 'snake_case' },
    { company: 'C:\\x' },
    { company: 'none of them', notes: '1000 snakeXcase' },
  );
  for (const [text, found] of [
    ['%', '100% sure'],
    ['0%', '100% sure'],
    ['_', 'snake_case'],
    ['e_c', 'snake_case'],
    ['\\', 'C:\\x'],
    [':\\x', 'C:\\x'],
  ]) {
    expect([text, await companies(api, `query=${encodeURIComponent(text ?? '')}`)]).toEqual([text, [found]]);
  }
});

test('tag is exact; email is exact but for case', async ({ api }) => {
  await fill(
    api,
    { company: 'a', tags: ['vip'], contacts: [{ email: 'ann+1@quark.io' }, { email: 'bob@quark.io' }] },
    { company: 'b', tags: ['VIP', 'vip+'] },
  );
  expect(await companies(api, 'tag=vip')).toEqual(['a']);
  expect(await companies(api, 'tag=vip%2B')).toEqual(['b']);
  expect(await companies(api, 'tag=vi')).toEqual([]);
  expect(await companies(api, 'email=ANN%2B1%40quark.io')).toEqual(['a']);
  expect(await companies(api, 'email=bob@Quark.io')).toEqual(['a']);
  expect(await companies(api, 'email=quark.io')).toEqual([]);
  expect(await companies(api, 'email=not-an-address')).toEqual([]);
  expect(await companies(api, 'email=bob@quark.io&tag=vip%2B')).toEqual([]);
});

test('each identity sees its own only', async ({ api, stranger }) => {
  await fill(stranger, { company: 'theirs', tags: ['t'], contacts: [{ email: 'same@x.io' }] });
  await fill(api, { company: 'mine', tags: ['t'], contacts: [{ email: 'same@x.io' }] });
  for (const query of ['', 'query=e', 'tag=t', 'email=same@x.io']) expect(await companies(api, query)).toEqual(['mine']);
});

test('parameters nobody knows are ignored', async ({ api }) => {
  await fill(api, { company: 'a' });
  expect(await companies(api, 'utm_source=x&constructor=1&__proto__=1&limit%5B%5D=0&Limit=0')).toEqual(['a']);
});
