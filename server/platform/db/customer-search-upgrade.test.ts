import { expect, test } from 'vitest';
import { withDatabaseBefore } from '@/server/testing/database-before';
import { migrate } from './migrate';

/** How the migration that makes all fields of customers searchable treats those that there are. */

const migration = '20261129300000_customer_search';
const identityId = '00000000-0000-7000-8000-000000000011';

const database = withDatabaseBefore(migration);

const rowsOf = async (text: string) => (await database.client.query(text)).rows;

/** A customer as the version before writes it: contacts come last. */
async function writeCustomer(company: string): Promise<void> {
  await database.client.query('BEGIN');
  await database.client.query(
    `INSERT INTO customers (id, identity_id, company, phone, tags, notes, metadata)
      VALUES (gen_random_uuid(), $1, $2, '+49 (40) 5550', '{VIP,North}', 'Calls', '{"crm": "Q-1", "rep": {"name": "Uma"}, "on": true}')`,
    [identityId, company],
  );
  await database.client.query(
    `INSERT INTO external_contacts (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
      SELECT $1, gen_random_uuid(), lower($2) || '@x.io', 'Ann', id, true, nextval('external_contacts_link_order_seq')
      FROM customers WHERE company = $2`,
    [identityId, company],
  );
  await database.client.query('COMMIT');
}

const searchTextOf = (company: string) => `${company}\nann\n${company}@x.io\nvip\nnorth\nq-1\numa\n\t49405550\ncalls`;

test('they are searched by all fields, nothing else changes, and the audit log says nothing', async () => {
  await database.client.query(
    `INSERT INTO users (id, email, password_hash) VALUES ('00000000-0000-7000-8000-000000000001', 'a@mail.example', 'x')`,
  );
  await database.client.query(
    `INSERT INTO identities (id, handle, owner_user_id) VALUES ($1, 'acme', '00000000-0000-7000-8000-000000000001')`,
    [identityId],
  );
  await writeCustomer('First');
  // More than are written at once.
  await database.client.query(
    `WITH made AS (INSERT INTO customers (id, identity_id, company) SELECT gen_random_uuid(), $1, 'Many' FROM generate_series(1, 5100) RETURNING id)
      INSERT INTO external_contacts (identity_id, guid, email, customer_id, is_primary, link_order)
      SELECT $1, gen_random_uuid(), id || '@x.io', id, true, nextval('external_contacts_link_order_seq') FROM made`,
    [identityId],
  );
  const [customers, entries] = [
    'SELECT id, company, phone, tags, notes, metadata, created_at, updated_at FROM customers ORDER BY id',
    'SELECT count(*)::int AS count FROM audit_entries',
  ];
  const before = await rowsOf(customers);
  const noted = await rowsOf(entries);
  // The long steps can run before the upgrade, more than once, while servers of the version before are still running.
  const prepared = { isWanted: (name: string) => name <= migration, prepares: true };
  expect(await migrate(database.url, prepared)).toEqual([migration]);
  expect(await migrate(database.url, prepared)).toEqual([migration]);
  expect(await rowsOf(customers)).toEqual(before);
  expect(await rowsOf(entries)).toEqual(noted);
  await writeCustomer('Second');
  expect(await migrate(database.url, { isWanted: (name) => name <= migration })).toEqual([migration]);
  for (const company of ['First', 'Second']) {
    expect(await rowsOf(`SELECT search_text FROM customers WHERE company = '${company}'`)).toEqual([
      { search_text: searchTextOf(company.toLowerCase()) },
    ]);
  }
  expect(
    await rowsOf(`SELECT count(*)::int AS count FROM customers c JOIN external_contacts x ON x.customer_id = c.id
    WHERE c.search_text = 'many' || E'\\n\\n' || x.email || E'\\n'`),
  ).toEqual([{ count: 5_100 }]);
  expect(
    await rowsOf(`SELECT count(*)::int AS count FROM audit_entries WHERE "after" ? 'search_text' OR "before" ? 'search_text'`),
  ).toEqual([{ count: 0 }]);
});
