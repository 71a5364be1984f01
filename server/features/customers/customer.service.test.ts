import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { contactGuid } from './contact-guid';
import { createCustomerInput, customerSchema, updateCustomerInput } from './customer.schema';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerByContact,
  listCustomers,
  updateCustomer,
} from './customer.service';

withFreshDatabase();

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const notFound = { code: 'not_found', status: 404, message: 'Resource not found or access denied' };
const everything = { limit: 100, offset: 0 };

function create(actor: IdentityActor, input: Record<string, unknown>) {
  return createCustomer(actor, createCustomerInput.parse(input));
}

function update(actor: IdentityActor, id: string, changes: Record<string, unknown>) {
  return updateCustomer(actor, updateCustomerInput.parse({ id, ...changes }));
}

const ann = { email: 'ann@quark.io' };

describe('creating', () => {
  test('needs one contact and fills in the rest', async () => {
    const { actor, identityId } = await createTestIdentity();
    const before = Date.now() - 1;
    const customer = await create(actor, { contacts: [ann] });
    expect(customer).toEqual({
      id: expect.any(String),
      identityId,
      company: '',
      phone: '',
      tags: [],
      notes: '',
      metadata: {},
      contacts: [{ guid: contactGuid('ann@quark.io'), email: 'ann@quark.io', displayName: '', isPrimary: true }],
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: customer.createdAt,
    });
    expect(customerSchema.parse(customer)).toEqual(customer);
    expect(Date.parse(customer.createdAt)).toBeGreaterThanOrEqual(before);
    expect(await getCustomer(actor, customer.id)).toEqual(customer);
    expect(await getCustomer(actor, customer.id.toUpperCase())).toEqual(customer);
  });

  test('keeps what was sent, to the letter', async () => {
    const { actor } = await createTestIdentity();
    const fields = {
      company: '  Quark & "Söhne" \\ %_ 😀',
      phone: '+49 40 5550 1234',
      tags: ['vip', 'a,b', '{x}', '"quoted"', 'back\\slash', 'NULL', 'two\nlines', ' spaced ', 'vip'],
      notes: "Robert'); DROP TABLE customers;--\n\tzweite Zeile",
      metadata: { b: [1, { deep: null }], a: 'x', constructor: 'y', toString: 1, '': 0, 'ä 😀': true, n: -0.5 },
    };
    const customer = await create(actor, { contacts: [ann], ...fields });
    expect(customer).toMatchObject(fields);
    expect(await getCustomer(actor, customer.id)).toEqual(customer);
    expect((await listCustomers(actor, everything)).customers).toEqual([customer]);
  });

  test('keeps any metadata', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, { contacts: [ann] });
    const text = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((value) => !value.includes('\0') && value.isWellFormed());
    const key = text.filter((value) => value !== '__proto__');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false, 5e-324, 2e-308, 0.1),
        fc.maxSafeInteger(),
        fc.double({ min: -1e15, max: 1e15, noNaN: true }),
        text,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, tree, { maxKeys: 4 }), async (metadata) => {
        const asSent = JSON.parse(JSON.stringify(metadata)) as unknown;
        expect((await update(actor, id, { metadata })).metadata).toEqual(asSent);
      }),
      { numRuns: 100 },
    );
  });

  test('with no contact, or one that is none, is refused', () => {
    for (const contacts of [
      undefined,
      null,
      [],
      {},
      [{}],
      ['ann@quark.io'],
      [null],
      [{ email: 'nonsense' }],
      [{ guid: 'nonsense' }],
      [{ email: null }],
    ]) {
      expect(createCustomerInput.safeParse({ contacts }).success).toBe(false);
    }
    expect(
      createCustomerInput.safeParse({ contacts: Array.from({ length: 101 }, (_, i) => ({ email: `c${i}@x.io` })) }).success,
    ).toBe(false);
  });

  test.each([
    ['company', 'x'.repeat(501)],
    ['company', null],
    ['company', 5],
    ['phone', 'x'.repeat(101)],
    ['tags', 'vip'],
    ['tags', ['']],
    ['tags', [' ']],
    ['tags', [5]],
    ['tags', Array.from({ length: 101 }, (_, i) => `t${i}`)],
    ['notes', 'x'.repeat(50_001)],
    ['metadata', []],
    ['metadata', null],
    ['metadata', 'x'],
    ['metadata', { big: 'x'.repeat(65_536) }],
  ])('with a bad %s is refused', (field, value) => {
    expect(createCustomerInput.safeParse({ contacts: [ann], [field]: value }).error?.issues[0]?.path[0]).toBe(field);
    expect(updateCustomerInput.safeParse({ id: unknownId, [field]: value }).error?.issues[0]?.path[0]).toBe(field);
  });

  test('at its limits works', async () => {
    const { actor } = await createTestIdentity();
    const fields = {
      company: '😀'.repeat(500),
      phone: '5'.repeat(100),
      tags: Array.from({ length: 100 }, (_, i) => `${'t'.repeat(90)}${i}`),
      notes: 'ä'.repeat(50_000),
      metadata: { big: 'x'.repeat(65_536 - '{"big":""}'.length) },
      contacts: Array.from({ length: 100 }, (_, i) => ({ email: `contact-${i}@quark.io` })),
    };
    const customer = await create(actor, fields);
    expect(customer).toMatchObject({ ...fields, contacts: fields.contacts });
    expect(customer.contacts.filter((contact) => contact.isPrimary)).toHaveLength(1);
  });
});

describe('reading', () => {
  test('is by id, or by the guid of a contact', async () => {
    const { actor } = await createTestIdentity();
    const customer = await create(actor, { contacts: [ann, { email: 'bob@quark.io' }] });
    for (const email of ['ann@quark.io', 'BOB@quark.io']) {
      expect(await getCustomerByContact(actor, contactGuid(email))).toEqual(customer);
      expect(await getCustomerByContact(actor, contactGuid(email).toUpperCase())).toEqual(customer);
    }
  });

  test('an unknown one, a foreign one and a contact of nobody are not told apart', async () => {
    const { actor } = await createTestIdentity();
    const stranger = await createTestIdentity();
    const foreign = await create(stranger.actor, { contacts: [ann] });
    const deleted = await create(actor, { contacts: [{ email: 'gone@quark.io' }] });
    await deleteCustomer(actor, deleted.id);
    for (const id of [unknownId, foreign.id, deleted.id]) await expect(getCustomer(actor, id)).rejects.toMatchObject(notFound);
    for (const email of ['nobody@quark.io', 'ann@quark.io', 'gone@quark.io']) {
      await expect(getCustomerByContact(actor, contactGuid(email))).rejects.toMatchObject(notFound);
    }
  });
});

describe('changing', () => {
  test('changes what was sent, and the time', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, {
      contacts: [ann],
      company: 'Quark',
      phone: '1',
      tags: ['a', 'b'],
      notes: 'n',
      metadata: { a: 1, b: 2 },
    });
    const after = await update(actor, before.id, { company: '', tags: ['c'], metadata: { b: 3 } });
    expect(after).toEqual({
      ...before,
      company: '',
      tags: ['c'],
      metadata: { b: 3 },
      revision: 2,
      updatedAt: expect.any(String),
    });
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(await update(actor, before.id, { tags: [], metadata: {} })).toMatchObject({
      tags: [],
      metadata: {},
      phone: '1',
      notes: 'n',
    });
  });

  test('by nothing changes nothing, not even the time', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, { contacts: [ann], company: 'Quark' });
    expect(await update(actor, before.id, {})).toEqual(before);
  });

  test('takes back what was read: ids, contacts and times in it are ignored', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, { contacts: [ann], company: 'Quark', tags: ['a'], metadata: { a: 1 } });
    const after = await update(actor, before.id, { ...before, contacts: [], revision: 7, createdAt: 'x', updatedAt: 'x' });
    expect(after).toEqual({ ...before, revision: 2, updatedAt: after.updatedAt });
  });

  test('a foreign one finds nothing and leaves it alone', async () => {
    const { actor } = await createTestIdentity();
    const stranger = await createTestIdentity();
    const foreign = await create(stranger.actor, { contacts: [ann], company: 'Theirs' });
    await expect(update(actor, foreign.id, { company: 'Mine' })).rejects.toMatchObject(notFound);
    await expect(update(actor, foreign.id, {})).rejects.toMatchObject(notFound);
    await expect(deleteCustomer(actor, foreign.id)).rejects.toMatchObject(notFound);
    expect(await getCustomer(stranger.actor, foreign.id)).toEqual(foreign);
  });
});

describe('deleting', () => {
  test('is for good, and sets the contacts free', async () => {
    const { actor } = await createTestIdentity();
    const first = await create(actor, { contacts: [{ ...ann, displayName: 'Ann' }, { email: 'bob@quark.io' }] });
    expect(await deleteCustomer(actor, first.id)).toEqual({ success: true });
    await expect(deleteCustomer(actor, first.id)).rejects.toMatchObject(notFound);
    expect((await listCustomers(actor, everything)).total).toBe(0);

    const second = await create(actor, {
      contacts: [{ guid: contactGuid('bob@quark.io') }, { guid: contactGuid('ann@quark.io') }],
    });
    expect(second.contacts.map(({ email, displayName, isPrimary }) => [email, displayName, isPrimary])).toEqual([
      ['bob@quark.io', '', true],
      ['ann@quark.io', 'Ann', false],
    ]);
  });
});
