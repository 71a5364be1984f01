import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

/** How the migration that makes all fields of customers searchable treats those that there are. */

const migration = '20261129300000_customer_search';
const identityId = '00000000-0000-7000-8000-000000000011';

let url = '';
let client: pg.Client;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await migrate(url, { isWanted: (name) => name < migration });
  client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await dropDatabase(inject('postgresUrl'), url);
});

const rowsOf = async (text: string) => (await client.query(text)).rows;

/** A customer as the version before writes it: contacts come last. */
async function writeCustomer(company: string): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO customers (id, identity_id, company, phone, tags, notes, metadata)
      VALUES (gen_random_uuid(), $1, $2, '+49 (40) 5550', '{VIP,North}', 'Calls', '{"crm": "Q-1", "rep": {"name": "Uma"}, "on": true}')`,
    [identityId, company],
  );
  await client.query(
    `INSERT INTO external_contacts (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
      SELECT $1, gen_random_uuid(), lower($2) || '@x.io', 'Ann', id, true, nextval('external_contacts_link_order_seq')
      FROM customers WHERE company = $2`,
    [identityId, company],
  );
  await client.query('COMMIT');
}

const searchTextOf = (company: string) => `${company}\nann\n${company}@x.io\nvip\nnorth\nq-1\numa\n\t49405550\ncalls`;

test('they are searched by all fields, nothing else changes, and the audit log says nothing', async () => {
  await client.query(
    `INSERT INTO users (id, email, password_hash) VALUES ('00000000-0000-7000-8000-000000000001', 'a@mail.example', 'x')`,
  );
  await client.query(
    `INSERT INTO identities (id, handle, owner_user_id) VALUES ($1, 'acme', '00000000-0000-7000-8000-000000000001')`,
    [identityId],
  );
  await writeCustomer('First');
  // More than are written at once.
  await client.query(
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
  // What takes long is done ahead, and repeated if it was interrupted; servers of the version before go on meanwhile.
  const prepared = { isWanted: (name: string) => name <= migration, prepares: true };
  expect(await migrate(url, prepared)).toEqual([migration]);
  expect(await migrate(url, prepared)).toEqual([migration]);
  expect(await rowsOf(customers)).toEqual(before);
  expect(await rowsOf(entries)).toEqual(noted);
  await writeCustomer('Second');
  expect(await migrate(url, { isWanted: (name) => name <= migration })).toEqual([migration]);
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
