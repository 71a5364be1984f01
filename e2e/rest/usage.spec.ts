import { agentDetailSchema } from '@/server/features/agents/agent.schema';
import { trackedBatchSchema, trackedSchema, usageStatsSchema } from '@/server/features/usage/usage.schema';
import { type Api, expect, test } from '../support/api';
import { operator } from '../support/operator';

async function stats(api: Api) {
  return usageStatsSchema.parse((await api.get('/usage/stats')).body);
}

test('tokens and executions count against the plan, which the command line changes', async ({ api }) => {
  const { body, status } = await api.post('/usage/track', { type: 'token_usage', promptTokens: 1200, completionTokens: 34 });
  expect([status, trackedSchema.parse(body).success]).toEqual([200, true]);
  await api.post('/usage/track', { type: 'agent_execution', agentId: 'a', status: 'completed' });
  expect(await stats(api)).toMatchObject({
    tokenUsage: { current: 1234, limit: -1, percentage: 0, formatted: '1,234 / Unlimited' },
    executions: { current: 1, formatted: '1 / Unlimited' },
    plan: 'Enterprise',
  });
  await operator('identity', 'set-plan', '--handle', api.tenant.handle, '--plan', 'free');
  expect(await stats(api)).toMatchObject({
    tokenUsage: { current: 1234, limit: 100_000, percentage: 1.2, formatted: '1,234 / 100,000' },
    executions: { current: 1, limit: 100, percentage: 1, formatted: '1 / 100' },
    plan: 'Free',
  });
});

test('an event counts once, however many report it at once', async ({ api }) => {
  const record = { type: 'token_usage', totalTokens: 10, eventId: 'call-1' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/usage/track', record)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await stats(api)).tokenUsage.current).toBe(10);
});

test('nothing is refused for being over the plan', async ({ api, createTenant }) => {
  const { key } = await createTenant({ plan: 'free' });
  const record = { type: 'token_usage', totalTokens: 250_000 };
  expect((await api.post('/usage/track', record, { key })).status).toBe(200);
  const { body } = await api.get('/usage/stats', { key });
  expect(usageStatsSchema.parse(body).tokenUsage).toMatchObject({ percentage: 250, formatted: '250,000 / 100,000' });
});

test('a batch takes what is sound', async ({ api, stranger }) => {
  const good = { type: 'token_usage', totalTokens: 5 };
  const { body, status } = await api.post('/usage/track/batch', { records: [good, { type: 'token_usage' }, good] });
  expect(status).toBe(200);
  const { success, results } = trackedBatchSchema.parse(body);
  expect(success).toBe(false);
  expect(results.map(({ id, error }) => [typeof id, error])).toEqual([
    ['string', undefined],
    ['undefined', 'totalTokens is required unless promptTokens and completionTokens are given'],
    ['string', undefined],
  ]);
  for (const records of [[], Array.from({ length: 101 }, () => good), null, {}]) {
    expect((await api.post('/usage/track/batch', { records })).status).toBe(400);
  }
  const foreign = { ...good, identityId: stranger.tenant.identityId };
  expect(await api.post('/usage/track/batch', { records: [good, foreign] })).toMatchObject({
    status: 403,
    body: { code: 'identity_override' },
  });
  expect((await stats(api)).tokenUsage.current).toBe(10);
  expect((await stats(stranger)).tokenUsage.current).toBe(0);
});

test('a batch may have 5 MiB, a single record 1', async ({ api }) => {
  const record = { type: 'token_usage', totalTokens: 1, metadata: { padding: 'x'.repeat(2 * 1024 * 1024) } };
  expect((await api.post('/usage/track', record)).status).toBe(413);
  expect((await api.post('/usage/track/batch', { records: [record] })).status).toBe(200);
});

test('executions show in the agent’s statistics', async ({ api }) => {
  const { id } = await api.firstAgent();
  for (const status of ['completed', 'completed', 'completed', 'failed']) {
    await api.post('/usage/track', { type: 'agent_execution', agentId: id, status });
  }
  await api.post('/usage/track', { type: 'agent_execution', agentId: id, status: 'running', taskId: 't' });
  const { stats: shown } = agentDetailSchema.parse((await api.get(`/identity/agents/${id}`)).body);
  expect(shown).toMatchObject({ activeTasks: 1, completedTasks: 3, completionRate: 0.75, hoursSaved: 0.75, totalActions: 5 });
  expect(await api.firstAgent()).toMatchObject({ activeTasks: 1, lastActiveAt: shown.lastActiveAt });
});
