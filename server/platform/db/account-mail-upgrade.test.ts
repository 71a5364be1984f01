import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { makeEarlierDatabase } from '@/server/testing/earlier-version';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

const accountMail = '20261123110000_account_mail';

interface Upgraded {
  email: string;
  isProven: boolean;
  entries: number;
}

test('an address counts as proven from before, unless its owner has changed it since', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  await migrate(url, { isWanted: (name) => name < accountMail });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const insert = `INSERT INTO users (id, email, password_hash) VALUES (gen_random_uuid(), $1, '-')`;
    for (const email of ['kept@x.example', 'changed@x.example']) await client.query(insert, [email]);
    await client.query(`UPDATE users SET email = 'ceo@elsewhere.example' WHERE email = 'changed@x.example'`);
    await client.query(`UPDATE users SET password_hash = 'other' WHERE email = 'kept@x.example'`);
    const before = await client.query('SELECT 1 FROM audit_entries');
    expect(await migrate(url, { isWanted: (name) => name <= accountMail })).toEqual([accountMail]);
    const { rows } = await client.query<Upgraded>(
      `SELECT email, email_verified_at = created_at AS "isProven", (SELECT count(*)::int FROM audit_entries) AS entries FROM users`,
    );
    const changed = rows.filter(({ isProven }) => !isProven).map(({ email }) => email);
    expect(changed).toEqual(['ceo@elsewhere.example']);
    expect(rows.length).toBeGreaterThan(2);
    // The upgrade itself is not an audited change.
    expect(rows[0]?.entries).toBe(before.rowCount);
  } finally {
    await client.end();
    await dropDatabase(inject('postgresUrl'), url);
  }
});
