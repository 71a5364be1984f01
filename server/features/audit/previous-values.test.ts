import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { changePost, publishPost } from '@/server/testing/blog';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { updateAgentInput } from '../agents/agent.schema';
import { listAgents, updateAgent } from '../agents/agent.service';
import { createCustomerInput, updateCustomerInput } from '../customers/customer.schema';
import { createCustomer, deleteCustomer, updateCustomer } from '../customers/customer.service';
import { updateIdentityInput } from '../identity/identity.schema';
import { updateIdentity } from '../identity/identity.service';
import { getPreviousValues } from './previous-values.service';

withFreshDatabase();

/** The newest change of a record in the audit log. */
async function newestEntry(resourceId: string, action = 'updated'): Promise<string> {
  const [entry] = await rows<{ id: string }>(pool(), {
    text: 'SELECT id::text FROM audit_entries WHERE resource_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1',
    values: [resourceId, action],
  });
  return entry?.id ?? '';
}

async function createTestCustomer({ actor }: TestIdentity) {
  const input = { company: 'Quark', notes: 'n'.repeat(5_000), tags: ['vip'], contacts: [{ email: 'ann@quark.io' }] };
  const { id } = await createCustomer(actor, createCustomerInput.parse(input));
  return {
    id,
    change: async (changes: object) => {
      await updateCustomer(actor, updateCustomerInput.parse({ id, ...changes }));
      return newestEntry(id);
    },
  };
}

test('the values before a change, in full, as the request that restores them has them', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const customer = await createTestCustomer(identity);
  const entry = await customer.change({ company: 'Other', notes: 'Short', tags: ['vip'] });
  expect(await getPreviousValues(actor, entry)).toEqual({
    change: {
      kind: 'customer',
      id: customer.id,
      revision: 2,
      constant: {},
      values: [
        { path: ['company'], previous: 'Quark', current: 'Other', isChangedSince: false },
        { path: ['notes'], previous: 'n'.repeat(5_000), current: 'Short', isChangedSince: false },
      ],
    },
  });
  // What was changed again is marked, and what is as it was before is left out.
  await customer.change({ company: 'Third', notes: 'n'.repeat(5_000) });
  expect((await getPreviousValues(actor, entry)).change?.values).toEqual([
    { path: ['company'], previous: 'Quark', current: 'Third', isChangedSince: true },
  ]);
});

test('of an event, without its invitees, and the password stays', async () => {
  const { actor } = await createTestIdentity();
  const virtualMeeting = { provider: 'zoom' as const, url: 'https://zoom.example/j/1', password: 'secret' };
  const { id } = await createTestEvent(actor, { virtualMeeting, invitees: [{ email: 'ann@quark.io' }] });
  const { revision } = await changeTestEvent(actor, id, {
    title: 'Other',
    virtualMeeting: { ...virtualMeeting, url: 'https://zoom.example/j/2' },
    invitees: [],
    status: 'tentative',
  });
  const { change } = await getPreviousValues(actor, await newestEntry(id));
  expect(change).toMatchObject({ kind: 'event', id, revision, constant: {} });
  expect(change?.values).toMatchObject([
    { path: ['title'], previous: 'Meeting' },
    { path: ['virtualMeeting'], previous: virtualMeeting },
  ]);
});

test('of a post, with the slug that it has', async () => {
  const { actor } = await createTestIdentity();
  const content = 'A long text. '.repeat(300);
  const { id } = await publishPost(actor, { title: 'Wet brakes', content });
  await changePost(actor, id, { content: 'Short' });
  const entry = await newestEntry(id);
  await changePost(actor, id, { slug: 'elsewhere' });
  expect((await getPreviousValues(actor, entry)).change).toMatchObject({
    kind: 'post',
    constant: { slug: 'elsewhere' },
    values: [{ path: ['content'], previous: content, current: 'Short', isChangedSince: false }],
  });
});

test('of an agent’s persona and of the business profile, each value by itself', async () => {
  const { actor, identityId } = await createTestIdentity();
  const { agents } = await listAgents(actor, { limit: 1, offset: 0 } as never);
  const agentId = agents[0]?.id ?? '';
  const tone = (await getPreviousValuesOfPersona(actor, agentId, { tone: 'Dry', avatarEmoji: '🚲' })).change;
  expect(tone).toMatchObject({ kind: 'agent', id: agentId });
  expect(tone?.values.map(({ path }) => path)).toEqual([
    ['persona', 'tone'],
    ['persona', 'avatarEmoji'],
  ]);
  expect(tone?.values.at(-1)).toMatchObject({ previous: null, current: '🚲' });

  const update = (input: object) => updateIdentity(actor, updateIdentityInput.parse(input), 'merge');
  const services = [{ name: 'Repair', price: 40, currency: 'EUR', billingInterval: 'monthly' }];
  const before = await update({ displayName: 'Harbor', profile: { tagline: 'One', services } });
  await update({ profile: { tagline: null, services: [] } });
  const { change } = await getPreviousValues(actor, await newestEntry(identityId));
  expect(change).toMatchObject({
    kind: 'identity',
    values: [
      { path: ['profile', 'tagline'], previous: 'One', current: null, isChangedSince: false },
      { path: ['profile', 'services'], previous: before.profile?.services, current: [], isChangedSince: false },
    ],
  });
  // As the dialog sends them.
  const values = change?.values.map(({ path, previous }) => [path.at(-1), previous]) ?? [];
  const restored = await update({ profile: Object.fromEntries(values) });
  expect(restored.profile).toEqual(before.profile);
});

async function getPreviousValuesOfPersona(actor: TestIdentity['actor'], agentId: string, persona: object) {
  await updateAgent(actor, updateAgentInput.parse({ agentId, persona }));
  return getPreviousValues(actor, await newestEntry(agentId));
}

test('is null where it is not known in full, and not found for other entries, gone records and other businesses', async () => {
  const [identity, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const { actor } = identity;
  const customer = await createTestCustomer(identity);
  const entry = await customer.change({ metadata: { text: 'x'.repeat(14_000) } });
  expect((await getPreviousValues(actor, entry)).change?.values).toHaveLength(1);
  const large = await customer.change({ metadata: { text: 'y'.repeat(14_000) } });
  expect(await getPreviousValues(actor, large)).toEqual({ change: null });

  const notFound = { code: 'not_found', status: 404 };
  await expect(getPreviousValues(stranger.actor, entry)).rejects.toMatchObject(notFound);
  await expect(getPreviousValues(actor, '999999999')).rejects.toMatchObject(notFound);
  await expect(getPreviousValues(actor, await newestEntry(customer.id, 'created'))).rejects.toMatchObject(notFound);
  await deleteCustomer(actor, customer.id);
  await expect(getPreviousValues(actor, entry)).rejects.toMatchObject(notFound);
  await pool().query('DELETE FROM event_log WHERE identity_id = $1', [identity.identityId]);
  await expect(getPreviousValues(actor, entry)).rejects.toMatchObject(notFound);
});
