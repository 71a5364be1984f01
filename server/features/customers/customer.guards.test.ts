import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { violatedConstraint } from '@/server/platform/db/sql';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { createCustomer, getCustomer } from './customer.service';

/** Constraints that the database enforces against faulty services, scripts and manual changes. */

withFreshDatabase();

interface Step {
  text: string;
  values?: unknown[];
}

async function attempt(...steps: Step[]): Promise<string | undefined> {
  const client = await pool().connect();
  try {
    await client.query('BEGIN');
    for (const step of steps) await client.query(step);
    await client.query('COMMIT');
    return 'accepted';
  } catch (error) {
    await client.query('ROLLBACK');
    return violatedConstraint(error) ?? String(error);
  } finally {
    client.release();
  }
}

async function twoContacts() {
  const { actor, identityId } = await createTestIdentity();
  const contacts = [{ email: 'ann@x.io' }, { email: 'bob@x.io' }];
  const customer = await createCustomer(actor, { contacts, company: '', phone: '', tags: [], notes: '', metadata: {} });
  return { actor, identityId, customer, id: customer.id };
}

const unlink = `UPDATE external_contacts SET customer_id = NULL, link_order = NULL, is_primary = false
  WHERE identity_id = $1 AND customer_id = $2`;

describe('a customer has a contact, and exactly one primary, at the end of every transaction', () => {
  test('none is created without one', async () => {
    const { identityId } = await createTestIdentity();
    const insert = { text: 'INSERT INTO customers (id, identity_id) VALUES (gen_random_uuid(), $1)', values: [identityId] };
    expect(await attempt(insert)).toBe('customers_primary_contact_check');
  });

  test.each([
    ['unlinking all', unlink],
    ['deleting all', 'DELETE FROM external_contacts WHERE identity_id = $1 AND customer_id = $2'],
    ['deleting the primary one', 'DELETE FROM external_contacts WHERE identity_id = $1 AND customer_id = $2 AND is_primary'],
    ['taking the mark off', 'UPDATE external_contacts SET is_primary = false WHERE identity_id = $1 AND customer_id = $2'],
  ])('%s is refused', async (_, text) => {
    const { actor, identityId, customer, id } = await twoContacts();
    expect(await attempt({ text, values: [identityId, id] })).toBe('customers_primary_contact_check');
    expect(await getCustomer(actor, id)).toEqual(customer);
  });

  test('two primaries are refused', async () => {
    const { identityId, id } = await twoContacts();
    const both = {
      text: 'UPDATE external_contacts SET is_primary = true WHERE identity_id = $1 AND customer_id = $2',
      values: [identityId, id],
    };
    expect(await attempt(both)).toBe('external_contacts_one_primary_key');
  });

  test('moving the primary contact to another customer is refused', async () => {
    const { actor, identityId, id } = await twoContacts();
    const other = await createCustomer(actor, {
      contacts: [{ email: 'zoe@x.io' }],
      company: '',
      phone: '',
      tags: [],
      notes: '',
      metadata: {},
    });
    const text =
      'UPDATE external_contacts SET customer_id = $3, is_primary = false WHERE identity_id = $1 AND customer_id = $2 AND is_primary';
    expect(await attempt({ text, values: [identityId, id, other.id] })).toBe('customers_primary_contact_check');
  });

  test('what holds again at the end is accepted', async () => {
    const { identityId, id } = await twoContacts();
    const values = [identityId, id];
    expect(
      await attempt(
        { text: 'UPDATE external_contacts SET is_primary = false WHERE identity_id = $1 AND customer_id = $2', values },
        {
          text: `UPDATE external_contacts SET is_primary = true WHERE identity_id = $1 AND customer_id = $2 AND email = 'bob@x.io'`,
          values,
        },
      ),
    ).toBe('accepted');
    expect(
      await attempt({ text: unlink, values }, { text: 'DELETE FROM customers WHERE identity_id = $1 AND id = $2', values }),
    ).toBe('accepted');
  });

  test('one transaction hands the mark over while another takes its new bearer away: the second is refused', async () => {
    const { identityId, id } = await twoContacts();
    const [first, second] = await Promise.all([pool().connect(), pool().connect()]);
    try {
      await Promise.all([first.query('BEGIN'), second.query('BEGIN')]);
      await first.query('UPDATE external_contacts SET is_primary = false WHERE customer_id = $1 AND is_primary', [id]);
      await first.query(`UPDATE external_contacts SET is_primary = true WHERE customer_id = $1 AND email = 'bob@x.io'`, [id]);
      // Waits for the first transaction, or runs after it: either way it removes the contact that is primary by then.
      const removal = second.query(`DELETE FROM external_contacts WHERE identity_id = $1 AND email = 'bob@x.io'`, [identityId]);
      await first.query('COMMIT');
      await removal;
      const refusal = await second.query('COMMIT').catch((error: unknown) => error);
      expect(violatedConstraint(refusal)).toBe('customers_primary_contact_check');
    } finally {
      first.release();
      second.release();
    }
  });
});

describe('links', () => {
  test('a contact can not belong to a customer of another identity', async () => {
    const { identityId } = await twoContacts();
    const foreign = await twoContacts();
    const text = `UPDATE external_contacts SET customer_id = $2, is_primary = false WHERE identity_id = $1 AND email = 'bob@x.io'`;
    expect(await attempt({ text, values: [identityId, foreign.id] })).toBe('external_contacts_identity_id_customer_id_fkey');
  });

  test('a contact can not belong to a customer that does not exist, and none can go while it has contacts', async () => {
    const { identityId, id } = await twoContacts();
    const text = `UPDATE external_contacts SET customer_id = gen_random_uuid() WHERE identity_id = $1 AND email = 'bob@x.io'`;
    expect(await attempt({ text, values: [identityId] })).toBe('external_contacts_identity_id_customer_id_fkey');
    expect(await attempt({ text: 'DELETE FROM customers WHERE id = $1', values: [id] })).toBe(
      'external_contacts_identity_id_customer_id_fkey',
    );
  });

  test.each([
    ['primary of nobody', 'customer_id = NULL, link_order = NULL'],
    ['ordered under nobody', 'customer_id = NULL, is_primary = false'],
    ['without an order', 'link_order = NULL'],
  ])('a contact can not be %s', async (_, changes) => {
    const { identityId } = await twoContacts();
    const text = `UPDATE external_contacts SET ${changes} WHERE identity_id = $1 AND email = 'ann@x.io'`;
    expect(await attempt({ text, values: [identityId] })).toBe('external_contacts_link_check');
  });

  test('an identity knows each e-mail once', async () => {
    const { identityId } = await twoContacts();
    const text = `INSERT INTO external_contacts (identity_id, guid, email) VALUES ($1, gen_random_uuid(), 'ann@x.io')`;
    expect(await attempt({ text, values: [identityId] })).toBe('external_contacts_identity_id_email_key');
  });
});

test('the maintained count follows every way of adding and removing rows', async () => {
  const { identityId, id } = await twoContacts();
  const count = async () => {
    const { rows } = await pool().query<{ sum: string }>('SELECT sum(customers) FROM customer_counts WHERE identity_id = $1', [
      identityId,
    ]);
    return Number(rows[0]?.sum);
  };
  const values = [identityId, id];
  expect(await count()).toBe(1);
  expect(
    await attempt(
      { text: unlink, values },
      { text: 'DELETE FROM customers WHERE identity_id = $1 AND id = $2', values },
      { text: 'SELECT 1/0' },
    ),
  ).toContain('division');
  expect(await count()).toBe(1);
  expect(await attempt({ text: 'UPDATE customers SET company = $1 WHERE identity_id = $2', values: ['x', identityId] })).toBe(
    'accepted',
  );
  expect(await count()).toBe(1);
  expect(
    await attempt({ text: unlink, values }, { text: 'DELETE FROM customers WHERE identity_id = $1 AND id = $2', values }),
  ).toBe('accepted');
  expect(await count()).toBe(0);
});
