import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { keepDeleted, takeDeleted } from '@/server/features/deletions/deletion.service';
import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor, SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { inOnePacket, transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import type { RecordVersion } from '@/server/platform/operations/operation';
import {
  type ContactRequest,
  linkContacts,
  lockCustomer,
  promoteOldestContact,
  unlinkContact,
  withoutTaken,
} from './customer.contacts';
import { customerEvents } from './customer.events.schema';
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

/**
 * `GET /identity/customers`: newest first, or for a `search` the best match; `query` wins over `q`.
 * @throws AppError invalid_request for a search beside a query, or too short for a long list
 */
export async function listCustomers(actor: IdentityActor, input: ListCustomersInput): Promise<CustomerList> {
  const { tag, email, search } = input;
  const query = input.query ?? input.q;
  if (search?.trim() && query) throw invalidFields({ search: 'can’t be combined with query' });
  return listCustomerPage(actor.identityId, { tag, email, search, query }, input);
}

export { customerHit } from './customer-hit';

/** Tags in use, as suggestions. */
export async function getCustomerTags(actor: IdentityActor): Promise<CustomerTags> {
  return { tags: await listTags(actor.identityId) };
}

const versionQuery = 'SELECT revision, updated_at AS "updatedAt" FROM customers WHERE identity_id = $1::uuid AND id = $2::uuid';

export const customerVersion: RecordVersion<{ id: string }, CustomerRecord> = {
  lock: (db, { identityId }, { id }) =>
    lockRevision(db, { name: 'customer-revision', text: `${versionQuery} FOR UPDATE`, values: [identityId, id] }),
  read: ({ identityId }, { id }) => readVersion({ name: 'customer-version', text: versionQuery, values: [identityId, id] }),
};

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
  const id = uuidv7();
  return transaction(actor, async (client) => {
    const customer = await insertCustomer(client, actor.identityId, { ...input, id, contacts: contactRequests(input.contacts) });
    await emit(client, actor, change({ kind: customerEvents, type: 'customer.created', id, object: customer }));
    return customer;
  });
}

interface NewCustomer extends Omit<CreateCustomerInput, 'contacts'> {
  id: string;
  contacts: ContactRequest[];
  /** Of a restored one; by default, now. */
  createdAt?: string;
  revision?: number;
}

async function insertCustomer(client: pg.PoolClient, identityId: string, given: NewCustomer): Promise<CustomerRecord> {
  const { id, company, phone, tags, notes, metadata, contacts, createdAt = null, revision = 1 } = given;
  const insert = () =>
    rows<CustomerRow>(client, {
      name: 'customer-insert',
      isoTimes: true,
      text: `INSERT INTO customers AS c (id, identity_id, company, phone, tags, notes, metadata, created_at, revision)
        VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, now()), $9) RETURNING ${customerColumns}`,
      values: [id, identityId, company, phone, tags, notes, JSON.stringify(metadata), createdAt, revision],
    });
  const link = () => linkContacts(client, { identityId, customerId: id, contacts, firstIsPrimary: true });
  // Contacts first: the customer's text for searching has them.
  const [linked, [row]] = await inOnePacket(client, () => [link(), insert()] as const);
  if (!row) throw new Error('the insert gave no row');
  return toRecord(row, linked);
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
  const { identityId } = actor;
  const { id } = input;
  const fields = updatable.filter((field) => input[field] !== undefined);
  if (fields.length === 0) return getCustomer(actor, id);
  const changed = await transaction(actor, async (client) => {
    const update = () =>
      rows<CustomerRow>(client, {
        name: `customer-update ${fields.join(' ')}`,
        isoTimes: true,
        text: `UPDATE customers c SET ${fields.map((field, index) => `${field} = $${index + 3}`).join(', ')}, updated_at = now()
          WHERE identity_id = $1 AND id = $2 RETURNING ${customerColumns}`,
        values: [
          identityId,
          id,
          ...fields.map((field) => (field === 'metadata' ? JSON.stringify(input.metadata) : input[field])),
        ],
      });
    // Each runs after the one before.
    const [previous, [row]] = await inOnePacket(client, () => [lockedCustomer(client, identityId, id), update()] as const);
    if (!previous || !row) return undefined;
    const customer = toRecord(row, previous.contacts);
    await emit(client, actor, change({ kind: customerEvents, type: 'customer.updated', id, object: customer, previous }));
    return customer;
  });
  // After the transaction: a precondition of the request comes first.
  if (!changed) throw notFound();
  return changed;
}

/**
 * Changes the contacts of a customer whose row is locked, and writes the event.
 *
 * @param work returns the customer afterwards; undefined if it changed nothing
 * @throws AppError not_found, after the transaction: a precondition of the request comes first
 */
async function updating(
  actor: IdentityActor,
  id: string,
  work: (client: pg.PoolClient) => Promise<CustomerRecord | undefined>,
): Promise<CustomerRecord> {
  const { identityId } = actor;
  const changed = await transaction(actor, async (client) => {
    const previous = await lockedCustomer(client, identityId, id);
    const customer = previous && (await work(client));
    if (!customer) return previous;
    await emit(client, actor, change({ kind: customerEvents, type: 'customer.updated', id, object: customer, previous }));
    return customer;
  });
  if (!changed) throw notFound();
  return changed;
}

/** Gives a contact of a customer the name under which it writes mail, unless it has one, and writes the event. */
export async function nameContactOf(
  client: pg.PoolClient,
  identityId: string,
  id: string,
  { guid, name }: { guid: string; name: string },
): Promise<void> {
  const previous = await lockedCustomer(client, identityId, id);
  const { rowCount } = await client.query({
    name: 'customer-contact-name',
    text: `WITH named AS (
        UPDATE external_contacts SET display_name = $4
        WHERE identity_id = $1 AND guid = $3 AND customer_id = $2 AND display_name = '' RETURNING 1
      ) UPDATE customers SET updated_at = now() WHERE identity_id = $1 AND id = $2 AND EXISTS (SELECT 1 FROM named)`,
    values: [identityId, id, guid, name],
  });
  if (!previous || rowCount === 0) return;
  const customer = await requireCustomer(client, identityId, id);
  const author: SystemActor = { kind: 'system', identityId, cause: 'mail' };
  await emit(client, author, change({ kind: customerEvents, type: 'customer.updated', id, object: customer, previous }));
}

/** The customer, whose row is locked so that changes of it and its contacts are serialized; undefined for an unknown one. */
async function lockedCustomer(client: pg.PoolClient, identityId: string, id: string): Promise<CustomerRecord | undefined> {
  // Sent together; the second one runs once the row is locked.
  const [isLocked, customer] = await Promise.all([lockCustomer(client, identityId, id), findCustomer(client, identityId, id)]);
  return isLocked ? customer : undefined;
}

/** Deletes the customer, which can be restored for 30 days; its contacts remain known to the identity, without a customer. */
export async function deleteCustomer(actor: IdentityActor, id: string): Promise<{ success: true }> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    const customer = await lockedCustomer(client, identityId, id);
    if (!customer) throw notFound();
    await client.query({
      text: `UPDATE external_contacts SET customer_id = NULL, link_order = NULL, is_primary = false
        WHERE identity_id = $1 AND customer_id = $2`,
      values: [identityId, id],
    });
    await client.query({ text: 'DELETE FROM customers WHERE identity_id = $1 AND id = $2', values: [identityId, id] });
    await keepDeleted(client, { identityId, kind: 'customer', id }, customer);
    await emit(client, actor, change({ kind: customerEvents, type: 'customer.deleted', id, object: customer }));
  });
  return { success: true };
}

/** One that was deleted before version 0.8.7 has no revision. */
type DeletedCustomer = Omit<CustomerRecord, 'revision'> & { revision?: number };

/**
 * Restores a deleted customer under its id, with those of its contacts that no other customer has now. A customer that is not deleted stays
 * as it is.
 *
 * @throws AppError not_found if it is unknown or was deleted more than 30 days ago, contact_conflict if other customers have all of
 *   its contacts
 */
export async function restoreCustomer(actor: IdentityActor, id: string): Promise<CustomerRecord> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const deleted = await takeDeleted<DeletedCustomer>(client, { identityId, kind: 'customer', id });
    if (!deleted) return requireCustomer(client, identityId, id);
    const free = await withoutTaken(client, identityId, deleted.contacts);
    const { revision = 1 } = deleted;
    // Where none is free, linking them says who has them.
    const contacts = (free.length > 0 ? free : deleted.contacts).map(({ guid, email }) => ({ guid, email, field: '' }));
    const customer = await insertCustomer(client, identityId, { ...deleted, contacts, revision: revision + 1 });
    // Its version goes on where it was.
    const restored = { kind: customerEvents, type: 'customer.created', id, object: customer, isNew: false } as const;
    await emit(client, actor, change(restored));
    return customer;
  });
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
  let added = false;
  const customer = await updating(actor, id, async (client) => {
    const contacts = [{ ...contact, field: '' }];
    const linked = await linkContacts(client, { identityId, customerId: id, contacts, firstIsPrimary: false });
    added = linked.length > 0;
    if (!added) return undefined;
    await touch(client, identityId, id);
    return requireCustomer(client, identityId, id);
  });
  return { customer, added };
}

/**
 * Unlinks a contact; removing the primary one promotes the oldest remaining one.
 *
 * @throws AppError last_contact for the only contact, not_found for one that is not on this customer
 */
export async function removeCustomerContact(actor: IdentityActor, id: string, guid: string): Promise<CustomerRecord> {
  const { identityId } = actor;
  try {
    return await updating(actor, id, async (client) => {
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
