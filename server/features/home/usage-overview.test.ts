import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { createAgent } from '../agents/agent.service';
import { chartDays, sharesMaximum, usageOverviewSchema } from '../usage/usage.schema';
import { trackUsageBatch } from '../usage/usage.service';
import { getUsagePage } from './usage-overview.service';

withFreshDatabase();

const today = () => new Date().toISOString().slice(0, 10);

test('an identity that used nothing has every day at nothing', async () => {
  const { actor } = await createTestIdentity({ plan: 'free' });
  const overview = usageOverviewSchema.parse(await getUsagePage(actor));
  expect(overview.days).toHaveLength(chartDays);
  expect(overview.days.at(-1)).toEqual({ day: today(), tokens: 0, executions: 0 });
  expect(overview.byAgent).toEqual({ shares: [], rest: null });
  expect(overview.projection).toEqual({ tokens: 0, executions: 0 });
  expect(overview.keys).toMatchObject([{ name: 'Test key', requestsToday: 0, dailyLimit: 100 }]);
});

test('days and breakdowns add up to what was reported, agents by name', async () => {
  const { actor, identityId } = await createTestIdentity();
  const agent = await createAgent(actor, { name: 'Ann', roleId: 'ann', kind: 'assistant' });
  await trackUsageBatch(actor, {
    records: [
      { type: 'token_usage', totalTokens: 30, agentId: agent.id.toUpperCase(), model: 'big', operation: 'reply' },
      { type: 'token_usage', totalTokens: 12, agentId: 'stray', model: 'small', operation: 'reply' },
      { type: 'agent_execution', agentId: agent.id, status: 'completed', operation: 'triage' },
    ],
  });
  await pool().query(`UPDATE usage_days SET day = day - 3 WHERE identity_id = $1 AND model = 'small'`, [identityId]);
  const { days, byAgent, byModel, byOperation } = await getUsagePage(actor);
  expect(days.at(-1)).toEqual({ day: today(), tokens: 30, executions: 1 });
  expect(days.at(-4)?.tokens).toBe(12);
  expect(byAgent.shares).toEqual([
    { name: 'Ann', agentId: agent.id, tokens: 30, executions: 1 },
    { name: 'stray', agentId: null, tokens: 12, executions: 0 },
  ]);
  expect(byModel.shares.map(({ name, tokens }) => [name, tokens])).toEqual([
    ['big', 30],
    ['small', 12],
    ['', 0],
  ]);
  expect(byOperation.shares.map(({ name, tokens }) => [name, tokens])).toEqual([
    ['reply', 42],
    ['triage', 0],
  ]);
});

test('a breakdown shows the largest and sums up the rest; what is older than the chart is left out', async () => {
  const { actor, identityId } = await createTestIdentity();
  const records = Array.from({ length: sharesMaximum + 3 }, (_, n) => ({
    type: 'token_usage',
    totalTokens: 100 - n,
    model: `m-${n}`,
  }));
  await trackUsageBatch(actor, { records: [...records, { type: 'token_usage', totalTokens: 500, model: 'old' }] });
  await pool().query(`UPDATE usage_days SET day = day - $2::int WHERE identity_id = $1 AND model = 'old'`, [
    identityId,
    chartDays,
  ]);
  const { byModel, days } = await getUsagePage(actor);
  expect(byModel.shares.map(({ name }) => name)).toEqual(records.slice(0, sharesMaximum).map(({ model }) => model));
  expect(byModel.rest).toEqual({ tokens: 92 + 91 + 90, executions: 0 });
  expect(days.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(records.reduce((sum, { totalTokens }) => sum + totalTokens, 0));
});

test('shows nothing of another identity, nor agents by foreign names', async () => {
  const [{ actor }, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const theirs = await createAgent(stranger.actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' });
  await trackUsageBatch(stranger.actor, { records: [{ type: 'token_usage', totalTokens: 7, agentId: theirs.id }] });
  await trackUsageBatch(actor, { records: [{ type: 'token_usage', totalTokens: 1, agentId: theirs.id }] });
  const { byAgent, stats } = await getUsagePage(actor);
  expect(stats.tokenUsage.current).toBe(1);
  expect(byAgent.shares).toEqual([{ name: theirs.id, agentId: null, tokens: 1, executions: 0 }]);
});
