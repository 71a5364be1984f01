import { expect, test } from 'vitest';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { withFreshDatabase } from '@/server/testing/database';
import { followLog } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { addTestMember } from '@/server/testing/team';
import { pastEvents } from './event-log.service';

withFreshDatabase();

test('the history of a viewer has nothing of keys', async () => {
  const identity = await createTestIdentity();
  await createApiKey(identity.actor, { name: 'Secret plans', expiresAt: null });
  await createCustomer(identity.actor, createCustomerInput.parse({ contacts: [{ email: 'ann@quark.example' }] }));
  await followLog(identity.actor)(2);
  const viewer = (await addTestMember(identity, 'viewer')).actor;
  const typesOf = async (actor: typeof viewer, types?: string[]) =>
    (await pastEvents(actor, { limit: 10, types })).events.map(({ type }) => type);
  expect(await typesOf(identity.actor)).toEqual(['customer.created', 'api_key.created']);
  expect(await typesOf(viewer)).toEqual(['customer.created']);
  expect(await typesOf(viewer, ['api_key.*'])).toEqual([]);
  await expect(typesOf(viewer, ['api_key.created'])).rejects.toMatchObject({ status: 403 });
});
