import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { type ContactRequest, linkContacts, lockCustomer, promoteOldestContact, unlinkContact } from './customer.contacts';
import { listCustomerPage, listTags } from './customer.list';
import { type CustomerRow, customerColumns, findCustomer, toRecord } from './customer.queries';
import type {
  ContactInput,
  CreateCustomerInput,
  CustomerList,
  CustomerRecord,
  CustomerTags,
  ListCustomersInput,
  UpdateCustomerInput,
} from './customer.schema';

/** `GET /identity/customers`: newest first; `query` wins over `q`. */
export function listCustomers(actor: IdentityActor, input: ListCustomersInput): Promise<CustomerList> {
  const { tag, email, search } = input;
  return listCustomerPage(actor.identityId, { tag, email, search, query: input.query ?? input.q }, input);
}

/** Tags in use, as suggestions. */
export async function getCustomerTags(actor: IdentityActor): Promise<CustomerTags> {
  return { tags: await listTags(actor.identityId) };
}

/** @throws AppError not_found for an unknown or foreign id. */
export async function getCustomer(actor: IdentityActor, id: string): Promise<CustomerRecord> {
  return requireCustomer(pool(), actor.identityId, id);
}

/** The customer that owns the contact with this guid. */
export async function getCustomerByContact(actor: IdentityActor, guid: string): Promise<CustomerRecord> {
  const [contact] = await rows<{ customer_id: string | null }>(pool(), {
    name: 'contact-owner',
    text: 'SELECT customer_id FROM external_contacts WHERE identity_id = $1 AND guid = $2',
    values: [actor.identityId, guid],
  });
  if (!contact?.customer_id) throw notFound();
  return getCustomer(actor, contact.customer_id);
}

/**
 * Creates a customer with its contacts; the first one becomes the primary.
 *
 * @throws AppError contact_conflict if a contact belongs to another customer, not_found for an unknown guid, invalid_request
 *   for a duplicate contact
 */
export async function createCustomer(actor: IdentityActor, input: CreateCustomerInput): Promise<CustomerRecord> {
  const { identityId } = actor;
  const id = uuidv7();
  return transaction(actor, async (client) => {
    const [row] = await rows<CustomerRow>(client, {
      name: 'customer-insert',
      isoTimes: true,
      text: `INSERT INTO customers AS c (id, identity_id, company, phone, tags, notes, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7)
        RETURNING ${customerColumns}`,
      values: [id, identityId, input.company, input.phone, input.tags, input.notes, JSON.stringify(input.metadata)],
    });
    if (!row) throw new Error('the insert gave no row');
    const contacts = contactRequests(input.contacts);
    return toRecord(row, await linkContacts(client, { identityId, customerId: id, contacts, firstIsPrimary: true }));
  });
}

function contactRequests(contacts: ContactInput[]): ContactRequest[] {
  return contacts.map((contact, index) => ({ ...contact, field: `contacts.${index}` }));
}

async function requireCustomer(db: Queryable, identityId: string, id: string): Promise<CustomerRecord> {
  const customer = await findCustomer(db, identityId, id);
  if (!customer) throw notFound();
  return customer;
}

/** Columns of a partial update, by field name. */
const updatable = ['company', 'phone', 'tags', 'notes', 'metadata'] as const;

/** Changes the supplied fields; `tags` and `metadata` are replaced as a whole. An empty input changes nothing. */
export async function updateCustomer(actor: IdentityActor, input: UpdateCustomerInput): Promise<CustomerRecord> {
  const values: unknown[] = [actor.identityId, input.id];
  const changes: string[] = [];
  for (const field of updatable) {
    const value = input[field];
    if (value === undefined) continue;
    values.push(field === 'metadata' ? JSON.stringify(value) : value);
    changes.push(`${field} = $${values.length}`);
  }
  if (changes.length > 0) {
    await transaction(actor, (client) =>
      client.query({
        text: `UPDATE customers SET ${changes.join(', ')}, updated_at = now() WHERE identity_id = $1 AND id = $2`,
        values,
      }),
    );
  }
  return getCustomer(actor, input.id);
}

/** Deletes the customer; its contacts remain known to the identity, without a customer. */
export async function deleteCustomer(actor: IdentityActor, id: string): Promise<{ success: true }> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    await lockCustomer(client, identityId, id);
    await client.query({
      text: `UPDATE external_contacts SET customer_id = NULL, link_order = NULL, is_primary = false
        WHERE identity_id = $1 AND customer_id = $2`,
      values: [identityId, id],
    });
    await client.query({ text: 'DELETE FROM customers WHERE identity_id = $1 AND id = $2', values: [identityId, id] });
  });
  return { success: true };
}

/**
 * Links one more contact.
 *
 * @returns the customer, and `added: false` if it already had the contact and nothing changed
 */
export async function addCustomerContact(
  actor: IdentityActor,
  input: ContactInput & { id: string },
): Promise<{ customer: CustomerRecord; added: boolean }> {
  const { identityId } = actor;
  const { id, ...contact } = input;
  return transaction(actor, async (client) => {
    await lockCustomer(client, identityId, id);
    const linked = await linkContacts(client, {
      identityId,
      customerId: id,
      contacts: [{ ...contact, field: '' }],
      firstIsPrimary: false,
    });
    if (linked.length > 0) await touch(client, identityId, id);
    return { customer: await requireCustomer(client, identityId, id), added: linked.length > 0 };
  });
}

/**
 * Unlinks a contact; removing the primary one promotes the oldest remaining one.
 *
 * @throws AppError last_contact for the only contact, not_found for one that is not on this customer
 */
export async function removeCustomerContact(actor: IdentityActor, id: string, guid: string): Promise<CustomerRecord> {
  const { identityId } = actor;
  try {
    return await transaction(actor, async (client) => {
      await lockCustomer(client, identityId, id);
      const { wasPrimary, remaining } = await unlinkContact(client, identityId, id, guid);
      if (remaining === 0) throw lastContact();
      if (wasPrimary) await promoteOldestContact(client, identityId, id);
      await touch(client, identityId, id);
      return requireCustomer(client, identityId, id);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'customers_primary_contact_check') throw lastContact();
    throw error;
  }
}

function lastContact(): AppError {
  return new AppError('last_contact', 'A customer has at least one contact. Delete the customer instead.');
}

async function touch(client: pg.PoolClient, identityId: string, id: string): Promise<void> {
  await client.query({
    name: 'customer-touch',
    text: 'UPDATE customers SET updated_at = now() WHERE identity_id = $1 AND id = $2',
    values: [identityId, id],
  });
}
