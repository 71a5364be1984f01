import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, type Queryable, rows } from '@/server/platform/db/sql';
import { emailAddress } from '@/server/platform/fields.schema';
import { contactGuid } from './contact-guid';
import type { ContactSuggestions } from './customer.schema';

/**
 * Makes a sender an external contact of the identity, without a customer; a known one keeps its customer and name. Addresses
 * that are invalid for a contact are skipped.
 */
export async function ensureContact(
  db: Queryable,
  identityId: string,
  sender: { email: string; displayName: string | null },
): Promise<void> {
  const parsed = emailAddress.safeParse(sender.email);
  if (!parsed.success) return;
  // A conflict with either of the two unique indexes means that the contact is known.
  const inserted = await rows(db, {
    name: 'contact-know',
    text: `INSERT INTO external_contacts (identity_id, guid, email, display_name) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING RETURNING 1`,
    values: [identityId, contactGuid(parsed.data), parsed.data, (sender.displayName ?? '').slice(0, 200)],
  });
  if (inserted.length > 0 || !sender.displayName) return;
  await db.query({
    name: 'contact-name',
    text: `UPDATE external_contacts SET display_name = $3 WHERE identity_id = $1 AND guid = $2 AND display_name = ''`,
    values: [identityId, contactGuid(parsed.data), sender.displayName.slice(0, 200)],
  });
}

/** Data of an external contact. */
export interface KnownContact {
  guid: string;
  customerId: string | null;
}

/** The guid of each address, and the customer that has it as a contact; in one statement. */
export async function contactsByEmail(
  db: Queryable,
  identityId: string,
  emails: readonly string[],
): Promise<(email: string) => KnownContact> {
  const found = await rows<{ email: string; customer_id: string | null }>(db, {
    name: 'contacts-by-email',
    text: 'SELECT email, customer_id FROM external_contacts WHERE identity_id = $1 AND email = ANY($2)',
    values: [identityId, emails.map((email) => email.toLowerCase())],
  });
  const customers = new Map(found.map((row) => [row.email, row.customer_id]));
  return (email) => ({ guid: contactGuid(email), customerId: customers.get(email.toLowerCase()) ?? null });
}

const suggestionsMaximum = 8;

/**
 * Contacts whose name or address contains the query, those of customers first. Fewer than three letters match only at the
 * beginning of words, because the trigram index needs three.
 */
export async function suggestContacts({ identityId }: IdentityActor, query: string): Promise<ContactSuggestions> {
  const typed = query.trim().toLowerCase();
  if (typed === '') return { contacts: [] };
  const contacts = await rows<ContactSuggestions['contacts'][number]>(pool(), {
    // Materialised, so that the planner ignores the limit and uses the trigram index.
    text: `WITH found AS MATERIALIZED (
        SELECT email, display_name, customer_id FROM external_contacts
        WHERE identity_id = $1 AND lower(' ' || display_name || ' ' || email) LIKE $2
      ) SELECT email, display_name AS name FROM (SELECT * FROM found LIMIT 200) found ORDER BY (customer_id IS NULL), lower(display_name), email LIMIT ${suggestionsMaximum}`,
    values: [identityId, `%${typed.length < 3 ? ' ' : ''}${escapeLike(typed)}%`],
  });
  return { contacts };
}
