import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { isAppError } from '@/server/platform/errors';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { contactGuid } from './contact-guid';
import { addCustomerContactInput, type CustomerRecord, createCustomerInput } from './customer.schema';
import {
  addCustomerContact,
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomers,
  removeCustomerContact,
  updateCustomer,
} from './customer.service';

withFreshDatabase();

function create(actor: IdentityActor, ...emails: string[]) {
  return createCustomer(actor, createCustomerInput.parse({ contacts: emails.map((email) => ({ email })) }));
}

function add(actor: IdentityActor, id: string, contact: object) {
  return addCustomerContact(actor, addCustomerContactInput.parse({ id, ...contact }));
}

/** The result of each attempt: 'done', or the code of the refusal. Any other error fails the test. */
async function outcomes(attempts: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((result) => {
    if (result.status === 'fulfilled') return 'done';
    if (isAppError(result.reason)) return result.reason.code;
    throw result.reason;
  });
}

function expectSound(customer: CustomerRecord): void {
  expect(customer.contacts.length).toBeGreaterThan(0);
  expect(customer.contacts.filter((contact) => contact.isPrimary)).toHaveLength(1);
}

const rounds = Array.from({ length: 10 }, (_, round) => round);

describe('at the same time', () => {
  test('each of the last two contacts is removed by another: exactly one wins', async () => {
    const { actor } = await createTestIdentity();
    for (const round of rounds) {
      const emails = [`a${round}@x.io`, `b${round}@x.io`];
      const { id } = await create(actor, ...emails);
      const ended = await outcomes(emails.map((email) => removeCustomerContact(actor, id, contactGuid(email))));
      expect(ended.sort()).toEqual(['done', 'last_contact']);
      const customer = await getCustomer(actor, id);
      expect(customer.contacts).toHaveLength(1);
      expectSound(customer);
    }
  });

  test('ten contacts are removed by ten: one stays', async () => {
    const { actor } = await createTestIdentity();
    const emails = rounds.map((round) => `c${round}@x.io`);
    const { id } = await create(actor, ...emails);
    const ended = await outcomes(emails.map((email) => removeCustomerContact(actor, id, contactGuid(email))));
    expect(ended.filter((outcome) => outcome === 'done')).toHaveLength(9);
    expect(ended.filter((outcome) => outcome === 'last_contact')).toHaveLength(1);
    expectSound(await getCustomer(actor, id));
  });

  test('one contact is given to several new customers: exactly one gets it', async () => {
    const { actor } = await createTestIdentity();
    for (const round of rounds) {
      const ended = await outcomes(Array.from({ length: 5 }, () => create(actor, `new${round}@x.io`)));
      expect(ended.sort()).toEqual([...Array.from({ length: 4 }, () => 'contact_conflict'), 'done']);
    }
    expect(await listCustomers(actor, { limit: 50, offset: 0 })).toMatchObject({ total: 10, count: 10 });
  });

  test('one known contact is given to two customers, by e-mail and by guid: exactly one gets it', async () => {
    const { actor } = await createTestIdentity();
    for (const round of rounds) {
      const email = `known${round}@x.io`;
      const first = await create(actor, `first${round}@x.io`, email);
      await removeCustomerContact(actor, first.id, contactGuid(email));
      const second = await create(actor, `second${round}@x.io`);
      const ended = await outcomes([add(actor, first.id, { email }), add(actor, second.id, { guid: contactGuid(email) })]);
      expect(ended.sort()).toEqual(['contact_conflict', 'done']);
      const owners = await Promise.all([first.id, second.id].map((id) => getCustomer(actor, id)));
      expect(owners.map((customer) => customer.contacts.length).sort()).toEqual([1, 2]);
    }
  });

  test('one contact is added to one customer many times: one adds it, the others find it there', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, 'ann@x.io');
    const results = await Promise.all(rounds.map(() => add(actor, id, { email: 'bob@x.io' })));
    expect(results.filter(({ added }) => added)).toHaveLength(1);
    expect((await getCustomer(actor, id)).contacts).toHaveLength(2);
  });

  test('the same contacts are wanted in opposite orders: nobody waits for ever', async () => {
    const { actor } = await createTestIdentity();
    for (const round of rounds) {
      const emails = Array.from({ length: 8 }, (_, i) => `x${i}-${round}@x.io`);
      const ended = await outcomes([create(actor, ...emails), create(actor, ...emails.toReversed())]);
      expect(ended.sort()).toEqual(['contact_conflict', 'done']);
    }
  });

  test('customers are created and deleted: the maintained count stays exact', async () => {
    const { actor } = await createTestIdentity();
    const created = await Promise.all(Array.from({ length: 40 }, (_, i) => create(actor, `p${i}@x.io`)));
    const [deletions, creations] = await Promise.all([
      outcomes(created.slice(0, 25).map(({ id }) => deleteCustomer(actor, id))),
      outcomes(Array.from({ length: 30 }, (_, i) => create(actor, `q${i % 10}@x.io`, `r${i}@x.io`))),
    ]);
    expect(deletions).toEqual(deletions.map(() => 'done'));
    expect(creations.filter((outcome) => outcome === 'done')).toHaveLength(10);
    expect(await listCustomers(actor, { limit: 100, offset: 0 })).toMatchObject({ total: 25, count: 25 });
  });

  test('a customer is deleted while contacts come and go: it is gone, and each contact belongs to nobody or to one that exists', async () => {
    const { actor } = await createTestIdentity();
    for (const round of rounds) {
      const { id } = await create(actor, `d${round}@x.io`, `e${round}@x.io`);
      const ended = await outcomes([
        deleteCustomer(actor, id),
        add(actor, id, { email: `f${round}@x.io` }),
        removeCustomerContact(actor, id, contactGuid(`d${round}@x.io`)),
        updateCustomer(actor, { id, notes: 'new' }),
      ]);
      expect(ended[0]).toBe('done');
      for (const other of ended.slice(1)) expect(['done', 'not_found']).toContain(other);
      await expect(getCustomer(actor, id)).rejects.toMatchObject({ code: 'not_found' });
      expectSound(await create(actor, `d${round}@x.io`, `e${round}@x.io`, `f${round}@x.io`));
    }
  });

  test('one customer is deleted twice: one does it, the other finds nothing', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, 'ann@x.io');
    expect((await outcomes([deleteCustomer(actor, id), deleteCustomer(actor, id)])).sort()).toEqual(['done', 'not_found']);
    expect((await listCustomers(actor, { limit: 1, offset: 0 })).total).toBe(0);
  });

  test('different fields of one customer are changed: none is lost', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, 'ann@x.io');
    await Promise.all([
      updateCustomer(actor, { id, company: 'Quark' }),
      updateCustomer(actor, { id, phone: '1' }),
      updateCustomer(actor, { id, tags: ['a'] }),
      updateCustomer(actor, { id, notes: 'n' }),
      updateCustomer(actor, { id, metadata: { a: 1 } }),
      add(actor, id, { email: 'bob@x.io' }),
    ]);
    const customer = await getCustomer(actor, id);
    expect(customer).toMatchObject({ company: 'Quark', phone: '1', tags: ['a'], notes: 'n', metadata: { a: 1 } });
    expect(customer.contacts).toHaveLength(2);
  });
});
