import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { violatedConstraint } from '@/server/platform/db/sql';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { createAgent, getAgent } from './agent.service';
import { escalationSchema, updateEscalationInput } from './escalation.schema';
import { getEscalation, updateEscalation } from './escalation.service';

withFreshDatabase();

async function newAgent(): Promise<
  TestIdentity & { agentId: string; replace: (routes?: unknown) => ReturnType<typeof updateEscalation> }
> {
  const identity = await createTestIdentity();
  const { id } = await createAgent(identity.actor, { name: 'Ann', roleId: 'ann', kind: 'assistant' });
  const replace = async (routes?: unknown) =>
    updateEscalation(identity.actor, updateEscalationInput.parse({ agentId: id, routes }));
  return { ...identity, agentId: id, replace };
}

const complete = {
  level: 2,
  label: 'Bob',
  instructions: 'Be brief',
  timeoutMins: 30,
  toRole: 'lead',
  toUserId: 'u-1',
  channels: ['sms', 'slack', 'in_app', 'email'],
  contactInfo: { email: 'bob@x.io', phone: '+4940555012', slack: '#help' },
};

test('without routes the owner is the one to reach', async () => {
  const { actor, agentId, identityId, owner } = await newAgent();
  expect(escalationSchema.parse(await getEscalation(actor, agentId))).toEqual({
    agentId,
    identityId,
    ownerEmail: owner.email,
    routes: [],
    revision: 1,
    updatedAt: expect.any(String),
  });
});

test('routes are stored whole, completed and by level', async () => {
  const { actor, agentId, replace } = await newAgent();
  const stored = await replace([complete, { level: 0 }]);
  expect(stored.routes).toEqual([
    {
      level: 0,
      timeoutMins: 60,
      toRole: null,
      toUserId: null,
      channels: ['email'],
      contactInfo: { email: null, phone: null, slack: null },
    },
    complete,
  ]);
  expect(await getEscalation(actor, agentId)).toEqual(stored);
  expect((await getAgent(actor, agentId)).config.hitl).toEqual({ enabled: true, routes: stored.routes });
});

test('left out changes nothing, an array replaces all, an empty one clears', async () => {
  const { actor, agentId, replace } = await newAgent();
  const first = await replace([complete, { level: 5 }]);
  expect(await replace(undefined)).toEqual(first);
  expect((await replace([{ level: 7 }])).routes.map(({ level }) => level)).toEqual([7]);
  const cleared = await replace([]);
  expect(cleared.routes).toEqual([]);
  expect(cleared.updatedAt >= first.updatedAt).toBe(true);
  expect(await getEscalation(actor, agentId)).toEqual(cleared);
});

test('a set with a problem is refused whole and changes nothing', async () => {
  const { actor, agentId, replace } = await newAgent();
  const before = await replace([complete]);
  await expect(replace([{ level: 1 }, { level: 1, channels: ['sms', 'slack'] }])).rejects.toMatchObject({
    code: 'invalid_request',
    details: {
      fields: {
        'routes.1.level': 'is used twice: 1',
        'routes.1.contactInfo.phone': 'is required for the channel sms',
        'routes.1.contactInfo.slack': 'is required for the channel slack',
      },
    },
  });
  expect(await getEscalation(actor, agentId)).toEqual(before);
});

test('replacements at once come one after the other, never mixed', async () => {
  const { actor, agentId, replace } = await newAgent();
  const sets = Array.from({ length: 12 }, (_, n) => [{ level: n }, { level: n + 100 }, { level: n + 200 }]);
  await Promise.all(sets.map((routes) => replace(routes)));
  const levels = (await getEscalation(actor, agentId)).routes.map(({ level }) => level);
  expect(sets.map((routes) => routes.map(({ level }) => level))).toContainEqual(levels);
});

test('of an unknown or foreign agent are not found', async () => {
  const [{ actor }, theirs] = [await newAgent(), await newAgent()];
  const before = await theirs.replace([complete]);
  for (const agentId of [theirs.agentId, '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50']) {
    await expect(getEscalation(actor, agentId)).rejects.toMatchObject({ code: 'not_found' });
    for (const routes of [undefined, []]) {
      await expect(updateEscalation(actor, { agentId, routes })).rejects.toMatchObject({ code: 'not_found' });
    }
  }
  expect(await getEscalation(theirs.actor, theirs.agentId)).toEqual(before);
});

describe('what a route may not be', () => {
  test.each([
    [{ level: -1 }, 'level'],
    [{ level: 1.5 }, 'level'],
    [{ level: '1' }, 'level'],
    [{}, 'level'],
    [{ level: 1, timeoutMins: 0 }, 'timeoutMins'],
    [{ level: 1, timeoutMins: 10_081 }, 'timeoutMins'],
    [{ level: 1, channels: ['fax'] }, 'channels'],
    [{ level: 1, channels: null }, 'channels'],
    [{ level: 1, contactInfo: { phone: '0405550' } }, 'contactInfo'],
    [{ level: 1, contactInfo: { phone: '+49 40 555' } }, 'contactInfo'],
    [{ level: 1, contactInfo: { slack: 'help' } }, 'contactInfo'],
    [{ level: 1, contactInfo: { email: 'nobody' } }, 'contactInfo'],
    [{ level: 1, label: null }, 'label'],
  ])('%j', (route, field) => {
    const parsed = updateEscalationInput.safeParse({ agentId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', routes: [route] });
    expect(parsed.error?.issues.map(({ path }) => path.slice(0, 3))).toEqual([['routes', 0, field]]);
  });

  test('null instead of an array, or an eleventh', () => {
    const agentId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
    const eleven = Array.from({ length: 11 }, (_, level) => ({ level }));
    expect(updateEscalationInput.safeParse({ agentId, routes: null }).success).toBe(false);
    expect(updateEscalationInput.safeParse({ agentId, routes: eleven }).success).toBe(false);
    expect(updateEscalationInput.safeParse({ agentId, routes: eleven.slice(1) }).success).toBe(true);
  });
});

test.each([
  ['level', { level: -1 }, 'escalation_routes_level_check'],
  ['timeout', { timeout_mins: 0 }, 'escalation_routes_timeout_check'],
  ['channel', { channels: ['fax'] }, 'escalation_routes_channels_check'],
  ['sms without a phone', { channels: ['sms'] }, 'escalation_routes_contact_check'],
])('the database itself refuses a wrong %s', async (_, changes, constraint) => {
  const { identityId, agentId } = await newAgent();
  const row = { identity_id: identityId, agent_id: agentId, level: 1, timeout_mins: 5, channels: ['email'], ...changes };
  const insert = pool().query(
    'INSERT INTO escalation_routes (identity_id, agent_id, level, timeout_mins, channels) VALUES ($1, $2, $3, $4, $5)',
    Object.values(row),
  );
  expect(await insert.then(() => 'accepted', violatedConstraint)).toBe(constraint);
});
