import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { emailAddress } from '@/server/platform/fields.schema';
import { contactGuid } from './contact-guid';
import type { ContactSuggestions } from './customer.schema';
import { nameContactOf } from './customer.service';

/**
 * Makes a sender an external contact of the identity, without a customer; a known one keeps its customer and name. Addresses
 * that are invalid for a contact are skipped.
 */
export async function ensureContact(
  client: pg.PoolClient,
  identityId: string,
  sender: { email: string; displayName: string | null },
): Promise<void> {
  const parsed = emailAddress.safeParse(sender.email);
  if (!parsed.success) return;
  // A conflict with either of the two unique indexes means that the contact is known.
  const inserted = await rows(client, {
    name: 'contact-know',
    text: `INSERT INTO external_contacts (identity_id, guid, email, display_name) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING RETURNING 1`,
    values: [identityId, contactGuid(parsed.data), parsed.data, (sender.displayName ?? '').slice(0, 200)],
  });
  if (inserted.length > 0 || !sender.displayName) return;
  const contact = { guid: contactGuid(parsed.data), name: sender.displayName.slice(0, 200) };
  const [nameless] = await rows<{ customer_id: string | null }>(client, {
    name: 'contact-nameless',
    text: `SELECT customer_id FROM external_contacts WHERE identity_id = $1 AND guid = $2 AND display_name = ''`,
    values: [identityId, contact.guid],
  });
  if (!nameless) return;
  if (nameless.customer_id !== null) return nameContactOf(client, identityId, nameless.customer_id, contact);
  await client.query({
    name: 'contact-name',
    text: `UPDATE external_contacts SET display_name = $3
      WHERE identity_id = $1 AND guid = $2 AND display_name = '' AND customer_id IS NULL`,
    values: [identityId, contact.guid, contact.name],
  });
}

/** The guid that the contact with this address has, or would have. */
export function guidOfContact(email: string): string {
  return contactGuid(email);
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
    withoutRowSecurity: true,
    // Materialised, so that the planner ignores the limit and uses the trigram index.
    text: `WITH found AS MATERIALIZED (
        SELECT email, display_name, customer_id FROM external_contacts
        WHERE identity_id = $1 AND lower(' ' || display_name || ' ' || email) LIKE $2
      ) SELECT email, display_name AS name FROM (SELECT * FROM found LIMIT 200) found ORDER BY (customer_id IS NULL), lower(display_name), email LIMIT ${suggestionsMaximum}`,
    values: [identityId, `%${typed.length < 3 ? ' ' : ''}${escapeLike(typed)}%`],
  });
  return { contacts };
}
