import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { getIdentity, setPlan } from '../identity/identity.service';
import { addWhitelistedAddressInput } from './address.schema';
import { addWhitelistedAddress, removeWhitelistedAddress } from './further-address.service';

withFreshDatabase();

async function add(actor: IdentityActor, handle: string, address: string, description?: string | null) {
  await addWhitelistedAddress(actor, addWhitelistedAddressInput.parse({ handle, address, description }));
  return getIdentity(actor);
}

/** The number of connections that wait for a lock. */
async function waiting(client: pg.PoolClient): Promise<number> {
  // A transaction sees the connections that were there when it looked first.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const found = await client.query(
    `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
  );
  return found.rowCount ?? 0;
}

async function remove(actor: IdentityActor, address: string) {
  await removeWhitelistedAddress(actor, address);
  return getIdentity(actor);
}

describe('whitelisted addresses', () => {
  test('come in the order they were added, trimmed, the address in lower case', async () => {
    const { actor } = await createTestIdentity();
    await add(actor, ' sales ', ' Sales@One.example ', 'Orders');
    await add(actor, 'a', 'a@one.example', '');
    const { whitelistedAddresses } = await add(actor, 'help', 'help@one.example', null);
    expect(whitelistedAddresses).toEqual([
      { handle: 'sales', address: 'sales@one.example', description: 'Orders', status: 'pending' },
      { handle: 'a', address: 'a@one.example', description: null, status: 'pending' },
      { handle: 'help', address: 'help@one.example', description: null, status: 'pending' },
    ]);
    expect((await getIdentity(actor)).whitelistedAddresses).toEqual(whitelistedAddresses);
  });

  test('have a handle of their own within the identity, and an address of their own everywhere', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await add(one.actor, 'sales', 'sales@two.example');
    await createTestIdentity({ whitelist: [{ handle: 'taken', address: 'taken@two.example' }] });
    const conflict = { code: 'conflict', status: 409 };
    await expect(add(one.actor, 'sales', 'other@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'Another address already has this handle.',
    });
    await expect(add(one.actor, 'other', 'SALES@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'This address is already in the list.',
    });
    await expect(add(two.actor, 'other', 'taken@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'Another business here uses taken@two.example. Choose another address, or ask your administrator.',
    });
    expect((await add(two.actor, 'sales', 'sales@three.example')).whitelistedAddresses).toHaveLength(1);
    expect((await getIdentity(one.actor)).whitelistedAddresses).toHaveLength(1);
  });

  test('are a hundred at most, also when many are added at the same time', async () => {
    const { actor, identityId } = await createTestIdentity();
    await pool().query(
      `INSERT INTO whitelisted_addresses (id, identity_id, handle, address, status)
        SELECT gen_random_uuid(), $1, 'h' || n, 'h' || n || '@many.example', 'pending' FROM generate_series(1, 99) n`,
      [identityId],
    );
    // Several have begun before the first one ends.
    const holder = await pool().connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM identities WHERE id = $1 FOR UPDATE', [identityId]);
    const added = Promise.allSettled(Array.from({ length: 20 }, (_, n) => add(actor, `new-${n}`, `a@many-${n}.example`)));
    await expect.poll(() => waiting(holder), { interval: 5 }).toBeGreaterThan(1);
    await holder.query('COMMIT');
    holder.release();
    const results = await added;
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('at most 100') });
    }
  });

  test('are removed by address, and only by their own identity; none left is null', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await add(one.actor, 'sales', 'sales@four.example');
    await expect(remove(two.actor, 'sales@four.example')).rejects.toMatchObject({ code: 'not_found' });
    expect((await remove(one.actor, 'sales@four.example')).whitelistedAddresses).toBeNull();
    await expect(remove(one.actor, 'sales@four.example')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the plan', () => {
  test('is set by handle', async () => {
    const { handle, identityId } = await createTestIdentity({ plan: 'free' });
    expect(await setPlan(handle, 'solopreneur')).toEqual({ identityId, plan: 'solopreneur' });
    await expect(setPlan('nobody-has-this', 'free')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no identity nobody-has-this.',
    });
  });
});
