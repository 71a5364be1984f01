import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { activitiesOf, listExecutions } from './activity.service';
import { outcomeOf } from './execution-outcome';
import { type TrackInput, trackInput } from './usage.schema';
import { trackUsage, trackUsageBatch } from './usage.service';

withFreshDatabase();

const execution = (changes: Partial<TrackInput> = {}) =>
  trackInput.parse({ type: 'agent_execution', agentId: 'ann', status: 'completed', ...changes });

async function activityAfter(...executions: Partial<TrackInput>[]) {
  const { actor, identityId } = await createTestIdentity();
  for (const changes of executions) await trackUsage(actor, execution(changes));
  const { lastActiveAt, ...activity } = (await activitiesOf(identityId, ['ann']))('ann');
  return activity;
}

const nothing = { actions: 0, active: 0, completed: 0, failed: 0, cancelled: 0, escalations: 0, minutesSaved: 0 };

describe('executions without a task stand for themselves once they have ended', () => {
  test('each counts where its status says', async () => {
    const statuses = ['completed', 'Success', 'failed', 'canceled', 'escalated', 'running', 'anything'];
    expect(await activityAfter(...statuses.map((status) => ({ status })))).toMatchObject({
      actions: 7,
      completed: 2,
      failed: 1,
      cancelled: 1,
      escalations: 1,
      active: 0,
      minutesSaved: 30,
    });
  });

  test('saved minutes are what the result or the metadata says, else 15', async () => {
    const saved = async (changes: Partial<TrackInput>) => (await activityAfter(changes)).minutesSaved;
    expect(await saved({ result: { minutesSaved: 90 } })).toBe(90);
    expect(await saved({ metadata: { minutesSaved: 0 } })).toBe(0);
    expect(await saved({ metadata: { minutesSaved: 'many' } })).toBe(15);
    expect(await saved({ metadata: { minutesSaved: -5 } })).toBe(15);
    expect(await saved({ status: 'failed', metadata: { minutesSaved: 90 } })).toBe(0);
  });
});

describe('executions with a task replace its last one', () => {
  const at = (status: string, taskId = 't') => ({ status, taskId });

  test('a task under way that ends is active no longer', async () => {
    expect(await activityAfter(at('running'))).toMatchObject({ ...nothing, actions: 1, active: 1 });
    expect(await activityAfter(at('running'), at('escalated'), at('completed'))).toMatchObject({
      ...nothing,
      actions: 3,
      completed: 1,
      escalations: 1,
      minutesSaved: 15,
    });
  });

  test('one that is tried again counts as it ended last', async () => {
    expect(await activityAfter(at('completed'), at('failed'), at('failed'))).toMatchObject({ ...nothing, actions: 3, failed: 1 });
    expect(await activityAfter(at('failed'), at('completed', 'other'), at('running'))).toMatchObject({
      ...nothing,
      actions: 3,
      active: 1,
      completed: 1,
      minutesSaved: 15,
    });
  });

  test('the same in one batch, in its order', async () => {
    const { actor, identityId } = await createTestIdentity();
    const records = ['running', 'escalated', 'completed'].flatMap((status) => [
      { type: 'agent_execution', agentId: 'ann', taskId: 't', status },
      { type: 'agent_execution', agentId: 'bob', taskId: 't', status },
    ]);
    await trackUsageBatch(actor, { records });
    const activity = await activitiesOf(identityId, ['ann', 'bob']);
    for (const agent of ['ann', 'bob']) {
      expect(activity(agent)).toMatchObject({ ...nothing, actions: 3, completed: 1, escalations: 1, minutesSaved: 15 });
    }
  });

  test('under concurrency a task counts once', async () => {
    const { actor, identityId } = await createTestIdentity();
    const statuses = Array.from({ length: 40 }, (_, n) => ['running', 'completed', 'failed', 'escalated'][n % 4] ?? '');
    await Promise.all(statuses.map((status) => trackUsage(actor, execution({ status, taskId: 't' }))));
    await trackUsage(actor, execution({ taskId: 't', metadata: { minutesSaved: 4 } }));
    expect((await activitiesOf(identityId, ['ann']))('ann')).toMatchObject({
      ...nothing,
      actions: 41,
      completed: 1,
      escalations: 10,
      minutesSaved: 4,
    });
  });

  test('an event reported twice moves nothing', async () => {
    const { actor, identityId } = await createTestIdentity();
    await trackUsage(actor, execution({ ...at('completed'), eventId: 'e' }));
    await trackUsage(actor, execution({ ...at('failed'), eventId: 'e' }));
    expect((await activitiesOf(identityId, ['ann']))('ann')).toMatchObject({ actions: 1, completed: 1, failed: 0 });
  });
});

test('the list of executions is the agent’s own, newest first, a page at a time', async () => {
  const [{ actor }, stranger] = [await createTestIdentity(), await createTestIdentity()];
  for (let n = 0; n < 35; n++) await trackUsage(actor, execution({ agentId: 'Ann', operation: `op-${n}` }));
  await trackUsage(actor, execution({ agentId: 'bob' }));
  await trackUsage(stranger.actor, execution());
  await trackUsage(actor, trackInput.parse({ type: 'token_usage', totalTokens: 1, agentId: 'ann' }));
  const first = await listExecutions(actor, { agentId: 'ANN' });
  const rest = await listExecutions(actor, { agentId: 'ann', before: first.next ?? undefined });
  const operations = [...first.executions, ...rest.executions].map(({ operation }) => operation);
  expect(operations).toEqual(Array.from({ length: 35 }, (_, n) => `op-${34 - n}`));
  expect([first.executions.length, rest.executions.length, rest.next]).toEqual([30, 5, null]);
});

test('executions are listed by their time, also where ids come from a server whose clock is ahead', async () => {
  const [{ actor, identityId }, stranger] = [await createTestIdentity(), await createTestIdentity()];
  for (let n = 0; n < 35; n++) await trackUsage(actor, execution({ operation: `op-${n}`, eventId: `${n}` }));
  // Every other one was recorded half an hour earlier than its id says.
  await pool().query(
    `UPDATE usage_records SET created_at = created_at - interval '30 minutes' WHERE identity_id = $1 AND event_id::int % 2 = 0`,
    [identityId],
  );
  const first = await listExecutions(actor, { agentId: 'ann' });
  const rest = await listExecutions(actor, { agentId: 'ann', before: first.next ?? undefined });
  const times = [...first.executions, ...rest.executions].map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort().reverse());
  expect(new Set([...first.executions, ...rest.executions].map(({ id }) => id)).size).toBe(35);
  expect((await listExecutions(stranger.actor, { agentId: 'ann', before: first.next ?? undefined })).executions).toEqual([]);
});

test('statuses are read whatever their case and separators', () => {
  expect([' Waiting-Human ', 'TIMED OUT', 'Done', 'cancelled', 'queued'].map(outcomeOf)).toEqual([
    'escalated',
    'failed',
    'completed',
    'cancelled',
    'active',
  ]);
});
