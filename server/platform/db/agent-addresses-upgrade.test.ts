import { expect, test } from 'vitest';
import { withDatabaseBefore } from '@/server/testing/database-before';
import { migrate } from './migrate';

/** How the migration that gives agents a domain of their own treats existing agents. */

const migration = '20261129100000_agent_addresses';

const database = withDatabaseBefore(migration);

const rowsOf = async (text: string) => (await database.client.query(text)).rows;

const claims = () => rowsOf('SELECT address, identity_id FROM address_claims ORDER BY address');

test('agents have the addresses they had, and the audit log says nothing', async () => {
  await database.client.query(
    `INSERT INTO users (id, email, password_hash) VALUES ('00000000-0000-7000-8000-000000000001', 'a@mail.example', 'x')`,
  );
  await database.client.query(`INSERT INTO identities (id, handle, owner_user_id, address, address_proof) VALUES
    ('00000000-0000-7000-8000-000000000011', 'proven', '00000000-0000-7000-8000-000000000001', 'hello@acme.test', 'operator'),
    ('00000000-0000-7000-8000-000000000012', 'by-code', '00000000-0000-7000-8000-000000000001', 'hello@code.test', 'code'),
    ('00000000-0000-7000-8000-000000000013', 'none', '00000000-0000-7000-8000-000000000001', NULL, NULL)`);
  await database.client.query(`INSERT INTO agents (id, identity_id, name, kind, role_id, setup)
    SELECT gen_random_uuid(), id, 'Inbox manager', 'inbox-manager', 'inbox-manager', '{}' FROM identities`);
  const before = await claims();
  const entries = await rowsOf('SELECT count(*)::int AS count FROM audit_entries');
  expect(await migrate(database.url, { isWanted: (name) => name <= migration })).toEqual([migration]);
  expect(
    await rowsOf('SELECT i.handle, a.mail_domain FROM agents a JOIN identities i ON i.id = a.identity_id ORDER BY 1'),
  ).toEqual([
    { handle: 'by-code', mail_domain: 'code.test' },
    { handle: 'none', mail_domain: 'none.localhost' },
    { handle: 'proven', mail_domain: 'acme.test' },
  ]);
  expect(await claims()).toEqual(before);
  expect(before.map(({ address }) => address)).toContain('inbox-manager@acme.test');
  expect(await rowsOf('SELECT count(*)::int AS count FROM audit_entries')).toEqual(entries);
});
