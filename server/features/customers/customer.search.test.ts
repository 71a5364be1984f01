import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { countingLimit } from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { fillCustomers } from '@/server/testing/customers';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { ensureContact } from './contact.service';
import { contactGuid } from './contact-guid';
import { customerListSchema, type ListCustomersInput, listCustomersInput } from './customer.schema';
import { addCustomerContact, deleteCustomer, listCustomers, removeCustomerContact, updateCustomer } from './customer.service';

withFreshDatabase();

async function search(actor: IdentityActor, text: string, input: Partial<ListCustomersInput> = {}) {
  const page = await listCustomers(actor, listCustomersInput.parse({ search: text, ...input }));
  expect(customerListSchema.parse(page)).toEqual(page);
  return page;
}

async function found(actor: IdentityActor, text: string, input: Partial<ListCustomersInput> = {}): Promise<string[]> {
  return (await search(actor, text, input)).customers.map(({ company }) => company);
}

/** Inserts many customers whose companies are numbered, the first one oldest. */
async function fillQuickly(identityId: string, count: number, company: string): Promise<void> {
  const client = await pool().connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO customers (id, identity_id, company, created_at)
        SELECT gen_random_uuid(), $1, $3 || n, '2026-01-01'::timestamptz + n * interval '1 s' FROM generate_series(1, $2::int) n RETURNING id`,
      [identityId, count, company],
    );
    await client.query(
      `INSERT INTO external_contacts (identity_id, guid, email, customer_id, is_primary, link_order)
        SELECT $1, gen_random_uuid(), id || '@y.io', id, true, nextval('external_contacts_link_order_seq') FROM unnest($2::uuid[]) AS id`,
      [identityId, rows.map(({ id }) => id)],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

describe('words', () => {
  test.each([
    ['in any order, in different fields', 'lunch cargo'],
    ['parts of them', 'arg nch'],
    ['of the name of a contact', 'NOOR'],
    ['of the address of a contact', 'noor@harbour'],
    ['of a tag', 'wholesale'],
    ['of a custom field', 'q-118'],
    ['of a custom field within another one', 'uma vale'],
    ['a number in a custom field', '4711'],
    ['a part of the phone', '5550'],
    ['the phone, as it is written at home', '040 5550-1234'],
    ['the phone, as it is written abroad', '+49 (40) 55501234'],
    ['with a typing error', 'cagro'],
    ['with a typing error in each', 'lnuch crago'],
    ['with a typing error in an address', 'noor@harbuor.example'],
    ['between white space and commas', '  cargo,\n bikes '],
  ])('are found: %s', async (_, text) => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      {
        company: 'Cargo Bikes',
        notes: 'Calls after lunch.',
        phone: '+49 40 / 5550 1234',
        tags: ['wholesale'],
        metadata: { crmId: 'Q-118', rep: { name: 'Uma Vale' }, number: 4711 },
        contacts: [{ email: 'noor@harbour.example', displayName: 'Noor Fischer' }],
      },
      { company: 'Other' },
    );
    expect(await found(actor, text)).toEqual(['Cargo Bikes']);
  });

  test.each([
    'cargo train',
    'number',
    'crmid',
    '5551',
    '55501235',
    'crato',
    '%',
    '_',
    '\\',
    'c_rgo',
    'ca(go',
    'ca[go',
    'c.rgo',
    '(',
    '*',
    '1-118',
    "';--",
  ])('are not found: %s', async (text) => {
    const { actor } = await createTestIdentity();
    await fillCustomers(actor, {
      company: 'Cargo',
      phone: '5550 1234',
      metadata: { crmId: 'Q-118', number: 1 },
      contacts: [{ email: 'a@b.io' }],
    });
    expect(await found(actor, text)).toEqual([]);
  });

  test('white space is no search', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(actor, { company: 'a' }, { company: 'b' });
    expect(await found(actor, ' \t ')).toEqual(['b', 'a']);
    expect(await found(actor, ' ', { query: 'a' })).toEqual(['a']);
  });

  test('there may be as many as fit', async () => {
    const { actor } = await createTestIdentity();
    const letters = Array.from({ length: 66 }, (_, i) => String.fromCharCode(0x4e00 + i) + String.fromCharCode(0x5e00 + i));
    await fillCustomers(
      actor,
      { company: 'All', notes: letters.join(' ') },
      { company: 'Some', notes: letters.slice(1).join(' ') },
    );
    expect(await found(actor, letters.toReversed().join(' '))).toEqual(['All']);
  });

  test('are no longer than 200 characters together, and not beside a query', async () => {
    const { actor } = await createTestIdentity();
    expect(listCustomersInput.safeParse({ search: 'a'.repeat(200) }).success).toBe(true);
    expect(listCustomersInput.safeParse({ search: 'a'.repeat(201) }).success).toBe(false);
    for (const input of [{ query: 'b' }, { q: 'b' }]) {
      await expect(search(actor, 'a', input)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { search: 'can’t be combined with query' } },
      });
    }
    expect(await found(actor, 'a', { query: '' })).toEqual([]);
  });
});

describe('order', () => {
  test('is by field: beginning of a word of the company, company, others, notes; then newest', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'Old Cargo' },
      { company: 'Mycargo' },
      { company: 'By tag', tags: ['cargo'] },
      { company: 'By contact', contacts: [{ email: 'cargo@z.io' }] },
      { company: 'By notes', notes: 'cargo' },
      { company: 'New Cargo' },
    );
    expect(await found(actor, 'cargo')).toEqual(['New Cargo', 'Old Cargo', 'Mycargo', 'By contact', 'By tag', 'By notes']);
  });

  test('has exact matches before those with a typing error', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'Other', notes: 'crago' },
      { company: 'Cargo Two' },
      { company: 'Notes', notes: 'a cargo' },
      { company: 'None' },
    );
    expect(await found(actor, 'crago')).toEqual(['Other', 'Cargo Two', 'Notes']);
    expect(await found(actor, 'cargo')).toEqual(['Cargo Two', 'Notes', 'Other']);
    expect(await search(actor, 'cargo', { limit: 1 })).toMatchObject({ total: 3, totalIsExact: true, hasMore: true });
  });

  test('has no typing errors where enough match exactly', async () => {
    const { actor, identityId } = await createTestIdentity();
    await fillCustomers(actor, { company: 'Crago' });
    await fillQuickly(identityId, 9, 'Cargo ');
    expect((await search(actor, 'cargo')).total).toBe(10);
    await fillCustomers(actor, { company: 'Cargo ten' });
    expect((await search(actor, 'cargo')).total).toBe(10);
    expect(await found(actor, 'cargo')).not.toContain('Crago');
  });
});

describe('pages', () => {
  test.each(['offset', 'cursor'])('by %s follow each other, from exact matches to those with a typing error', async (how) => {
    const { actor } = await createTestIdentity();
    const names = ['Cargo A', 'Crago B', 'C cargo', 'D crago', 'E cagro', 'F cargo'];
    await fillCustomers(actor, ...names.map((company) => ({ company })));
    const all = await found(actor, 'cargo');
    expect(all).toEqual(['F cargo', 'C cargo', 'Cargo A', 'E cagro', 'D crago', 'Crago B']);
    for (const limit of [1, 2, 3, 4]) {
      const read: string[] = [];
      let page = await search(actor, 'cargo', { limit });
      for (;;) {
        expect(page).toMatchObject({ total: all.length, totalIsExact: true });
        read.push(...page.customers.map(({ company }) => company));
        if (!page.hasMore) break;
        const { nextCursor } = page;
        page = await search(actor, 'cargo', {
          limit,
          ...(how === 'cursor' ? { cursor: nextCursor ?? '' } : { offset: read.length }),
        });
      }
      expect(read, `limit ${limit}`).toEqual(all);
      expect(page.nextCursor).toBeNull();
    }
  });

  test('go on behind the first thousand, newest first', async () => {
    const { actor, identityId } = await createTestIdentity();
    await fillCustomers(actor, { company: 'Oldest many' });
    await pool().query(`UPDATE customers SET created_at = '2025-01-01' WHERE identity_id = $1`, [identityId]);
    await fillQuickly(identityId, countingLimit + 150, 'many ');
    await pool().query(
      `UPDATE customers SET company = 'x' || company, notes = 'many' WHERE identity_id = $1 AND company = 'many 1140'`,
      [identityId],
    );
    const read: string[] = [];
    let page = await search(actor, 'many', { limit: 100 });
    expect(page).toMatchObject({ total: countingLimit, totalIsExact: false });
    for (;;) {
      const { customers } = await search(actor, 'many', { limit: 100, offset: read.length });
      expect(customers.map(({ id }) => id)).toEqual(page.customers.map(({ id }) => id));
      read.push(...page.customers.map(({ company }) => company));
      if (page.nextCursor === null) break;
      page = await search(actor, 'many', { limit: 100, cursor: page.nextCursor });
    }
    expect(new Set(read).size).toBe(countingLimit + 151);
    expect(read.slice(0, 2)).toEqual(['many 1150', 'many 1149']);
    // Among the ranked ones, the one whose company does not begin with it is the last.
    expect(read.indexOf('xmany 1140')).toBe(countingLimit);
    expect(read.at(-1)).toBe('Oldest many');
    expect(await search(actor, 'many', { offset: 5_000 })).toMatchObject({ count: 0, hasMore: false });
  });

  test('a cursor of another search is refused, also one that was made up', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(actor, { company: 'Cargo A' }, { company: 'Cargo B' });
    const { nextCursor } = await search(actor, 'cargo', { limit: 1 });
    const cursor = nextCursor ?? '';
    await expect(search(actor, 'carg', { cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    const [fingerprint, , ...others] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const text of [
      '',
      'exact',
      'exact 9 yesterday',
      'other 9 2026-01-01T00:00:00.000Z',
      'exact 1e9 2026-01-01T00:00:00.000Z',
      'exact 9 0000-01-01T00:00:00.000Z',
    ]) {
      const forged = Buffer.from(JSON.stringify([fingerprint, text, ...others])).toString('base64url');
      await expect(search(actor, 'cargo', { cursor: forged }), text).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  test('may be those of a tag or an address', async () => {
    const { actor } = await createTestIdentity();
    await fillCustomers(
      actor,
      { company: 'Cargo A', tags: ['vip'] },
      { company: 'Cargo B', contacts: [{ email: 'b@z.io' }] },
      { company: 'C', tags: ['vip'] },
    );
    expect(await found(actor, 'cargo', { tag: 'vip' })).toEqual(['Cargo A']);
    expect(await found(actor, 'cagro', { tag: 'vip' })).toEqual(['Cargo A']);
    expect(await found(actor, 'cargo', { email: 'B@z.io' })).toEqual(['Cargo B']);
    expect(await found(actor, 'cargo', { email: 'B@z.io', tag: 'vip' })).toEqual([]);
  });
});

test('what is searched follows every change of a customer and its contacts', async () => {
  const { actor, identityId } = await createTestIdentity();
  const [id = ''] = await fillCustomers(actor, {
    company: 'Before',
    tags: ['early'],
    phone: '111222',
    contacts: [{ email: 'one@first.io' }],
  });
  await updateCustomer(actor, { id, company: 'After', tags: ['late'], phone: '333444', metadata: { crm: 'Q-7' } });
  for (const text of ['before', 'early', '111222']) expect(await found(actor, text)).toEqual([]);
  for (const text of ['after', 'late', '333444', 'q-7']) expect(await found(actor, text)).toEqual(['After']);
  await addCustomerContact(actor, { id, email: 'two@second.io', displayName: 'Bodo Bill' });
  for (const text of ['bodo', 'second.io', 'first.io']) expect(await found(actor, text)).toEqual(['After']);
  await removeCustomerContact(actor, id, contactGuid('two@second.io'));
  for (const text of ['bodo', 'second.io']) expect(await found(actor, text)).toEqual([]);
  // A contact without a name gets the one of its first mail.
  const client = await pool().connect();
  await ensureContact(client, identityId, { email: 'one@first.io', displayName: 'Sina Sand' }).finally(() => client.release());
  expect(await found(actor, 'sina sand')).toEqual(['After']);
});

test('nothing of another identity is found, nor a customer by contacts that it no longer has', async () => {
  const [one, two] = [await createTestIdentity(), await createTestIdentity()];
  await fillCustomers(one.actor, { company: 'theirs', contacts: [{ email: 'noor@z.io' }] });
  const [id = ''] = await fillCustomers(two.actor, { company: 'gone', contacts: [{ email: 'noor@z.io' }] });
  await deleteCustomer(two.actor, id);
  for (const text of ['noor', 'nooor', 'theirs', 'thiers']) expect(await found(two.actor, text)).toEqual([]);
});
