import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { createApiKey, createApiKeyForHandle, listApiKeys, revokeApiKey, rotateApiKey } from './api-key.service';

withFreshDatabase();

const listed = async ({ actor }: TestIdentity, id: string) => (await listApiKeys(actor)).find((key) => key.id === id);

test('keys are told of as their owner sees them, without a secret', async () => {
  const identity = await createTestIdentity();
  const { actor, owner } = identity;
  let first = { key: '', apiKey: { id: '' } };
  const created = await eventsOf(identity, async () => {
    first = await createApiKey(actor, { name: 'Website', expiresAt: null });
  });
  const { id } = first.apiKey;
  expect(created).toMatchObject([
    { type: 'api_key.created', object: { type: 'api_key', id, version: 1 }, actor: { type: 'user', id: owner.userId } },
  ]);
  expect(created[0]?.data).toEqual({ object: await listed(identity, id) });

  let second = { key: '', apiKey: { id: '' } };
  const rotated = await eventsOf(identity, async () => {
    second = await rotateApiKey(actor, { id, overlapHours: 24 });
  });
  expect(rotated.map(({ type, object }) => [type, object.id])).toEqual([
    ['api_key.rotated', id],
    ['api_key.created', second.apiKey.id],
  ]);
  expect(rotated[0]?.data).toEqual({ object: await listed(identity, id), previousAttributes: { expiresAt: null } });
  // Its end is nearer than that of the overlap.
  const again = await eventsOf(identity, () => rotateApiKey(actor, { id, overlapHours: 168 }));
  expect(again[0]?.data).toEqual({ object: await listed(identity, id) });

  const revoked = await eventsOf(identity, () => revokeApiKey(actor, id));
  expect(revoked.map(({ type }) => type)).toEqual(['api_key.revoked']);
  expect(revoked[0]?.data).toEqual({ object: await listed(identity, id), previousAttributes: { revokedAt: null } });
  expect(await eventsOf(identity, () => revokeApiKey(actor, id))).toEqual([]);
  const written = JSON.stringify([...created, ...rotated, ...again, ...revoked]);
  for (const { key } of [first, second]) expect(written).not.toContain(key.slice(12));
});

test('a refused change writes nothing; the operator’s is one of the system', async () => {
  const identity = await createTestIdentity();
  const past = '2020-01-01T00:00:00Z';
  const refused = () => expect(createApiKey(identity.actor, { name: 'Late', expiresAt: past })).rejects.toThrow();
  expect(await eventsOf(identity, refused)).toEqual([]);
  const { apiKeyId } = identity.apiKeyActor;
  await revokeApiKey(identity.actor, apiKeyId);
  const tooLate = () => expect(rotateApiKey(identity.actor, { id: apiKeyId, overlapHours: 1 })).rejects.toThrow();
  expect(await eventsOf(identity, tooLate)).toEqual([]);
  const [event] = await eventsOf(identity, () => createApiKeyForHandle(identity.handle, { name: 'By hand', expiresAt: null }));
  expect(event).toMatchObject({ type: 'api_key.created', actor: { type: 'system', id: null, name: null } });
});
