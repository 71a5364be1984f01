import { agentDetailSchema, agentListSchema, editableFields } from '@/server/features/agents/agent.schema';
import { escalationSchema } from '@/server/features/agents/escalation.schema';
import { expect, test } from '../support/api';
import { operator } from '../support/operator';

test('an agent made on the command line is listed, read and searched for', async ({ api }) => {
  const made = await operator('agent', 'create', '--identity', api.tenant.handle, '--role-id', 'night-shift', '--name', 'Nora');
  expect(made).toEqual({
    agentId: expect.any(String),
    roleId: 'night-shift',
    email: `night-shift@${api.tenant.handle}.localhost`,
  });

  const list = agentListSchema.parse((await api.get('/identity/agents')).body);
  expect(list).toMatchObject({ count: 2, total: 2, pagination: { limit: 100, offset: 0, hasMore: false }, filters: {} });
  expect(list.agents.map(({ name, kind }) => [name, kind])).toEqual([
    ['Inbox manager', 'inbox-manager'],
    ['Nora', 'assistant'],
  ]);

  const found = agentListSchema.parse((await api.get('/identity/agents?q=n*t&status=active&limit=1')).body);
  expect(found).toMatchObject({ total: 1, filters: { query: 'n*t', status: 'active' }, agents: [{ id: made.agentId }] });
  for (const bad of ['limit=0', 'limit=101', 'offset=-1', 'status=gone', 'query=%00']) {
    expect([bad, (await api.get(`/identity/agents?${bad}`)).status]).toEqual([bad, 400]);
  }
});

test('a read body can be sent back only as far as it is editable, and nothing is applied where it is not', async ({ api }) => {
  const path = `/identity/agents/${(await api.firstAgent()).id}`;
  const before = agentDetailSchema.parse((await api.get(path)).body);
  expect(before.editableFields).toEqual([...editableFields]);

  const refused = await api.patch(path, { ...before, name: 'Changed' });
  expect(refused.status).toBe(400);
  expect(refused.body.details).toEqual({
    notEditable: expect.arrayContaining(['id', 'kind', 'roleId', 'config.tools', 'config.model', 'config.hitl', 'stats']),
  });
  expect((await api.get(path)).body).toEqual(before);

  const { persona } = before.config;
  const changed = await api.patch(path, { name: 'Changed', status: 'paused', persona: { ...persona, tone: null, bio: 'B' } });
  const { tone: _, ...rest } = persona;
  expect(agentDetailSchema.parse(changed.body)).toMatchObject({ name: 'Changed', status: 'paused', kind: before.kind });
  expect(agentDetailSchema.parse(changed.body).config.persona).toEqual({ ...rest, bio: 'B' });

  for (const bad of [
    { status: 'gone' },
    { name: '' },
    { name: null },
    { tags: 'a' },
    { persona: { traits: 'a' } },
    { avatarUrl: 'javascript:x' },
  ]) {
    const answer = await api.patch(path, { tags: ['applied'], ...bad });
    expect([bad, answer.status]).toEqual([bad, 400]);
  }
  expect((await api.get(path)).body).toEqual(changed.body);
});

test('escalation routes are replaced whole, cleared, or left as they are', async ({ api }) => {
  const agentId = (await api.firstAgent()).id;
  const path = `/identity/agents/${agentId}/hitl`;
  const empty = escalationSchema.parse((await api.get(path)).body);
  expect(empty).toMatchObject({ agentId, identityId: api.tenant.identityId, ownerEmail: api.tenant.owner.email, routes: [] });

  const routes = [
    { level: 2, channels: ['sms'], contactInfo: { phone: '+4940555012' }, timeoutMins: 30 },
    { level: 1, label: 'Ann', contactInfo: { email: 'Ann@Quark.io' } },
  ];
  const stored = await api.patch(path, { routes });
  expect(stored.status).toBe(200);
  expect(escalationSchema.parse(stored.body).routes).toMatchObject([
    {
      level: 1,
      label: 'Ann',
      channels: ['email'],
      timeoutMins: 60,
      contactInfo: { email: 'ann@quark.io', phone: null, slack: null },
    },
    { level: 2, channels: ['sms'], timeoutMins: 30 },
  ]);
  expect((await api.patch(path, {})).body).toEqual(stored.body);

  const refused = await api.patch(path, { routes: [{ level: 1 }, { level: 1, channels: ['slack', 'slack'] }] });
  expect(refused.status).toBe(400);
  expect(refused.body.details).toMatchObject({
    routes: expect.arrayContaining([
      { index: 1, field: 'level', message: 'is used twice: 1' },
      { index: 1, field: 'channels.1', message: 'is given twice: slack' },
      { index: 1, field: 'contactInfo.slack', message: 'is required for the channel slack' },
    ]),
  });
  expect((await api.patch(path, { routes: [{ level: '1' }] })).body.details).toMatchObject({
    routes: [{ index: 0, field: 'level', message: 'must be a number' }],
  });
  expect((await api.patch(path, { routes: null })).status).toBe(400);
  expect((await api.get(path)).body).toEqual(stored.body);

  expect(escalationSchema.parse((await api.patch(path, { routes: [] })).body).routes).toEqual([]);
});
