import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { type TrackInput, trackBatchInput, trackInput } from './usage.schema';
import { getUsageStats, meter, trackUsage, trackUsageBatch } from './usage.service';

withFreshDatabase();

const tokens = (changes: Partial<TrackInput> = {}) => trackInput.parse({ type: 'token_usage', totalTokens: 10, ...changes });
const execution = (changes: Partial<TrackInput> = {}) =>
  trackInput.parse({ type: 'agent_execution', agentId: 'a-1', status: 'completed', ...changes });

async function count(identityId: string): Promise<number> {
  const { rows } = await pool().query('SELECT count(*)::int AS n FROM usage_records WHERE identity_id = $1', [identityId]);
  return rows[0].n;
}

describe('tracking', () => {
  test('both types count in their meter of the UTC month', async () => {
    const { actor, identityId } = await createTestIdentity({ plan: 'free' });
    const tracked = await trackUsage(actor, tokens({ totalTokens: undefined, promptTokens: 1200, completionTokens: 34 }));
    await trackUsage(actor, execution());
    await trackUsage(actor, execution({ status: 'running' }));
    const now = new Date();
    expect(tracked).toEqual({ success: true, id: expect.any(String), createdAt: expect.any(String) });
    expect(await getUsageStats(actor)).toEqual({
      tokenUsage: { current: 1234, limit: 100_000, percentage: 1.2, formatted: '1,234 / 100,000' },
      executions: { current: 2, limit: 100, percentage: 2, formatted: '2 / 100' },
      plan: 'Free',
      period: {
        start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
        end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
      },
    });
    expect(await count(identityId)).toBe(3);
  });

  test('keeps everything that was reported', async () => {
    const { actor } = await createTestIdentity();
    const record = {
      promptTokens: 7,
      completionTokens: 3,
      totalTokens: 10,
      model: 'sonnet',
      provider: 'p',
      usageType: 'chat',
      operation: 'reply',
      agentId: 'Agent-1',
      conversationId: 'c',
      taskId: 't',
      messageId: 'm',
      metadata: { deep: [{ a: 1 }] },
      result: { ok: true },
    };
    const { id } = await trackUsage(actor, tokens(record));
    const { rows } = await pool().query('SELECT * FROM usage_records WHERE id = $1', [id]);
    expect(rows[0]).toMatchObject({
      type: 'token_usage',
      prompt_tokens: '7',
      completion_tokens: '3',
      total_tokens: '10',
      model: 'sonnet',
      provider: 'p',
      usage_type: 'chat',
      operation: 'reply',
      agent_id: 'agent-1',
      conversation_id: 'c',
      task_id: 't',
      message_id: 'm',
      metadata: { deep: [{ a: 1 }] },
      result: { ok: true },
      status: null,
      outcome: null,
    });
  });

  test('counts last month’s records no longer', async () => {
    const { actor, identityId } = await createTestIdentity();
    await trackUsage(actor, tokens());
    await pool().query(`UPDATE usage_months SET month = month - interval '1 month' WHERE identity_id = $1`, [identityId]);
    await trackUsage(actor, tokens({ totalTokens: 5 }));
    expect((await getUsageStats(actor)).tokenUsage.current).toBe(5);
  });

  test('adds up the largest numbers there are', async () => {
    const { actor } = await createTestIdentity();
    const records = Array.from({ length: 100 }, () => ({ type: 'token_usage', totalTokens: Number.MAX_SAFE_INTEGER }));
    for (let i = 0; i < 11; i++) await trackUsageBatch(actor, { records });
    const { tokenUsage } = await getUsageStats(actor);
    expect(tokenUsage.current).toBeCloseTo(1100 * Number.MAX_SAFE_INTEGER, -12);
    expect(tokenUsage).toMatchObject({ limit: -1, percentage: 0, formatted: expect.stringMatching(/^9,9.* \/ Unlimited$/) });
  });

  test('is one identity’s own', async () => {
    const [one, other] = [await createTestIdentity(), await createTestIdentity()];
    await trackUsage(one.actor, tokens({ eventId: 'same' }));
    const { id } = await trackUsage(other.actor, tokens({ eventId: 'same', totalTokens: 3 }));
    expect((await getUsageStats(other.actor)).tokenUsage.current).toBe(3);
    expect((await trackUsage(one.actor, tokens({ eventId: 'same' }))).id).not.toBe(id);
    expect((await getUsageStats(one.actor)).tokenUsage.current).toBe(10);
  });
});

describe('an event', () => {
  test('reported again answers as the first time and counts once', async () => {
    const { actor, identityId } = await createTestIdentity();
    const first = await trackUsage(actor, tokens({ eventId: 'e' }));
    expect(await trackUsage(actor, tokens({ eventId: 'e', totalTokens: 999 }))).toEqual(first);
    expect(await trackUsage(actor, execution({ eventId: 'e' }))).toEqual(first);
    expect(await count(identityId)).toBe(1);
    expect(await getUsageStats(actor)).toMatchObject({ tokenUsage: { current: 10 }, executions: { current: 0 } });
  });

  test('reported by many at once counts once', async () => {
    const { actor, identityId } = await createTestIdentity();
    const tracked = await Promise.all(Array.from({ length: 30 }, () => trackUsage(actor, tokens({ eventId: 'e' }))));
    expect(new Set(tracked.map(({ id }) => id)).size).toBe(1);
    expect(await count(identityId)).toBe(1);
    expect((await getUsageStats(actor)).tokenUsage.current).toBe(10);
  });

  test('in batches that overlap, in any order, counts once', async () => {
    const { actor, identityId } = await createTestIdentity();
    const events = Array.from({ length: 40 }, (_, n) => ({ type: 'token_usage', totalTokens: 1, eventId: `e-${n}` }));
    const batches = Array.from({ length: 8 }, (_, n) => ({ records: n % 2 ? events.toReversed() : events }));
    const answers = await Promise.all(batches.map((batch) => trackUsageBatch(actor, batch)));
    expect(answers.every(({ success }) => success)).toBe(true);
    expect(await count(identityId)).toBe(40);
    expect((await getUsageStats(actor)).tokenUsage.current).toBe(40);
    const idOf = (answer: (typeof answers)[number], n: number) => answer.results[n]?.id;
    expect(idOf(answers[0] as never, 0)).toBe(idOf(answers[1] as never, 39));
  });
});

test('sums are exact under concurrency', async () => {
  const { actor, identityId } = await createTestIdentity();
  const work = Array.from({ length: 200 }, (_, n) =>
    trackUsage(actor, n % 2 ? execution({ agentId: `a-${n % 3}` }) : tokens({ totalTokens: n, model: `m-${n % 4}` })),
  );
  await Promise.all(work);
  expect(await getUsageStats(actor)).toMatchObject({ tokenUsage: { current: 9900 }, executions: { current: 100 } });
  const { rows } = await pool().query(
    `SELECT sum(tokens)::int AS tokens, sum(executions)::int AS executions FROM usage_days WHERE identity_id = $1`,
    [identityId],
  );
  expect(rows[0]).toEqual({ tokens: 9900, executions: 100 });
});

test('nobody waits for a request that is not about the same event', async () => {
  const { actor } = await createTestIdentity();
  await trackUsage(actor, execution());
  const slow = await pool().connect();
  try {
    await slow.query('BEGIN');
    for (const table of ['usage_months', 'usage_days', 'agent_activity']) {
      await slow.query(`SELECT 1 FROM ${table} WHERE identity_id = $1 FOR UPDATE`, [actor.identityId]);
    }
    await slow.query(`SET LOCAL lock_timeout = '5s'`);
    await trackUsage(actor, execution());
    await trackUsage(actor, tokens());
    expect(await getUsageStats(actor)).toMatchObject({ tokenUsage: { current: 10 }, executions: { current: 2 } });
  } finally {
    await slow.query('ROLLBACK');
    slow.release();
  }
});

describe('a batch', () => {
  test('takes what is sound and says why the rest is not', async () => {
    const { actor, identityId } = await createTestIdentity();
    const records = [
      { type: 'token_usage', totalTokens: 4 },
      { type: 'token_usage' },
      null,
      { type: 'agent_execution', agentId: 'a', status: 'failed', identityId },
      { type: 'token_usage', totalTokens: '4' },
    ];
    const { success, results } = await trackUsageBatch(actor, { records });
    expect(success).toBe(false);
    expect(results).toEqual([
      { index: 0, id: expect.any(String) },
      { index: 1, error: 'totalTokens is required unless promptTokens and completionTokens are given' },
      { index: 2, error: 'record must be an object' },
      { index: 3, id: expect.any(String) },
      { index: 4, error: 'totalTokens must be a number' },
    ]);
    expect(await count(identityId)).toBe(2);
  });

  test('with a record for another identity is refused whole', async () => {
    const [{ actor, identityId }, stranger] = [await createTestIdentity(), await createTestIdentity()];
    const records = [
      { type: 'token_usage', totalTokens: 4 },
      { type: 'token_usage', totalTokens: 4, identityId: stranger.identityId },
    ];
    await expect(trackUsageBatch(actor, trackBatchInput.parse({ records }))).rejects.toMatchObject({ code: 'identity_override' });
    expect(await count(identityId)).toBe(0);
    expect(await count(stranger.identityId)).toBe(0);
  });
});

describe('what a record needs', () => {
  test.each([
    [{ type: 'token_usage' }, 'totalTokens'],
    [{ type: 'token_usage', promptTokens: 1 }, 'totalTokens'],
    [{ type: 'token_usage', promptTokens: 1, completionTokens: 1, totalTokens: 3 }, 'totalTokens'],
    [{ type: 'token_usage', promptTokens: 2 ** 53 - 1, completionTokens: 1 }, 'completionTokens'],
    [{ type: 'token_usage', totalTokens: -1 }, 'totalTokens'],
    [{ type: 'token_usage', totalTokens: 1.5 }, 'totalTokens'],
    [{ type: 'token_usage', totalTokens: 1, agentId: 'x'.repeat(256) }, 'agentId'],
    [{ type: 'token_usage', totalTokens: 1, metadata: [] }, 'metadata'],
    [{ type: 'agent_execution', status: 'ok' }, 'agentId'],
    [{ type: 'agent_execution', agentId: 'a' }, 'status'],
    [{ type: 'other' }, 'type'],
    [{}, 'type'],
  ])('%j lacks %s', (record, field) => {
    const parsed = trackInput.safeParse(record);
    expect(parsed.error?.issues.map(({ path }) => path[0])).toContain(field);
  });

  test.each([
    { type: 'token_usage', totalTokens: 0 },
    { type: 'token_usage', promptTokens: 0, completionTokens: 0 },
    { type: 'token_usage', promptTokens: 4, totalTokens: 9 },
    { type: 'agent_execution', agentId: 'anything at all', status: 'whatever' },
  ])('%j is enough', (record) => {
    expect(trackInput.safeParse(record).success).toBe(true);
  });
});

test('a meter is not capped, groups thousands and has one decimal', () => {
  expect(meter(250_001, 100_000)).toEqual({ current: 250_001, limit: 100_000, percentage: 250, formatted: '250,001 / 100,000' });
  expect(meter(1, 3).percentage).toBe(33.3);
  expect(meter(1234, -1)).toEqual({ current: 1234, limit: -1, percentage: 0, formatted: '1,234 / Unlimited' });
  expect(meter(0, 0).percentage).toBe(0);
});
