import { describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { getIdentity } from '../identity/identity.service';
import { createIdentityInput } from './account.schema';
import { createIdentity, getAccount, signIn, switchIdentity } from './account.service';
import { setEmail } from './email-change.service';

withFreshDatabase();

function create(input: Record<string, unknown>) {
  return createIdentity(createIdentityInput.parse({ ownerPassword: 'correct horse battery', ...input }));
}

describe('the account', () => {
  test('knows the person and their identities, oldest first', async () => {
    const { actor, owner, handle } = await createTestIdentity({ displayName: 'First', plan: 'free' });
    const second = await create({
      handle: `${handle}-2`,
      ownerEmail: owner.email,
      ownerPassword: undefined,
      existingOwner: true,
    });
    expect(await getAccount(actor)).toEqual({
      user: {
        ...{ id: owner.userId, email: owner.email, displayName: '', isEmailVerified: true, pendingEmail: null },
        ...{ timeZone: null, language: 'en', undoSeconds: 0, emailFormat: 'plain', photoUrl: null },
        createdAt: expect.any(String),
      },
      identityId: actor.identityId,
      identities: [
        { id: actor.identityId, handle, displayName: 'First', plan: 'free', role: 'owner' },
        { id: second.identityId, handle: `${handle}-2`, displayName: null, plan: 'free', role: 'owner' },
      ],
    });
  });

  test('that is gone is signed out', async () => {
    const userId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
    await expect(getAccount({ kind: 'session', userId, sessionId: userId, identityId: null, role: null })).rejects.toMatchObject({
      code: 'signed_out',
    });
  });

  test('owns its own identities only', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    await expect(switchIdentity(one.actor, two.identityId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(switchIdentity(one.actor, one.identityId)).resolves.toMatch(one.identityId);
  });
});

describe('creating an identity', () => {
  test('with everything', async () => {
    const { identityId, handle, ownerUserId } = await create({
      handle: 'everything',
      ownerEmail: ' Owner@Everything.Example ',
      displayName: 'Everything',
      address: 'Hello@Everything.Example',
      scope: 'business',
      plan: 'solopreneur',
      whitelist: ['sales=Sales@everything.example', ' a =b=c@everything.example'],
    });
    expect(handle).toBe('everything');
    const identity = await getIdentity({ kind: 'system', identityId });
    expect(identity).toMatchObject({ displayName: 'Everything', address: 'hello@everything.example', scope: 'business' });
    expect(identity.whitelistedAddresses).toEqual([
      { handle: 'sales', address: 'sales@everything.example', description: null, status: 'proven' },
      { handle: 'a', address: 'b=c@everything.example', description: null, status: 'proven' },
    ]);
    expect(await signIn('owner@everything.example', 'correct horse battery', 'here')).toMatchObject({
      user: { id: ownerUserId },
    });
  });

  test('for an existing account is refused unless it was asked for', async () => {
    const { owner, handle } = await createTestIdentity();
    const ownerEmail = owner.email.toUpperCase();
    const next = { handle: `${handle}-2`, ownerEmail };
    await expect(create({ ...next, ownerPassword: 'some other password' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--existing-owner'),
    });
    await expect(create({ ...next, ownerPassword: 'some other password', existingOwner: true })).rejects.toMatchObject({
      details: { fields: { ownerPassword: expect.any(String) } },
    });
    expect(await prisma().identity.count({ where: { ownerUserId: owner.userId } })).toBe(1);
    const second = await create({ ...next, ownerPassword: undefined, existingOwner: true });
    expect(second.ownerUserId).toBe(owner.userId);
    expect(await signIn(owner.email, owner.password, 'here')).toHaveProperty('user');
    expect(await signIn(owner.email, 'some other password', 'here')).toEqual({ refused: 'credentials' });
  });

  test('for an existing account needs its address to be proven', async () => {
    const { owner, handle } = await createTestIdentity();
    await prisma().user.update({ where: { id: owner.userId }, data: { emailVerifiedAt: null } });
    const input = { handle: `${handle}-2`, ownerEmail: owner.email, ownerPassword: undefined, existingOwner: true };
    await expect(create(input)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('user set-email') });
    await setEmail({ email: owner.email, newEmail: owner.email });
    expect(await create(input)).toMatchObject({ ownerUserId: owner.userId });
  });

  test('wants a password for a new owner, and an account for an existing one', async () => {
    const next = { handle: 'nobodys', ownerEmail: 'nobody@one.example', ownerPassword: undefined };
    await expect(create(next)).rejects.toMatchObject({ details: { fields: { ownerPassword: 'is required' } } });
    await expect(create({ ...next, existingOwner: true })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a handle or address that is taken is refused, and leaves no owner behind', async () => {
    const { handle } = await createTestIdentity({ address: 'taken@one.example' });
    const conflict = { code: 'conflict', status: 409 };
    await expect(create({ handle, ownerEmail: 'late@one.example' })).rejects.toMatchObject({
      ...conflict,
      message: `The handle ${handle} is taken.`,
    });
    await expect(
      create({ handle: 'free-one', ownerEmail: 'late@one.example', address: 'TAKEN@one.example' }),
    ).rejects.toMatchObject(conflict);
    await create({ handle: 'with-list', ownerEmail: 'list@one.example', whitelist: ['a=list-a@one.example'] });
    await expect(
      create({ handle: 'free-two', ownerEmail: 'late@one.example', whitelist: ['b=list-a@one.example'] }),
    ).rejects.toMatchObject(conflict);
    expect(await signIn('late@one.example', 'correct horse battery', 'here')).toEqual({ refused: 'credentials' });
  });

  test('of one handle at the same time works once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => create({ handle: 'wanted', ownerEmail: `w${i}@one.example` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('for one new owner at the same time works once: no one is given another one’s password', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => create({ handle: `many-${i}`, ownerEmail: 'many@one.example' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await prisma().identity.count({ where: { owner: { email: 'many@one.example' } } })).toBe(1);
  });

  test.each([
    ['handle', 'a'],
    ['handle', 'A-b'],
    ['handle', '-ab'],
    ['handle', 'ab-'],
    ['handle', 'a b'],
    ['handle', 'a_b'],
    ['handle', 'x'.repeat(64)],
    ['ownerEmail', 'owner'],
    ['ownerPassword', 'too short'],
    ['address', 'hello'],
    ['scope', 'person'],
    ['plan', 'gold'],
    ['whitelist', ['sales']],
    ['whitelist', ['=a@b.example']],
    ['whitelist', ['sales=nonsense']],
  ])('with the %s %j is refused', (field, value) => {
    const good = { handle: 'good-1', ownerEmail: 'o@x.example', ownerPassword: 'correct horse battery' };
    expect(createIdentityInput.safeParse(good).success).toBe(true);
    expect(createIdentityInput.safeParse({ ...good, [field]: value }).error?.issues[0]?.path[0]).toBe(field);
  });
});
