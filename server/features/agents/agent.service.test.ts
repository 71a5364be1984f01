import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { trackInput } from '../usage/usage.schema';
import { trackUsage } from '../usage/usage.service';
import { notEditableKeys } from './agent.editing';
import { agentDetailSchema, agentListSchema, editableFields, updateAgentInput } from './agent.schema';
import { createAgent, createAgentForHandle, duplicateAgent, getAgent, listAgents, updateAgent } from './agent.service';
import { updateEscalationInput } from './escalation.schema';
import { getEscalation, updateEscalation } from './escalation.service';

withFreshDatabase();

const page = { limit: 100, offset: 0 };
const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

async function withAgents(...agents: { name: string; roleId: string; kind?: string }[]) {
  const identity = await createTestIdentity();
  await prisma().agent.deleteMany({ where: { identityId: identity.identityId } });
  for (const agent of agents) await createAgent(identity.actor, { kind: 'assistant', ...agent });
  return identity;
}

async function namesFor(actor: Awaited<ReturnType<typeof createTestIdentity>>['actor'], filter: object): Promise<string[]> {
  return (await listAgents(actor, { ...page, ...filter })).agents.map(({ name }) => name);
}

test('a new identity has an inbox manager, addressed below its mail domain', async () => {
  const { actor, handle } = await createTestIdentity();
  const { agents } = agentListSchema.parse(await listAgents(actor, page));
  expect(agents).toMatchObject([
    {
      kind: 'inbox-manager',
      roleId: 'inbox-manager',
      email: `inbox-manager@${handle}.localhost`,
      status: 'active',
      activeTasks: 0,
    },
  ]);
  const withAddress = await createTestIdentity({ address: `hello@${handle}.example` });
  expect((await listAgents(withAddress.actor, page)).agents[0]?.email).toBe(`inbox-manager@${handle}.example`);
});

describe('the list', () => {
  const agents = [
    { name: 'Zoe', roleId: 'sales-lead', kind: 'sales' },
    { name: 'ann', roleId: 'support-1', kind: 'support' },
    { name: 'Bob*', roleId: 'support-10', kind: 'Support-Lead'.toLowerCase() },
    { name: '50%_\\off', roleId: 'offers', kind: 'sales' },
  ];

  test.each([
    [{}, ['50%_\\off', 'ann', 'Bob*', 'Zoe']],
    [{ query: 'SUPPORT' }, ['ann', 'Bob*']],
    [{ query: 'support-?' }, ['ann']],
    [{ query: 'support-??' }, ['Bob*']],
    [{ query: 's*1' }, ['ann']],
    [{ query: '*e' }, ['Zoe']],
    [{ query: 'an' }, ['ann']],
    [{ query: 'an?' }, ['ann']],
    [{ query: 'a?' }, []],
    [{ query: '%' }, ['50%_\\off']],
    [{ query: '_' }, ['50%_\\off']],
    [{ query: '\\' }, ['50%_\\off']],
    [{ query: '*\\o*' }, ['50%_\\off']],
    [{ query: '.*' }, []],
    [{ query: '*' }, ['50%_\\off', 'ann', 'Bob*', 'Zoe']],
    [{ q: 'zoe' }, ['Zoe']],
    [{ q: 'zoe', query: 'ann' }, ['ann']],
    [{ kind: 'SALES' }, ['50%_\\off', 'Zoe']],
    [{ kind: 'support' }, ['ann']],
    [{ kind: 'support*' }, ['ann', 'Bob*']],
    [{ kind: 'sale?', query: 'z*' }, ['Zoe']],
    [{ status: 'paused' }, []],
    [{ status: 'active', kind: 'support' }, ['ann']],
    [{ limit: 2 }, ['50%_\\off', 'ann']],
    [{ limit: 2, offset: 3 }, ['Zoe']],
  ])('for %j', async (filter, expected) => {
    const { actor } = await withAgents(...agents);
    expect(await namesFor(actor, filter)).toEqual(expected);
  });

  test('says how many there are, what was applied and whether there are more', async () => {
    const { actor } = await withAgents(...agents);
    expect(await listAgents(actor, { limit: 1, offset: 1, q: 'support*', status: 'active' })).toMatchObject({
      count: 1,
      total: 2,
      pagination: { limit: 1, offset: 1, hasMore: false },
      filters: { query: 'support*', status: 'active' },
    });
    const beyond = await listAgents(actor, { limit: 5, offset: 50 });
    expect(beyond).toMatchObject({ agents: [], count: 0, total: 4, pagination: { hasMore: false } });
    expect(beyond.filters).toEqual({});
  });

  test('shows nothing of another identity', async () => {
    const [{ actor }] = [await withAgents(), await withAgents({ name: 'Theirs', roleId: 'theirs' })];
    expect(await listAgents(actor, page)).toMatchObject({ agents: [], total: 0 });
  });

  test('shows load and last activity', async () => {
    const { actor } = await withAgents({ name: 'Ann', roleId: 'ann' });
    const [ann] = (await listAgents(actor, page)).agents;
    await trackUsage(actor, trackInput.parse({ type: 'agent_execution', agentId: ann?.id, status: 'running', taskId: 't' }));
    expect((await listAgents(actor, page)).agents).toMatchObject([{ activeTasks: 1, lastActiveAt: expect.any(String) }]);
  });
});

describe('the detail', () => {
  test('has persona, set-up, routes, live statistics and what can be edited', async () => {
    const { actor } = await withAgents({ name: 'Ann', roleId: 'ann' });
    const id = (await listAgents(actor, page)).agents[0]?.id ?? '';
    for (const status of ['completed', 'completed', 'completed', 'failed', 'escalated']) {
      await trackUsage(actor, trackInput.parse({ type: 'agent_execution', agentId: id, status }));
    }
    const agent = agentDetailSchema.parse(await getAgent(actor, id));
    expect(agent.stats).toEqual({
      activeTasks: 0,
      completedTasks: 3,
      hoursSaved: 0.75,
      completionRate: 0.75,
      escalations: 1,
      totalActions: 5,
      lastActiveAt: expect.any(String),
    });
    expect(agent.editableFields).toEqual([...editableFields]);
    expect(agent.config).toMatchObject({
      persona: { tone: expect.any(String), traits: expect.any(Array), signature: expect.any(String) },
      tools: { email: { enabled: true }, calendar: { enabled: false } },
      context: { enabled: true, namespace: 'ann' },
      workflow: { mode: 'draft' },
      hitl: { enabled: false, routes: [] },
    });
  });

  test('of an unknown or foreign agent is not found', async () => {
    const [{ actor }, stranger] = [await createTestIdentity(), await createTestIdentity()];
    const [theirs] = (await listAgents(stranger.actor, page)).agents;
    for (const id of [unknownId, theirs?.id ?? '']) {
      await expect(getAgent(actor, id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(updateAgent(actor, { agentId: id, name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(duplicateAgent(actor, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await listAgents(stranger.actor, page)).agents).toEqual([theirs]);
  });
});

describe('a change', () => {
  test('merges the persona key by key; null removes a key', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await createAgent(actor, { name: 'Ann', roleId: 'ann', kind: 'assistant' });
    const change = updateAgentInput.parse({
      agentId: id,
      name: ' Anna ',
      status: 'paused',
      avatarUrl: 'https://x.io/a.png',
      tags: ['a'],
      persona: { tone: null, bio: 'New', avatarEmoji: '🦉', traits: [] },
    });
    const agent = await updateAgent(actor, change);
    expect(agent).toMatchObject({ name: 'Anna', status: 'paused', avatarUrl: 'https://x.io/a.png', tags: ['a'] });
    expect(agent.config.persona).toEqual({ traits: [], bio: 'New', signature: 'Best regards\nAnn', avatarEmoji: '🦉' });
    expect(agent.updatedAt).not.toBeNull();
    expect(await getAgent(actor, id)).toEqual(agent);
    expect(await updateAgent(actor, { agentId: id })).toEqual(agent);
  });

  test('at once with others loses none of them', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await createAgent(actor, { name: 'Ann', roleId: 'ann', kind: 'assistant' });
    const keys = ['tone', 'bio', 'signature', 'avatarEmoji'] as const;
    await Promise.all(keys.map((key) => updateAgent(actor, { agentId: id, persona: { [key]: `new ${key}` } })));
    const { persona } = (await getAgent(actor, id)).config;
    expect(keys.map((key) => persona[key])).toEqual(keys.map((key) => `new ${key}`));
  });

  test.each(['active', 'paused', 'archived'] as const)('to %s is allowed from every status', async (to) => {
    const { actor } = await createTestIdentity();
    const { id } = await createAgent(actor, { name: 'Ann', roleId: 'ann', kind: 'assistant' });
    for (const from of ['active', 'paused', 'archived'] as const) {
      await updateAgent(actor, { agentId: id, status: from });
      expect((await updateAgent(actor, { agentId: id, status: to })).status).toBe(to);
    }
  });

  test.each([
    [{ kind: 'x', name: 'y' }, ['kind']],
    [{ roleId: 'x', identityId: 'x', specialists: [], policies: {} }, ['roleId', 'specialists', 'policies']],
    [{ config: { tools: {}, model: {} } }, ['config.tools', 'config.model']],
    [{ config: 5 }, ['config']],
    [{ persona: { tone: 'x', mood: 'y' } }, ['persona.mood']],
    [{ stats: {}, id: 'x', agentId: 'x' }, ['stats', 'id']],
    [{ name: 'x', status: 'y', tags: 5, avatarUrl: null, persona: { traits: [] } }, []],
    [{ persona: null }, []],
  ])('of %j names what is not editable', (body, expected) => {
    expect(notEditableKeys(body)).toEqual(expected);
  });
});

describe('creating', () => {
  test('a role that is taken is refused, also at once; another identity may have it', async () => {
    const { actor, handle } = await createTestIdentity();
    const input = { name: 'Ann', roleId: 'ann', kind: 'assistant' };
    const made = await Promise.allSettled([createAgent(actor, input), createAgent(actor, input), createAgent(actor, input)]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(createAgentForHandle(handle, input)).rejects.toMatchObject({ code: 'conflict' });
    await expect(createAgentForHandle('nobody-here', input)).rejects.toMatchObject({ code: 'not_found' });
    const other = await createTestIdentity();
    expect(await createAgentForHandle(other.handle, input)).toEqual({
      agentId: expect.any(String),
      roleId: 'ann',
      email: `ann@${other.handle}.localhost`,
    });
  });

  test('a copy has everything but name and role, and starts paused', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await createAgent(actor, { name: 'Ann', roleId: 'ann', kind: 'helper' });
    await updateAgent(actor, { agentId: id, tags: ['a'], persona: { tone: 'Dry' }, avatarUrl: 'https://x.io/a.png' });
    const routes = [{ level: 1, channels: ['sms'], contactInfo: { phone: '+4940555012' }, timeoutMins: 5 }];
    await updateEscalation(actor, updateEscalationInput.parse({ agentId: id, routes }));
    const copies = await Promise.all([duplicateAgent(actor, id), duplicateAgent(actor, id)]);
    expect(copies.map(({ roleId }) => roleId).sort()).toEqual(['ann-copy', 'ann-copy-2']);
    const original = await getAgent(actor, id);
    for (const copy of copies) {
      expect(copy).toMatchObject({
        name: 'Ann (copy)',
        kind: 'helper',
        status: 'paused',
        tags: ['a'],
        avatarUrl: 'https://x.io/a.png',
      });
      expect(copy.config).toEqual(original.config);
      expect((await getEscalation(actor, copy.id)).routes).toEqual((await getEscalation(actor, id)).routes);
    }
  });
});

test('search keys follow the agent, whoever writes it', async () => {
  const { identityId, actor } = await createTestIdentity();
  await pool().query(`UPDATE agents SET name = 'ÄRGER', name_key = 'nonsense' WHERE identity_id = $1`, [identityId]);
  expect(await namesFor(actor, { query: 'ärg*' })).toEqual(['ÄRGER']);
});
