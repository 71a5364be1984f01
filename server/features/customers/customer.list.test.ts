import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { countingLimit } from '@/server/platform/db/filtered-list';
import { closePool, openPool, pool } from '@/server/platform/db/pool';
import { closePrisma } from '@/server/platform/db/prisma';
import { fillCustomers } from '@/server/testing/customers';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { contactGuid } from './contact-guid';
import { customerListSchema, listCustomersInput } from './customer.schema';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerTags,
  listCustomers,
  removeCustomerContact,
} from './customer.service';

withFreshDatabase();

async function list(actor: IdentityActor, input: Record<string, unknown> = {}) {
  const page = await listCustomers(actor, listCustomersInput.parse(input));
  expect(customerListSchema.parse(page)).toEqual(page);
  expect(page.count).toBe(page.customers.length);
  return page;
}

async function companies(actor: IdentityActor, input: Record<string, unknown> = {}): Promise<string[]> {
  return (await list(actor, input)).customers.map((customer) => customer.company);
}

/** Inserts many customers with one fast statement. */
async function fillQuickly(identityId: string, count: number, company: string): Promise<void> {
  const client = await pool().connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO customers (id, identity_id, company) SELECT gen_random_uuid(), $1, $3 FROM generate_series(1, $2::int)`,
      [identityId, count, company],
    );
    await client.query(
      `INSERT INTO external_contacts (identity_id, guid, email, customer_id, is_primary, link_order)
        SELECT $1, gen_random_uuid(), id || '@x.io', id, true, nextval('external_contacts_link_order_seq')
        FROM customers WHERE identity_id = $1 AND company = $2`,
      [identityId, company],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

describe('order and pages', () => {
  test('newest first, ties by id', async () => {
    const { actor, identityId } = await createTestIdentity();
    const ids = await fillCustomers(actor, { company: 'a' }, { company: 'b' }, { company: 'c' });
    expect(await companies(actor)).toEqual(['c', 'b', 'a']);
    expect(await companies(actor, { query: '' })).toEqual(['c', 'b', 'a']);
    await pool().query(`UPDATE customers SET created_at = '2026-01-01' WHERE identity_id = $1`, [identityId]);
    const newest = (await getCustomer(actor, ids[2] ?? '')).contacts[0]?.email;
    const byId = [...ids].sort().reverse();
    expect((await list(actor)).customers.map(({ id }) => id)).toEqual(byId);
    expect((await list(actor, { email: newest })).customers.map(({ id }) => id)).toEqual([ids[2]]);
  });

  test('pages follow each other without gap or repetition, filtered or not', async () => {
    const { actor } = await createTestIdentity();
    const names = Array.from({ length: 7 }, (_, i) => `shop ${i}`);
    await fillCustomers(actor, ...names.map((company) => ({ company })));
    for (const query of [undefined, 'SHOP']) {
      const read: string[] = [];
      for (let offset = 0; offset < 7; offset += 3) {
        const page = await list(actor, { query, limit: 3, offset });
        expect(page).toMatchObject({ total: 7, totalIsExact: true, hasMore: offset + 3 < 7, count: Math.min(3, 7 - offset) });
        read.push(...page.customers.map((customer) => customer.company));
      }
      expect(read).toEqual(names.toReversed());
    }
  });

  test('a page behind the end is empty and still knows the total', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(actor, { company: 'a' }, { company: 'b' });
    for (const filter of [{}, { query: 'A' }, { tag: 'none' }]) {
      const total = 'query' in filter ? 1 : 'tag' in filter ? 0 : 2;
      for (const offset of [2, 3, 100_000]) {
        expect(await list(actor, { ...filter, offset })).toEqual({
          customers: [],
          count: 0,
          total,
          totalIsExact: true,
          hasMore: false,
          nextCursor: null,
        });
      }
    }
    expect(await list(actor, { limit: 2 })).toMatchObject({ count: 2, hasMore: false });
    expect(await list(actor, { limit: 1 })).toMatchObject({ count: 1, total: 2, hasMore: true });
  });

  test('an identity without customers has an empty list', async () => {
    const { actor } = await createTestIdentity();
    expect(await list(actor)).toEqual({
      customers: [],
      count: 0,
      total: 0,
      totalIsExact: true,
      hasMore: false,
      nextCursor: null,
    });
  });

  test('nobody sees those of another identity, whatever is asked', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await fillCustomers(one.actor, { company: 'mine', tags: ['t'], contacts: [{ email: 'same@x.io' }] });
    await fillCustomers(two.actor, { company: 'theirs', tags: ['t'], contacts: [{ email: 'same@x.io' }] });
    for (const filter of [{}, { query: 'e' }, { tag: 't' }, { email: 'same@x.io' }]) {
      expect(await companies(one.actor, filter)).toEqual(['mine']);
    }
    expect(await companies(one.actor, { query: 'theirs' })).toEqual([]);
  });

  test('contacts come along, oldest first', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { contacts: [{ email: 'zoe@x.io' }, { email: 'ann@x.io' }] },
      { contacts: [{ email: 'bob@x.io' }] },
    );
    for (const filter of [{}, { query: '' }, { limit: 2 }]) {
      expect((await list(actor, filter)).customers.map((customer) => customer.contacts.map(({ email }) => email))).toEqual([
        ['bob@x.io'],
        ['zoe@x.io', 'ann@x.io'],
      ]);
    }
  });
});

describe('filters', () => {
  test('query searches company and notes, ignoring case, and wins over q', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'Quark Labs' },
      { company: 'b', notes: 'knows QUARK' },
      { company: 'Ärger & Söhne' },
      { company: 'c', phone: 'quark', tags: ['quark'] },
    );
    expect(await companies(actor, { query: 'quark' })).toEqual(['b', 'Quark Labs']);
    expect(await companies(actor, { q: 'qUaRk l' })).toEqual(['Quark Labs']);
    expect(await companies(actor, { query: 'ÄRGER' })).toEqual(['Ärger & Söhne']);
    expect(await companies(actor, { query: 'labs', q: 'knows' })).toEqual(['Quark Labs']);
    expect(await companies(actor, { query: '', q: 'knows' })).toHaveLength(4);
    expect(await companies(actor, { query: 'nothing like it' })).toEqual([]);
  });

  test.each(['%', '_', '\\', '%%', '100%', 'a_b', 'C:\\x', "'; --", '*', '?', '(', '.', '$1', '?x'])(
    '%s is only itself',
    async (query) => {
      const { actor } = await createTestIdentity();
      await fillCustomers(
        actor,
        { company: `has ${query} in it` },
        { company: 'hasXXXinYit 100 aXb C:x' },
        { company: 'n', notes: query },
      );
      expect(await companies(actor, { query })).toEqual(['n', `has ${query} in it`]);
    },
  );

  test('a match lies in company or in notes, never across both', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(actor, { company: 'ends in a', notes: 'b begins' }, { company: 'x', notes: 'one a\nb two' });
    expect(await companies(actor, { query: 'ab' })).toEqual([]);
    expect(await companies(actor, { query: 'a b' })).toEqual([]);
    expect(await companies(actor, { query: 'a\nb' })).toEqual(['x']);
  });

  test('tag is the whole tag, to the letter', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'a', tags: ['vip', 'eu'] },
      { company: 'b', tags: ['VIP'] },
      { company: 'c', tags: ['vip+'] },
      { company: 'd', tags: ['a,b', '{x}', '100%'] },
    );
    expect(await companies(actor, { tag: 'vip' })).toEqual(['a']);
    for (const tag of ['a,b', '{x}', '100%']) expect(await companies(actor, { tag })).toEqual(['d']);
    for (const tag of ['vi', 'v%', '', ' vip', '1', 'a']) expect(await companies(actor, { tag })).toEqual([]);
  });

  test('email is a whole address of a present contact, ignoring case', async () => {
    const { actor } = await createTestIdentity();
    const [id = ''] = await fillCustomers(
      actor,
      { company: 'a', contacts: [{ email: 'ann@x.io' }, { email: 'bob@x.io' }] },
      { company: 'b' },
    );
    for (const email of ['ann@x.io', 'BOB@X.io', ' ann@x.io ']) expect(await companies(actor, { email })).toEqual(['a']);
    for (const email of ['', 'ann', 'ann@x', '%@x.io', 'nobody@x.io', 'no address at all'])
      expect(await companies(actor, { email })).toEqual([]);
    await removeCustomerContact(actor, id, contactGuid('bob@x.io'));
    expect(await companies(actor, { email: 'bob@x.io' })).toEqual([]);
  });

  test('all of them must hold', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'a shop', tags: ['t'], contacts: [{ email: 'ann@x.io' }] },
      { company: 'b shop', tags: ['t'] },
      { company: 'c shop' },
    );
    expect(await companies(actor, { query: 'shop', tag: 't' })).toEqual(['b shop', 'a shop']);
    expect(await companies(actor, { query: 'shop', tag: 't', email: 'ann@x.io' })).toEqual(['a shop']);
    expect(await companies(actor, { query: 'other', tag: 't', email: 'ann@x.io' })).toEqual([]);
    expect(await list(actor, { query: 'shop', tag: 't', limit: 1 })).toMatchObject({ count: 1, total: 2, hasMore: true });
  });

  test.each([
    ['by the index', '-c enable_seqscan=off -c enable_indexscan=off'],
    ['without the index', '-c enable_bitmapscan=off -c enable_indexscan=off'],
  ])('%s, a search finds what it should', async (_, options) => {
    const { actor } = await createTestIdentity();
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'ä', 'Ü', '%', '_', '\\', ' ', '1', '-', '😀', "'"),
      maxLength: 12,
    });
    const samples = fc.sample(fc.tuple(text, text), { numRuns: 60, seed: 7 });
    await fillCustomers(actor, ...samples.map(([company, notes]) => ({ company, notes })));
    await withConnectionOptions(options, async () => {
      for (const query of fc.sample(
        text.filter((value) => value !== ''),
        { numRuns: 80, seed: 1 },
      )) {
        const matches = (field: string) => field.toLowerCase().includes(query.toLowerCase());
        expect((await list(actor, { query })).total, JSON.stringify(query)).toBe(
          samples.filter((fields) => fields.some(matches)).length,
        );
      }
    });
  });
});

/** Runs `work` on connections with certain query plans disabled. */
async function withConnectionOptions(options: string, work: () => Promise<void>): Promise<void> {
  const url = String(pool().options.connectionString);
  const reopen = async (query: string) => {
    await closePrisma();
    await closePool();
    openPool(url + query);
  };
  await reopen(`?options=${encodeURIComponent(options)}`);
  try {
    const { rows } = await pool().query<{ enable_indexscan: string }>('SHOW enable_indexscan');
    expect(rows).toEqual([{ enable_indexscan: 'off' }]);
    await work();
  } finally {
    await reopen('');
  }
}

describe('totals', () => {
  test('without a filter are exact at any size, with one up to a thousand', async () => {
    const { actor, identityId } = await createTestIdentity();
    await fillQuickly(identityId, countingLimit, 'Mass');
    expect(await list(actor, { query: 'mass', limit: 1 })).toMatchObject({ total: 1_000, totalIsExact: true, hasMore: true });
    await fillCustomers(actor, { company: 'Mass' }, { company: 'Other' });
    expect(await list(actor, { limit: 1 })).toMatchObject({ total: 1_002, totalIsExact: true });
    expect(await list(actor, { query: 'mass', limit: 1 })).toMatchObject({ total: 1_000, totalIsExact: false, hasMore: true });
  });

  test('behind the first thousand, paging a filter goes on to the very end', async () => {
    const { actor, identityId } = await createTestIdentity();
    await fillQuickly(identityId, 1_150, 'Mass');
    const seen = new Set<string>();
    let page = await list(actor, { query: 'mass', limit: 100 });
    for (let offset = 0; ; offset += 100) {
      page = await list(actor, { query: 'mass', limit: 100, offset });
      for (const { id } of page.customers) seen.add(id);
      expect(page.hasMore, `offset ${offset}`).toBe(offset + 100 < 1_150);
      if (!page.hasMore) break;
    }
    expect(seen.size).toBe(1_150);
    expect(page.count).toBe(50);
    expect(await list(actor, { query: 'mass', offset: 5_000 })).toMatchObject({ count: 0, hasMore: false });
  });

  test('follow deletions', async () => {
    const { actor } = await createTestIdentity();
    const [first = '', second = ''] = await fillCustomers(actor, { company: 'a' }, { company: 'b' });
    await deleteCustomer(actor, first);
    expect(await list(actor)).toMatchObject({ total: 1, count: 1 });
    await deleteCustomer(actor, second);
    expect(await list(actor)).toMatchObject({ total: 0, count: 0, hasMore: false });
  });
});

test('tags in use are suggested, the most frequent first, and only one’s own', async () => {
  const [{ actor }, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const create = (who: typeof actor, email: string, tags: string[]) =>
    createCustomer(who, { contacts: [{ email }], company: '', phone: '', tags, notes: '', metadata: {} });
  await create(actor, 'a@x.io', ['vip', 'eu']);
  await create(actor, 'b@x.io', ['eu', 'asia']);
  await create(stranger.actor, 'c@x.io', ['theirs']);
  expect(await getCustomerTags(actor)).toEqual({ tags: ['eu', 'asia', 'vip'] });
});
