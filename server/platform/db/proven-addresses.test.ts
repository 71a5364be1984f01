import { describe, expect, test } from 'vitest';
import { withDatabaseBefore } from '@/server/testing/database-before';
import { migrate } from './migrate';

/** How the migration that introduces address proofs treats existing addresses. */

const migration = '20261123120000_proven_addresses';

const database = withDatabaseBefore(migration);

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

async function user(number: number, cause: 'setup' | 'operator'): Promise<void> {
  await database.client.query('BEGIN');
  await database.client.query(`SELECT set_config('frontdesk.author', $1, true)`, [JSON.stringify({ kind: 'system', cause })]);
  await database.client.query(`INSERT INTO users (id, email, password_hash) VALUES ($1, $2, 'x')`, [
    uuid(number),
    `u${number}@mail.example`,
  ]);
  await database.client.query('COMMIT');
}

async function identity(number: number, owner: number, address: string | null, roles = ['inbox-manager']): Promise<void> {
  await database.client.query(
    `INSERT INTO identities (id, handle, owner_user_id, address, created_at) VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [uuid(number), `shop-${number}`, uuid(owner), address, number],
  );
  for (const role of roles) {
    await database.client.query(
      `INSERT INTO agents (id, identity_id, name, kind, role_id, setup) VALUES (gen_random_uuid(), $1, $2, 'helper', $2, '{}')`,
      [uuid(number), role],
    );
  }
}

async function further(identityNumber: number, address: string, author: object): Promise<void> {
  await database.client.query('BEGIN');
  await database.client.query(`SELECT set_config('frontdesk.author', $1, true)`, [JSON.stringify(author)]);
  await database.client.query(
    `INSERT INTO whitelisted_addresses (id, identity_id, handle, address) VALUES (gen_random_uuid(), $1, $2, $2)`,
    [uuid(identityNumber), address],
  );
  await database.client.query('COMMIT');
}

const owner = { kind: 'owner', id: uuid(1) };
const operator = { kind: 'system', cause: 'operator' };

async function statuses(): Promise<Record<string, string>> {
  const { rows } = await database.client.query(
    `SELECT address, status || coalesce(' ' || proof, '') AS status FROM whitelisted_addresses`,
  );
  return Object.fromEntries(rows.map(({ address, status }) => [address, status]));
}

async function claims(): Promise<Record<string, string>> {
  const { rows } = await database.client.query(
    `SELECT c.address, i.handle FROM address_claims c JOIN identities i ON i.id = c.identity_id ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ address, handle }) => [address, handle]));
}

const upgrade = () => migrate(database.url, { isWanted: (name) => name <= migration });

describe('addresses in use before they were proven', () => {
  test('stay their business’ where no one contests them', async () => {
    await user(1, 'operator');
    await identity(11, 1, 'hello@acme.test');
    await identity(12, 1, null);
    await further(11, 'sales@acme.test', owner);
    await further(12, 'orders@elsewhere.test', owner);
    await database.client.query('DELETE FROM audit_entries');
    expect(await upgrade()).toEqual([migration]);
    expect(await statuses()).toEqual({ 'sales@acme.test': 'proven earlier', 'orders@elsewhere.test': 'proven earlier' });
    expect(await claims()).toEqual({
      'hello@acme.test': 'shop-11',
      'inbox-manager@acme.test': 'shop-11',
      'inbox-manager@shop-12.localhost': 'shop-12',
      'orders@elsewhere.test': 'shop-12',
      'sales@acme.test': 'shop-11',
    });
    const { rows } = await database.client.query('SELECT count(*)::int AS count FROM audit_entries');
    expect(rows[0].count).toBe(0);
  });

  test('are contested where they are an agent’s of another, or at the domain of another owner’s', async () => {
    await user(1, 'operator');
    await user(2, 'operator');
    await identity(11, 1, 'hello@acme.test', ['inbox-manager', 'sales']);
    await identity(21, 2, null);
    await further(21, 'inbox-manager@acme.test', owner);
    await further(21, 'sales@shop-11.localhost', owner);
    await further(21, 'ceo@acme.test', owner);
    await further(21, 'inbox-manager@shop-21.localhost', owner);
    await further(21, 'given@acme.test', operator);
    await further(21, 'free@nobody.test', owner);
    await upgrade();
    expect(await statuses()).toEqual({
      'inbox-manager@acme.test': 'contested',
      'sales@shop-11.localhost': 'proven earlier',
      'ceo@acme.test': 'contested',
      'inbox-manager@shop-21.localhost': 'proven earlier',
      'given@acme.test': 'proven earlier',
      'free@nobody.test': 'proven earlier',
    });
    expect(await claims()).toMatchObject({ 'inbox-manager@acme.test': 'shop-11', 'given@acme.test': 'shop-21' });
    expect(await claims()).not.toHaveProperty('ceo@acme.test');
  });

  test('that the operator gave win over an agent, and no address but its own over an identity', async () => {
    await user(1, 'operator');
    await user(2, 'operator');
    await identity(11, 1, 'hello@acme.test', ['inbox-manager', 'support']);
    await identity(21, 2, 'hello@other.test');
    await further(21, 'support@acme.test', operator);
    // Bypasses the trigger, which earlier versions did not have.
    await database.client.query('ALTER TABLE whitelisted_addresses DISABLE TRIGGER USER');
    await further(21, 'hello@acme.test', operator);
    await database.client.query('ALTER TABLE whitelisted_addresses ENABLE TRIGGER USER');
    await upgrade();
    expect(await statuses()).toEqual({ 'support@acme.test': 'proven earlier', 'hello@acme.test': 'contested' });
    expect(await claims()).toMatchObject({ 'support@acme.test': 'shop-21', 'hello@acme.test': 'shop-11' });
  });

  test('of identities that share a domain go on as before: an agent’s is the oldest identity’s', async () => {
    await user(1, 'operator');
    await user(2, 'operator');
    await identity(22, 2, 'two@shared.test', ['inbox-manager', 'only-two']);
    await identity(11, 1, 'one@shared.test');
    await upgrade();
    expect(await claims()).toEqual({
      'inbox-manager@shared.test': 'shop-11',
      'one@shared.test': 'shop-11',
      'only-two@shared.test': 'shop-22',
      'two@shared.test': 'shop-22',
    });
  });

  test('and who set the installation up is known from the audit log', async () => {
    await user(1, 'setup');
    await user(2, 'operator');
    await upgrade();
    const { rows } = await database.client.query('SELECT id, is_installer FROM users ORDER BY id');
    expect(rows.map(({ is_installer }) => is_installer)).toEqual([true, false]);
  });
});
