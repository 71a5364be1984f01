import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { updateIdentityInput } from './identity.schema';
import { getIdentity, setPlan, updateIdentity } from './identity.service';

withFreshDatabase();

test('a change of the business has what GET answers and what was before', async () => {
  const identity = await createTestIdentity({ whitelist: [{ handle: 'sales', address: 'sales@told.example' }] });
  const { actor, apiKeyActor, identityId } = identity;
  const change = (input: object) => updateIdentity(actor, updateIdentityInput.parse(input), 'replace');
  const { displayName, profile, revision, updatedAt } = await getIdentity(actor);
  const [event, ...others] = await eventsOf(identity, () =>
    change({ displayName: 'Harbor Lane', profile: { tagline: 'Lamps' } }),
  );
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'identity.updated',
    object: { type: 'identity', id: identityId, version: 2 },
    actor: { type: 'user', id: identity.owner.userId },
  });
  expect(event?.data).toEqual({
    object: await getIdentity(actor),
    previousAttributes: { displayName, profile, revision, updatedAt },
  });
  expect(await eventsOf(identity, () => change({ displayName: 'Harbor Lane' }))).toEqual([]);
  expect(await eventsOf(identity, () => change({}))).toEqual([]);
  const byKey = await eventsOf(identity, () => updateIdentity(apiKeyActor, { displayName: null }, 'replace'));
  expect(byKey).toMatchObject([{ actor: { type: 'api_key', id: apiKeyActor.apiKeyId } }]);
});

test('a refused change writes nothing', async () => {
  const identity = await createTestIdentity();
  const services = [{ name: 'Without a price' }];
  const change = () => updateIdentity(identity.actor, updateIdentityInput.parse({ profile: { services } }), 'replace');
  expect(await eventsOf(identity, () => expect(change()).rejects.toMatchObject({ status: 400 }))).toEqual([]);
});

test('another plan is told of, the same one not', async () => {
  const identity = await createTestIdentity({ plan: 'free' });
  const events = await eventsOf(identity, () => setPlan(identity.handle, 'solopreneur'));
  expect(events).toMatchObject([{ type: 'identity.updated', actor: { type: 'system', id: null } }]);
  expect(events[0]?.data).toEqual({ object: await getIdentity(identity.actor) });
  expect(await eventsOf(identity, () => setPlan(identity.handle, 'solopreneur'))).toEqual([]);
});
