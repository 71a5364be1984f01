import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/actor';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { addWhitelistedAddressInput } from './identity.schema';
import { addWhitelistedAddress, getIdentity, removeWhitelistedAddress, setPlan } from './identity.service';

withFreshDatabase();

function add(actor: IdentityActor, handle: string, address: string, description?: string | null) {
  return addWhitelistedAddress(actor, addWhitelistedAddressInput.parse({ handle, address, description }));
}

describe('whitelisted addresses', () => {
  test('come in the order they were added, trimmed, the address in lower case', async () => {
    const { actor } = await createTestIdentity();
    await add(actor, ' sales ', ' Sales@One.example ', 'Orders');
    await add(actor, 'a', 'a@one.example', '');
    const { whitelistedAddresses } = await add(actor, 'help', 'help@one.example', null);
    expect(whitelistedAddresses).toEqual([
      { handle: 'sales', address: 'sales@one.example', description: 'Orders' },
      { handle: 'a', address: 'a@one.example', description: null },
      { handle: 'help', address: 'help@one.example', description: null },
    ]);
    expect((await getIdentity(actor)).whitelistedAddresses).toEqual(whitelistedAddresses);
  });

  test('have a handle of their own within the identity, and an address of their own everywhere', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await add(one.actor, 'sales', 'sales@two.example');
    const conflict = { code: 'conflict', status: 409 };
    await expect(add(one.actor, 'sales', 'other@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'Another address already has this handle.',
    });
    await expect(add(one.actor, 'other', 'SALES@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'This address is already in use.',
    });
    await expect(add(two.actor, 'other', 'sales@two.example')).rejects.toMatchObject({
      ...conflict,
      message: 'This address is already in use.',
    });
    expect((await add(two.actor, 'sales', 'sales@three.example')).whitelistedAddresses).toHaveLength(1);
    expect((await getIdentity(one.actor)).whitelistedAddresses).toHaveLength(1);
  });

  test('are removed by address, and only by their own identity; none left is null', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await add(one.actor, 'sales', 'sales@four.example');
    await expect(removeWhitelistedAddress(two.actor, 'sales@four.example')).rejects.toMatchObject({ code: 'not_found' });
    expect((await removeWhitelistedAddress(one.actor, 'sales@four.example')).whitelistedAddresses).toBeNull();
    await expect(removeWhitelistedAddress(one.actor, 'sales@four.example')).rejects.toMatchObject({ code: 'not_found' });
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
