import type pg from 'pg';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { ConcurrentChange } from '@/server/platform/db/transaction';
import { AppError, type FieldErrors, invalidFields, notFound } from '@/server/platform/errors';
import { contactGuid } from './contact-guid';
import { type ContactRow, toContact } from './customer.queries';
import type { ContactInput, CustomerContact } from './customer.schema';

/** A contact of the input, with the path of its field for error messages ('' for the body itself). */
export interface ContactRequest extends ContactInput {
  field: string;
}

interface LinkRequest {
  identityId: string;
  customerId: string;
  contacts: ContactRequest[];
  /** True for a new customer, whose first contact is the primary one. */
  firstIsPrimary: boolean;
}

interface ResolvedContact extends ContactRequest {
  guid: string;
}

/** Locks the customer's row for this transaction, so that changes of its contacts are serialized. @returns whether there is one */
export async function lockCustomer(client: pg.PoolClient, identityId: string, id: string): Promise<boolean> {
  const found = await rows(client, {
    name: 'customer-lock',
    text: 'SELECT 1 FROM customers WHERE identity_id = $1 AND id = $2 FOR UPDATE',
    values: [identityId, id],
  });
  return found.length > 0;
}

function resolveGuids(contacts: ContactRequest[]): ResolvedContact[] {
  const problems: FieldErrors = {};
  const seen = new Set<string>();
  const resolved = contacts.map((contact) => {
    const given = contact.guid?.toLowerCase();
    const guid = contact.email === undefined ? (given ?? '') : contactGuid(contact.email);
    const name = (field: string) => (contact.field ? `${contact.field}.${field}` : field);
    if (given !== undefined && given !== guid) problems[name('guid')] = 'is not the guid of this e-mail address';
    if (seen.has(guid)) problems[name(contact.email === undefined ? 'guid' : 'email')] = 'is given more than once';
    seen.add(guid);
    return { ...contact, guid };
  });
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return resolved;
}

interface KnownContact {
  guid: string;
  email: string;
  displayName: string;
}

/** The contacts that can be linked: those given by guid alone get their known email, unknown ones are dropped. */
async function withEmails(client: pg.PoolClient, identityId: string, contacts: ResolvedContact[]): Promise<KnownContact[]> {
  const byGuidAlone = contacts.filter((contact) => contact.email === undefined).map((contact) => contact.guid);
  const known = byGuidAlone.length === 0 ? [] : await readContacts(client, identityId, byGuidAlone);
  const emails = new Map(known.map((row) => [row.guid, row.email]));
  return contacts.flatMap(({ guid, email, displayName = '' }) => {
    if (email !== undefined) return [{ guid, email, displayName }];
    const knownBy = emails.get(guid);
    return knownBy === undefined ? [] : [{ guid, email: knownBy, displayName: '' }];
  });
}

interface StoredContact {
  guid: string;
  email: string;
  customer_id: string | null;
}

function readContacts(client: pg.PoolClient, identityId: string, guids: string[]): Promise<StoredContact[]> {
  return rows<StoredContact>(client, {
    name: 'contacts-by-guid',
    text: 'SELECT guid, email, customer_id FROM external_contacts WHERE identity_id = $1 AND guid = ANY($2::uuid[])',
    values: [identityId, guids],
  });
}

/** Those of the contacts that do not belong to a customer. */
export async function withoutTaken<Contact extends { guid: string }>(
  client: pg.PoolClient,
  identityId: string,
  contacts: readonly Contact[],
): Promise<Contact[]> {
  const guids = contacts.map(({ guid }) => guid);
  const taken = new Set((await readContacts(client, identityId, guids)).filter((row) => row.customer_id).map((row) => row.guid));
  return contacts.filter(({ guid }) => !taken.has(guid));
}

interface LinkedContactRow extends ContactRow {
  link_order: string;
}

/**
 * Links contacts to a customer, and creates those given by an unknown email. A display name given with an email is stored
 * unless the contact already belongs to a customer.
 *
 * One statement, because creating is among the most frequent operations (docs/adr/0004). It locks rows in the order of their
 * guid, so that two transactions over the same contacts never deadlock; the table's primary key decides which one is first if
 * both create the same contact.
 *
 * @returns those that were not on this customer before, in the order of the input
 * @throws AppError not_found for an unknown guid, contact_conflict for a contact of another customer
 */
export async function linkContacts(client: pg.PoolClient, request: LinkRequest): Promise<CustomerContact[]> {
  const { identityId, customerId } = request;
  const contacts = resolveGuids(request.contacts);
  const known = await withEmails(client, identityId, contacts);
  const linked = await rows<LinkedContactRow>(client, {
    name: 'contacts-link',
    text: `INSERT INTO external_contacts AS known (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
      SELECT $1, guid, email, display_name, $2, $3 AND position = 1, link_order
      FROM (
        SELECT guid, email, display_name, position, nextval('external_contacts_link_order_seq') AS link_order
        FROM unnest($4::uuid[], $5::text[], $6::text[]) WITH ORDINALITY AS given(guid, email, display_name, position)
        ORDER BY position
      ) asked
      ORDER BY guid
      ON CONFLICT (identity_id, guid) DO UPDATE
      SET customer_id = excluded.customer_id, is_primary = excluded.is_primary, link_order = excluded.link_order,
        display_name = CASE WHEN excluded.display_name = '' THEN known.display_name ELSE excluded.display_name END
      WHERE known.customer_id IS NULL
      RETURNING customer_id, guid, email, display_name, is_primary, link_order`,
    values: [
      identityId,
      customerId,
      request.firstIsPrimary,
      known.map((contact) => contact.guid),
      known.map((contact) => contact.email),
      known.map((contact) => contact.displayName),
    ],
  }).catch(rethrowConflict);
  if (linked.length < contacts.length) await refuseTaken(client, request, contacts);
  return linked.sort((a, b) => Number(a.link_order) - Number(b.link_order)).map(toContact);
}

/**
 * Two concurrent transactions that create the same contact usually conflict at the primary key; the later one may hit the
 * unique email first, which the statement does not handle. Repeated, it finds the contact.
 */
function rethrowConflict(error: unknown): never {
  if (violatedConstraint(error) === 'external_contacts_identity_id_email_key') {
    throw new ConcurrentChange('the contact was created meanwhile', { cause: error });
  }
  throw error;
}

/**
 * Throws if contacts were not linked for any other reason than being on this customer already. The previous statement locked
 * them.
 */
async function refuseTaken(client: pg.PoolClient, request: LinkRequest, contacts: ResolvedContact[]): Promise<void> {
  const guids = contacts.map((contact) => contact.guid);
  const stored = await readContacts(client, request.identityId, guids);
  const owners = new Map(stored.map((row) => [row.guid, row.customer_id]));
  for (const { guid } of contacts) {
    const owner = owners.get(guid);
    if (owner === undefined) throw notFound();
    if (owner !== null && owner !== request.customerId) throw contactConflict(owner);
  }
}

function contactConflict(customerId: string): AppError {
  return new AppError('contact_conflict', 'This contact belongs to another customer.', { details: { customerId } });
}

/** Unlinks a contact from a customer whose row the caller has locked. */
export async function unlinkContact(
  client: pg.PoolClient,
  identityId: string,
  customerId: string,
  guid: string,
): Promise<{ wasPrimary: boolean; remaining: number }> {
  const contacts = await rows<{ guid: string; is_primary: boolean }>(client, {
    name: 'contacts-of-customer',
    text: 'SELECT guid, is_primary FROM external_contacts WHERE identity_id = $1 AND customer_id = $2',
    values: [identityId, customerId],
  });
  const contact = contacts.find((candidate) => candidate.guid === guid.toLowerCase());
  if (!contact) throw notFound();
  await client.query({
    name: 'contact-unlink',
    text: `UPDATE external_contacts SET customer_id = NULL, link_order = NULL, is_primary = false
      WHERE identity_id = $1 AND guid = $2`,
    values: [identityId, contact.guid],
  });
  return { wasPrimary: contact.is_primary, remaining: contacts.length - 1 };
}

/** Makes the contact that was linked first the primary one. */
export async function promoteOldestContact(client: pg.PoolClient, identityId: string, customerId: string): Promise<void> {
  await client.query({
    name: 'contact-promote',
    text: `UPDATE external_contacts SET is_primary = true WHERE identity_id = $1 AND guid = (
        SELECT guid FROM external_contacts WHERE identity_id = $1 AND customer_id = $2 ORDER BY link_order LIMIT 1
      )`,
    values: [identityId, customerId],
  });
}
