import { expect, test } from 'vitest';
import { createOwnIdentity } from '@/server/features/accounts/owned-identity.service';
import { trackInput } from '@/server/features/usage/usage.schema';
import { trackUsage } from '@/server/features/usage/usage.service';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents, eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { archiveAgentForHandle, createAgent, duplicateAgent, getAgent, updateAgent } from './agent.service';
import { updateEscalationInput } from './escalation.schema';
import { getEscalation, updateEscalation } from './escalation.service';

withFreshDatabase();

const nightShift = { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' };

test('the first agent of a business writes an event', async () => {
  const { actor } = await createTestIdentity();
  const { identityId } = await createOwnIdentity(actor, { handle: 'second-shop', displayName: 'Second' });
  const [event, ...others] = await committedEvents({ identityId });
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'agent.created',
    data: { object: { roleId: 'inbox-manager' } },
    actor: { type: 'user', id: actor.userId },
  });
});

test('creating, copying and changing an agent write it as GET answers it', async () => {
  const identity = await createTestIdentity();
  const { actor, apiKeyActor } = identity;
  let id = '';
  const created = await eventsOf(identity, async () => {
    ({ id } = await createAgent(actor, nightShift));
  });
  expect(created).toMatchObject([{ type: 'agent.created', object: { type: 'agent', id, version: 1 } }]);
  expect(created[0]?.data).toEqual({ object: await getAgent(actor, id) });

  await trackUsage(actor, trackInput.parse({ type: 'agent_execution', agentId: id, status: 'completed' }));
  const before = await getAgent(actor, id);
  const updated = await eventsOf(identity, () =>
    updateAgent({ ...apiKeyActor, name: 'Website' }, { agentId: id.toUpperCase(), persona: { bio: 'Works at night' } }),
  );
  expect(updated).toMatchObject([
    { type: 'agent.updated', object: { id }, actor: { type: 'api_key', id: apiKeyActor.apiKeyId, name: 'Website' } },
  ]);
  const { config, revision, updatedAt } = before;
  expect(updated[0]?.data).toEqual({ object: await getAgent(actor, id), previousAttributes: { config, revision, updatedAt } });
  expect(updated[0]?.data.object).toMatchObject({ stats: { completedTasks: 1 } });
  expect(await eventsOf(identity, () => updateAgent(actor, { agentId: id, name: 'Night shift' }))).toEqual([]);

  let copy = '';
  const copied = await eventsOf(identity, async () => {
    ({ id: copy } = await duplicateAgent(actor, id));
  });
  expect(copied).toMatchObject([{ type: 'agent.created', object: { id: copy } }]);
  expect(copied[0]?.data).toEqual({ object: await getAgent(actor, copy) });

  const archived = await eventsOf(identity, () => archiveAgentForHandle(identity.handle, 'night-shift'));
  expect(archived).toMatchObject([
    { type: 'agent.updated', actor: { type: 'system' }, data: { previousAttributes: { status: 'active' } } },
  ]);
});

test('escalation routes are told of, also as a part of their agent; a refused change is not', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const { id } = await createAgent(actor, nightShift);
  const before = await getEscalation(actor, id);
  const set = (...routes: object[]) => updateEscalation(actor, updateEscalationInput.parse({ agentId: id, routes }));
  const events = await eventsOf(identity, () => set({ level: 1 }));
  expect(events.map(({ type, object }) => [type, object])).toEqual([
    ['agent.hitl.updated', { type: 'hitl', id, version: 2 }],
    ['agent.updated', { type: 'agent', id, version: 2 }],
  ]);
  const { routes, revision, updatedAt } = before;
  expect(events[0]?.data).toEqual({
    object: await getEscalation(actor, id),
    previousAttributes: { routes, revision, updatedAt },
  });
  expect(events[1]?.data.object).toEqual(await getAgent(actor, id));
  expect(await eventsOf(identity, () => set({ level: 1 }))).toEqual([]);
  expect(await eventsOf(identity, () => expect(set({ level: 1 }, { level: 1 })).rejects.toThrow())).toEqual([]);
  const taken = () => expect(createAgent(actor, nightShift)).rejects.toMatchObject({ code: 'conflict' });
  expect(await eventsOf(identity, taken)).toEqual([]);
});
