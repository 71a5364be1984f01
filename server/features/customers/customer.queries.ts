import { type Queryable, rows } from '@/server/platform/db/sql';
import type { CustomerContact, CustomerRecord } from './customer.schema';

/**
 * Customers are the most frequently used resource of the API, so they are read by hand-written statements: one for the rows,
 * one for the contacts of all of them (measured against Prisma's include and JSON aggregation; docs/adr/0004).
 */

export interface CustomerRow {
  id: string;
  identity_id: string;
  company: string;
  phone: string;
  tags: string[];
  notes: string;
  metadata: Record<string, unknown>;
  revision: number;
  /** ISO 8601: see Statement.isoTimes. */
  created_at: string;
  updated_at: string;
}

export interface ContactRow {
  customer_id: string;
  guid: string;
  email: string;
  display_name: string;
  is_primary: boolean;
}

export const customerColumns =
  'c.id, c.identity_id, c.company, c.phone, c.tags, c.notes, c.metadata, c.revision, c.created_at, c.updated_at';

/** A contact in its API form. */
export function toContact(row: ContactRow): CustomerContact {
  return { guid: row.guid, email: row.email, displayName: row.display_name, isPrimary: row.is_primary };
}

/** A customer in its API form. */
export function toRecord(row: CustomerRow, contacts: CustomerContact[]): CustomerRecord {
  return {
    id: row.id,
    identityId: row.identity_id,
    company: row.company,
    phone: row.phone,
    tags: row.tags,
    notes: row.notes,
    metadata: row.metadata,
    contacts,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Adds the contacts, oldest first, to customers of one identity; in one statement. */
export async function withContacts(db: Queryable, identityId: string, found: CustomerRow[]): Promise<CustomerRecord[]> {
  if (found.length === 0) return [];
  const contacts = await rows<ContactRow>(db, {
    name: 'customer-contacts',
    text: `SELECT customer_id, guid, email, display_name, is_primary FROM external_contacts
      WHERE identity_id = $1 AND customer_id = ANY($2) ORDER BY link_order`,
    values: [identityId, found.map((row) => row.id)],
  });
  const byCustomer = new Map<string, CustomerContact[]>(found.map((row) => [row.id, []]));
  for (const contact of contacts) byCustomer.get(contact.customer_id)?.push(toContact(contact));
  return found.map((row) => toRecord(row, byCustomer.get(row.id) ?? []));
}

interface CustomerWithContactsRow extends CustomerRow {
  contacts: CustomerContact[];
}

/** One customer of this identity with its contacts, in one statement; undefined for an unknown or foreign id. */
export async function findCustomer(db: Queryable, identityId: string, id: string): Promise<CustomerRecord | undefined> {
  const [row] = await rows<CustomerWithContactsRow>(db, {
    name: 'customer-get',
    isByKey: true,
    isoTimes: true,
    text: `SELECT ${customerColumns}, (
        SELECT json_agg(json_build_object('guid', guid, 'email', email, 'displayName', display_name, 'isPrimary', is_primary) ORDER BY link_order)
        FROM external_contacts WHERE identity_id = $1 AND customer_id = c.id
      ) AS contacts
      FROM customers c WHERE c.identity_id = $1 AND c.id = $2`,
    values: [identityId, id],
  });
  return row && toRecord(row, row.contacts);
}

/** Filters of the customer list, combined with AND. `query` is searched in company and notes, the words of `search` in every field. */
export interface CustomerFilter {
  tag?: string | undefined;
  query?: string | undefined;
  search?: string | undefined;
  email?: string | undefined;
}
