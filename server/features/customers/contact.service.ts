import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, type Queryable, rows } from '@/server/platform/db/sql';
import { emailAddress } from '@/server/platform/fields.schema';
import { contactGuid } from './contact-guid';
import type { ContactSuggestions } from './customer.schema';

/**
 * Makes somebody who wrote an external contact of the identity, without a customer; one that is known keeps its customer and name. An
 * address that no contact could have is passed over.
 */
export async function knowContact(
  db: Queryable,
  identityId: string,
  sender: { email: string; displayName: string | null },
): Promise<void> {
  const parsed = emailAddress.safeParse(sender.email);
  if (!parsed.success) return;
  // Whichever of the two unique indexes meets the contact first, it is known and that is all.
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

/** What is known of somebody outside. */
export interface KnownContact {
  guid: string;
  customerId: string | null;
}

/** The guid of each address, and the customer that has it as a contact; one statement however many they are. */
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
 * Contacts of whom a part of the name or address is typed, customers' first. Fewer than three letters are looked for at the beginning of
 * words only: that is what an index of trigrams finds.
 */
export async function suggestContacts({ identityId }: IdentityActor, query: string): Promise<ContactSuggestions> {
  const typed = query.trim().toLowerCase();
  if (typed === '') return { contacts: [] };
  const contacts = await rows<ContactSuggestions['contacts'][number]>(pool(), {
    text: `SELECT email, display_name AS name FROM (
        SELECT email, display_name, customer_id FROM external_contacts
        WHERE identity_id = $1 AND lower(' ' || display_name || ' ' || email) LIKE $2 LIMIT 200
      ) found ORDER BY (customer_id IS NULL), lower(display_name), email LIMIT ${suggestionsMaximum}`,
    values: [identityId, `%${typed.length < 3 ? ' ' : ''}${escapeLike(typed)}%`],
  });
  return { contacts };
}
