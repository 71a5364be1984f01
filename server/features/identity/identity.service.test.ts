import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { identitySchema } from '../addresses/identity-record.schema';
import { updateIdentityInput } from './identity.schema';
import { getIdentity, updateIdentity } from './identity.service';

withFreshDatabase();

async function update(actor: IdentityActor, input: unknown, semantics: 'replace' | 'merge' = 'replace') {
  const identity = await updateIdentity(actor, updateIdentityInput.parse(input), semantics);
  expect(identitySchema.parse(identity)).toEqual(identity);
  expect(await getIdentity(actor)).toEqual(identity);
  return identity;
}

const profile = {
  tagline: 'We care',
  about: 'Since 1999',
  website: 'https://quark.example/?a=1#b',
  services: [
    { name: 'Consulting', price: 120.5, currency: 'EUR', billingInterval: 'monthly', description: 'By the hour', active: false },
  ],
};

describe('reading', () => {
  test('a new identity has what it was created with, and nulls', async () => {
    const { actor, identityId, handle } = await createTestIdentity({
      displayName: 'Quark',
      scope: 'business',
      address: 'hello@quark-1.example',
    });
    const identity = await getIdentity(actor);
    expect(identitySchema.parse(identity)).toEqual(identity);
    expect(identity).toEqual({
      id: identityId,
      handle,
      address: 'hello@quark-1.example',
      scope: 'business',
      displayName: 'Quark',
      profile: null,
      whitelistedAddresses: null,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: null,
    });
    const bare = await createTestIdentity({ scope: 'identity' });
    expect(await getIdentity(bare.actor)).toMatchObject({ address: null, displayName: null, scope: 'identity' });
  });

  test('one that is gone is not found', async () => {
    const actor = { kind: 'system', identityId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' } as const;
    const gone = { code: 'identity_not_found', status: 404, title: 'Identity not found' };
    await expect(getIdentity(actor)).rejects.toMatchObject(gone);
    await expect(updateIdentity(actor, { displayName: 'x' }, 'replace')).rejects.toMatchObject(gone);
    await expect(updateIdentity(actor, {}, 'replace')).rejects.toMatchObject(gone);
  });
});

describe('changing', () => {
  test('only what was sent changes, and the time', async () => {
    const { actor } = await createTestIdentity({ displayName: 'Quark' });
    const first = await update(actor, { profile });
    expect(first).toMatchObject({
      displayName: 'Quark',
      profile: { ...profile, services: [{ ...profile.services[0], id: expect.any(String) }] },
    });
    expect(first.updatedAt).not.toBeNull();
    const second = await update(actor, { displayName: null });
    expect(second).toEqual({ ...first, displayName: null, revision: first.revision + 1, updatedAt: second.updatedAt });
    expect(await update(actor, { displayName: '' })).toMatchObject({ displayName: '' });
  });

  test('by nothing changes nothing', async () => {
    const { actor } = await createTestIdentity();
    const before = await getIdentity(actor);
    expect(await update(actor, {})).toEqual(before);
    expect(await update(actor, { unknown: 1, handle: 'mine', id: 'x', scope: 'x', address: 'x' })).toEqual(before);
  });

  test('a profile: left-out fields go when replacing and stay when merging; null clears it', async () => {
    const { actor } = await createTestIdentity();
    await update(actor, { profile });
    expect((await update(actor, { profile: { tagline: 'New' } }, 'merge')).profile).toMatchObject({
      tagline: 'New',
      about: 'Since 1999',
    });
    expect((await update(actor, { profile: { tagline: 'New', about: null } })).profile).toEqual({ tagline: 'New' });
    expect((await update(actor, { profile: {} })).profile).toEqual({});
    expect((await update(actor, { profile: null })).profile).toBeNull();
    expect((await update(actor, { profile: { about: 'x' } }, 'merge')).profile).toEqual({ about: 'x' });
    expect((await update(actor, { profile: null }, 'merge')).profile).toBeNull();
  });

  test.each(['replace', 'merge'] as const)('takes back what was read and changes nothing (%s)', async (semantics) => {
    const { actor } = await createTestIdentity({
      displayName: 'Quark',
      whitelist: [{ handle: 'sales', address: `sales@${semantics}.example` }],
    });
    const before = await update(actor, { profile });
    const after = await update(actor, before, semantics);
    expect(after).toEqual({ ...before, revision: before.revision + 1, updatedAt: after.updatedAt });
  });

  test('what is wrong with services is refused and changes nothing', async () => {
    const { actor } = await createTestIdentity();
    const before = await update(actor, { profile });
    const id = before.profile?.services?.[0]?.id;
    const wrong = update(actor, { displayName: 'x', profile: { services: [{ id }, { id }, { name: 'No price' }] } });
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_request',
      details: {
        fields: {
          'profile.services.1.id': 'is given more than once',
          'profile.services.2.price': 'is required',
          'profile.services.2.currency': 'is required',
          'profile.services.2.billingInterval': 'is required',
        },
      },
    });
    expect(await getIdentity(actor)).toEqual(before);
  });

  test('a service of somebody else’s is not known here', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const theirs = (await update(one.actor, { profile })).profile?.services?.[0];
    const guess = update(two.actor, { profile: { services: [{ id: theirs?.id, price: 1 }] } });
    await expect(guess).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await getIdentity(one.actor)).profile?.services).toEqual([theirs]);
  });
});

describe('at the same time', () => {
  test('different fields are changed: none is lost', async () => {
    const { actor } = await createTestIdentity();
    for (let round = 0; round < 10; round++) {
      await update(actor, { displayName: 'old', profile: { services: [] } });
      await Promise.all([
        updateIdentity(actor, { displayName: 'new' }, 'merge'),
        updateIdentity(actor, { profile: { tagline: 't' } }, 'merge'),
        updateIdentity(actor, { profile: { about: 'a' } }, 'merge'),
        updateIdentity(actor, { profile: { website: 'https://w.example' } }, 'merge'),
      ]);
      expect(await getIdentity(actor)).toMatchObject({
        displayName: 'new',
        profile: { tagline: 't', about: 'a', website: 'https://w.example', services: [] },
      });
    }
  });
});

describe('the input', () => {
  const service = { name: 'x', price: 1, currency: 'EUR', billingInterval: 'monthly' };

  test.each([
    ['displayName', { displayName: 5 }],
    ['displayName', { displayName: 'x'.repeat(201) }],
    ['profile', { profile: 'x' }],
    ['profile', { profile: [] }],
    ['profile.tagline', { profile: { tagline: 1 } }],
    ['profile.about', { profile: { about: 'x'.repeat(1001) } }],
    ['profile.about', { profile: { about: '😀'.repeat(1001) } }],
    ['profile.website', { profile: { website: 'quark.example' } }],
    ['profile.website', { profile: { website: '' } }],
    ['profile.website', { profile: { website: 'ftp://quark.example' } }],
    ['profile.website', { profile: { website: 'javascript:alert(1)//http://x' } }],
    ['profile.website', { profile: { website: 'data:text/html,x' } }],
    ['profile.website', { profile: { website: '//quark.example' } }],
    ['profile.website', { profile: { website: 'http://' } }],
    ['profile.services', { profile: { services: {} } }],
    ['profile.services.0', { profile: { services: ['x'] } }],
    ['profile.services.0.name', { profile: { services: [{ ...service, name: ' ' }] } }],
    ['profile.services.0.price', { profile: { services: [{ ...service, price: -0.01 }] } }],
    ['profile.services.0.price', { profile: { services: [{ ...service, price: '1' }] } }],
    ['profile.services.0.price', { profile: { services: [{ ...service, price: Number.POSITIVE_INFINITY }] } }],
    ['profile.services.0.price', { profile: { services: [{ ...service, price: null }] } }],
    ['profile.services.0.currency', { profile: { services: [{ ...service, currency: 'EURO' }] } }],
    ['profile.services.0.currency', { profile: { services: [{ ...service, currency: 'E1R' }] } }],
    ['profile.services.0.currency', { profile: { services: [{ ...service, currency: '€€€' }] } }],
    ['profile.services.0.billingInterval', { profile: { services: [{ ...service, billingInterval: 'weekly' }] } }],
    ['profile.services.0.active', { profile: { services: [{ ...service, active: 'false' }] } }],
    ['profile.services.0.active', { profile: { services: [{ ...service, active: null }] } }],
    ['profile.services.0.id', { profile: { services: [{ ...service, id: '1' }] } }],
  ])('%s is checked: %j', (field, input) => {
    const paths = updateIdentityInput.safeParse(input).error?.issues.map((issue) => issue.path.join('.'));
    expect(paths).toEqual([field]);
  });

  test.each([
    { displayName: null },
    { profile: null },
    { profile: { about: 'x'.repeat(1000) } },
    { profile: { about: '😀'.repeat(1000), tagline: '', website: 'HTTP://quark.example:8080/ä?b#c' } },
    { profile: { services: [{ ...service, price: 0, currency: 'usd', description: null, active: false }] } },
  ])('%j is fine', (input) => {
    expect(updateIdentityInput.safeParse(input).success).toBe(true);
  });
});

test('nothing but the profile’s own fields ever stands in the database', async () => {
  const { actor, identityId } = await createTestIdentity();
  await update(actor, { profile: { ...profile, secret: 'x', services: [{ ...profile.services[0], secret: 'x' }] } });
  const { rows } = await pool().query('SELECT profile FROM identities WHERE id = $1', [identityId]);
  expect(JSON.stringify(rows)).not.toContain('secret');
});
