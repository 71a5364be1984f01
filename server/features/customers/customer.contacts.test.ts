import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { ensureContact, suggestContacts } from './contact.service';
import { contactGuid } from './contact-guid';
import { addCustomerContactInput, type CustomerRecord, createCustomerInput } from './customer.schema';
import {
  addCustomerContact,
  createCustomer,
  deleteCustomer,
  getCustomer,
  getCustomerByContact,
  listCustomers,
  removeCustomerContact,
} from './customer.service';

withFreshDatabase();

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const notFound = { code: 'not_found', status: 404 };

function create(actor: IdentityActor, ...contacts: object[]) {
  return createCustomer(actor, createCustomerInput.parse({ contacts }));
}

function add(actor: IdentityActor, id: string, contact: object) {
  return addCustomerContact(actor, addCustomerContactInput.parse({ id, ...contact }));
}

const remove = (actor: IdentityActor, id: string, email: string) => removeCustomerContact(actor, id, contactGuid(email));

/** `ann*, bob`: the contacts in order, the primary one with a star. */
function summary({ contacts }: CustomerRecord): string {
  return contacts.map(({ email, isPrimary }) => email.replace('@x.io', isPrimary ? '*' : '')).join(', ');
}

describe('naming contacts', () => {
  test('the first one is primary; all keep their order and stand in lower case', async () => {
    const { actor } = await createTestIdentity();
    const customer = await create(actor, { email: ' ZOE@x.io ' }, { email: 'ann@x.io' }, { email: 'Bob@X.io' });
    expect(summary(customer)).toBe('zoe*, ann, bob');
    expect(customer.contacts.map(({ guid }) => guid)).toEqual(['zoe@x.io', 'ann@x.io', 'bob@x.io'].map(contactGuid));
  });

  test('a guid is enough once the contact is known, in any case', async () => {
    const { actor } = await createTestIdentity();
    const first = await create(actor, { email: 'ann@x.io', displayName: 'Ann' }, { email: 'bob@x.io' });
    await remove(actor, first.id, 'ann@x.io');
    const second = await create(actor, { guid: contactGuid('ann@x.io').toUpperCase() });
    expect(second.contacts).toEqual([{ guid: contactGuid('ann@x.io'), email: 'ann@x.io', displayName: 'Ann', isPrimary: true }]);
  });

  test('a guid that this identity does not know is not found, and nothing is created', async () => {
    const { actor } = await createTestIdentity();
    const stranger = await createTestIdentity();
    await create(stranger.actor, { email: 'theirs@x.io' });
    for (const guid of [contactGuid('nobody@x.io'), contactGuid('theirs@x.io')]) {
      await expect(create(actor, { email: 'new@x.io' }, { guid })).rejects.toMatchObject(notFound);
    }
    expect((await listCustomers(actor, { limit: 50, offset: 0 })).total).toBe(0);
    await expect(create(actor, { guid: contactGuid('new@x.io') })).rejects.toMatchObject(notFound);
  });

  test('an e-mail with a guid that is not its own is refused; its own is fine', async () => {
    const { actor } = await createTestIdentity();
    await expect(create(actor, { email: 'ann@x.io', guid: contactGuid('bob@x.io') })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { 'contacts.0.guid': 'is not the guid of this e-mail address' } },
    });
    expect(summary(await create(actor, { email: 'ann@x.io', guid: contactGuid('ann@x.io') }))).toBe('ann*');
  });

  test('one contact twice in a request is refused, however it is written', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, { email: 'known@x.io' }, { email: 'other@x.io' });
    await remove(actor, id, 'known@x.io');
    const known = contactGuid('known@x.io');
    for (const [again, field] of [
      [{ email: 'KNOWN@x.io ' }, 'email'],
      [{ guid: known.toUpperCase() }, 'guid'],
    ] as const) {
      await expect(create(actor, { email: 'known@x.io' }, { email: 'third@x.io' }, again)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { [`contacts.2.${field}`]: 'is given more than once' } },
      });
    }
    await expect(getCustomerByContact(actor, known)).rejects.toMatchObject(notFound);
  });

  test('identities have contacts of their own: the same person may be a customer of many', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const first = await create(one.actor, { email: 'ann@x.io', displayName: 'Ann One' });
    const second = await create(two.actor, { email: 'ann@x.io', displayName: 'Ann Two' });
    expect(second.contacts[0]).toMatchObject({ guid: first.contacts[0]?.guid, displayName: 'Ann Two' });
    expect(await getCustomer(one.actor, first.id)).toEqual(first);
  });
});

describe('display names', () => {
  test('the one supplied last wins while the contact belongs to nobody; none supplied changes none', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, { email: 'ann@x.io', displayName: 'Ann' });
    await deleteCustomer(actor, id);
    expect((await create(actor, { email: 'ann@x.io' })).contacts[0]?.displayName).toBe('Ann');
    await deleteCustomer(actor, (await getCustomerByContact(actor, contactGuid('ann@x.io'))).id);
    expect((await create(actor, { email: 'ann@x.io', displayName: 'Dr. Ann' })).contacts[0]?.displayName).toBe('Dr. Ann');
  });

  test('a sender who is no customer gets the first that a mail has', async () => {
    const { actor, identityId } = await createTestIdentity();
    for (const displayName of [null, 'Ann', 'Somebody else'])
      await transaction(actor, (client) => ensureContact(client, identityId, { email: 'ann@x.io', displayName }));
    expect((await suggestContacts(actor, 'ann@x.io')).contacts).toEqual([{ email: 'ann@x.io', name: 'Ann' }]);
  });

  test('a customer without one takes that of a mail, once, which is an event', async () => {
    const identity = await createTestIdentity();
    const { actor, identityId } = identity;
    const { id } = await create(actor, { email: 'ann@x.io' });
    const mailFrom = (displayName: string) =>
      transaction(actor, (client) => ensureContact(client, identityId, { email: 'ann@x.io', displayName }));
    const [event, ...others] = await eventsOf(identity, () => mailFrom('Ann'));
    expect(others).toEqual([]);
    const customer = await getCustomer(actor, id);
    expect(customer.contacts[0]?.displayName).toBe('Ann');
    expect(event).toMatchObject({
      type: 'customer.updated',
      actor: { type: 'system' },
      data: { object: customer, previousAttributes: { contacts: [{ displayName: '' }] } },
    });
    expect(await eventsOf(identity, () => mailFrom('Somebody else'))).toEqual([]);
    expect(await getCustomer(actor, id)).toEqual(customer);
  });

  test('may be as long as 300 characters', () => {
    expect(addCustomerContactInput.safeParse({ id: unknownId, email: 'a@x.io', displayName: 'x'.repeat(300) }).success).toBe(
      true,
    );
    expect(addCustomerContactInput.safeParse({ id: unknownId, email: 'a@x.io', displayName: 'x'.repeat(301) }).success).toBe(
      false,
    );
  });
});

describe('a contact of another customer', () => {
  test('is refused with that customer’s id, and nothing changes', async () => {
    const { actor } = await createTestIdentity();
    const owner = await create(actor, { email: 'ann@x.io', displayName: 'Ann' });
    const other = await create(actor, { email: 'bob@x.io' });
    const conflict = { code: 'contact_conflict', status: 409, details: { customerId: owner.id } };
    await expect(create(actor, { email: 'new@x.io' }, { email: 'ANN@x.io', displayName: 'Stolen' })).rejects.toMatchObject(
      conflict,
    );
    await expect(create(actor, { guid: contactGuid('ann@x.io') })).rejects.toMatchObject(conflict);
    await expect(add(actor, other.id, { email: 'ann@x.io' })).rejects.toMatchObject(conflict);
    await expect(add(actor, other.id, { guid: contactGuid('ann@x.io') })).rejects.toMatchObject(conflict);
    expect(await getCustomer(actor, owner.id)).toEqual(owner);
    expect(await getCustomer(actor, other.id)).toEqual(other);
    await expect(getCustomerByContact(actor, contactGuid('new@x.io'))).rejects.toMatchObject(notFound);
    expect((await listCustomers(actor, { limit: 50, offset: 0 })).total).toBe(2);
  });
});

describe('adding', () => {
  test('puts it last and not primary, and moves the time', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, { email: 'zoe@x.io' });
    const { customer, added } = await add(actor, before.id, { email: 'Ann@x.io', displayName: 'Ann' });
    expect(added).toBe(true);
    expect(summary(customer)).toBe('zoe*, ann');
    expect(customer.contacts[1]?.displayName).toBe('Ann');
    expect(Date.parse(customer.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt));
    expect(await getCustomer(actor, before.id)).toEqual(customer);
  });

  test('what is there already changes nothing at all', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, { email: 'ann@x.io', displayName: 'Ann' }, { email: 'bob@x.io' });
    for (const contact of [{ email: 'ANN@x.io', displayName: 'Other' }, { guid: contactGuid('bob@x.io') }]) {
      expect(await add(actor, before.id, contact)).toEqual({ customer: before, added: false });
    }
    expect(await getCustomer(actor, before.id)).toEqual(before);
  });

  test('to an unknown or foreign customer finds nothing, and creates no contact', async () => {
    const { actor } = await createTestIdentity();
    const stranger = await createTestIdentity();
    const foreign = await create(stranger.actor, { email: 'ann@x.io' });
    for (const id of [unknownId, foreign.id]) await expect(add(actor, id, { email: 'new@x.io' })).rejects.toMatchObject(notFound);
    await expect(create(actor, { guid: contactGuid('new@x.io') })).rejects.toMatchObject(notFound);
    expect(await getCustomer(stranger.actor, foreign.id)).toEqual(foreign);
  });
});

describe('removing', () => {
  test('the primary one makes the oldest of the others primary: the one linked first, not the one known first', async () => {
    const { actor } = await createTestIdentity();
    // The database has known ann longest, but she is the last one linked to this customer.
    const earlier = await create(actor, { email: 'ann@x.io' });
    await deleteCustomer(actor, earlier.id);
    const { id } = await create(actor, { email: 'zoe@x.io' }, { email: 'bob@x.io' });
    await add(actor, id, { email: 'ann@x.io' });
    expect(summary(await remove(actor, id, 'zoe@x.io'))).toBe('bob*, ann');
    // A contact that is linked again is the newest.
    expect(summary((await add(actor, id, { email: 'zoe@x.io' })).customer)).toBe('bob*, ann, zoe');
    expect(summary(await remove(actor, id, 'bob@x.io'))).toBe('ann*, zoe');
  });

  test('another one leaves the primary alone', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await create(actor, { email: 'ann@x.io' }, { email: 'bob@x.io' }, { email: 'zoe@x.io' });
    const after = await removeCustomerContact(actor, id, contactGuid('bob@x.io').toUpperCase());
    expect(summary(after)).toBe('ann*, zoe');
    expect(await getCustomer(actor, id)).toEqual(after);
    await expect(getCustomerByContact(actor, contactGuid('bob@x.io'))).rejects.toMatchObject(notFound);
  });

  test('the last one is refused', async () => {
    const { actor } = await createTestIdentity();
    const before = await create(actor, { email: 'ann@x.io' });
    await expect(remove(actor, before.id, 'ann@x.io')).rejects.toMatchObject({
      code: 'last_contact',
      status: 400,
      title: 'Cannot remove the last contact',
    });
    expect(await getCustomer(actor, before.id)).toEqual(before);
  });

  test('one that is not on this customer finds nothing, also where it is the last but one’s turn', async () => {
    const { actor } = await createTestIdentity();
    const stranger = await createTestIdentity();
    const mine = await create(actor, { email: 'ann@x.io' });
    await create(actor, { email: 'bob@x.io' });
    const foreign = await create(stranger.actor, { email: 'ann@x.io' }, { email: 'zoe@x.io' });
    await expect(remove(actor, mine.id, 'bob@x.io')).rejects.toMatchObject(notFound);
    await expect(remove(actor, mine.id, 'nobody@x.io')).rejects.toMatchObject(notFound);
    await expect(remove(actor, unknownId, 'ann@x.io')).rejects.toMatchObject(notFound);
    await expect(remove(actor, foreign.id, 'ann@x.io')).rejects.toMatchObject(notFound);
    expect(await getCustomer(actor, mine.id)).toEqual(mine);
    expect(await getCustomer(stranger.actor, foreign.id)).toEqual(foreign);
  });
});
