import { expect, test } from 'vitest';
import { setPlan } from '@/server/features/identity/identity.service';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { takeFromProcess } from '@/server/platform/process-globals';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { watchStatements } from '@/server/testing/statements';
import { trackInput } from './usage.schema';
import { getUsageStats, trackUsage, trackUsageBatch } from './usage.service';
import { recordUsage, serializeRecord } from './usage.statement';
import { noteUsage } from './usage.thresholds';

withFreshDatabase();

const spend = ({ actor }: TestIdentity, totalTokens: number, more: object = {}) =>
  trackUsage(actor, trackInput.parse({ type: 'token_usage', totalTokens, ...more }));
const run = trackInput.parse({ type: 'agent_execution', agentId: 'a', status: 'completed' });
const each = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
const month = () => new Date().toISOString().slice(0, 7);

/** Sums of usage that were looked up. */
async function looksOf(work: () => Promise<unknown>): Promise<number> {
  const statements = watchStatements();
  await work();
  const looks = statements.names().filter((name) => name === 'usage-threshold-month');
  statements.end();
  return looks.length;
}

test('80 and 100 per cent of a figure are told of once a month each', async () => {
  const identity = await createTestIdentity({ plan: 'free' });
  expect(await eventsOf(identity, () => spend(identity, 79_999))).toEqual([]);
  const [event, ...others] = await eventsOf(identity, () => spend(identity, 1));
  expect(others).toEqual([]);
  const { tokenUsage, plan, period } = await getUsageStats(identity.actor);
  const { current, limit, percentage } = tokenUsage;
  expect(event).toMatchObject({
    type: 'usage.threshold_reached',
    object: { type: 'usage', id: `tokens-${month()}-80`, version: 1 },
    actor: { type: 'system', id: null, name: null },
  });
  expect(event?.data).toEqual({ object: { figure: 'tokens', threshold: 80, current, limit, percentage, plan, period } });
  expect(await eventsOf(identity, () => spend(identity, 10))).toEqual([]);
  // A record that came before counts once.
  expect(await eventsOf(identity, () => spend(identity, 19_000, { eventId: 'once' }))).toEqual([]);
  expect(await eventsOf(identity, () => spend(identity, 19_000, { eventId: 'once' }))).toEqual([]);
  const later = await eventsOf(identity, () => spend(identity, 50_000));
  expect(later.map(({ object }) => object.id)).toEqual([`tokens-${month()}-100`]);
  // Another server knows nothing of it.
  takeFromProcess('usage-thresholds');
  expect(await eventsOf(identity, () => spend(identity, 50_000))).toEqual([]);
});

test('a new month counts anew', async () => {
  const identity = await createTestIdentity({ plan: 'free' });
  await spend(identity, 100_000);
  await queryAsOwner(`UPDATE usage_months SET month = month - interval '1 month' WHERE identity_id = $1`, [identity.identityId]);
  await queryAsOwner(`UPDATE object_versions SET object_id = replace(object_id, $2, 'earlier') WHERE identity_id = $1`, [
    identity.identityId,
    month(),
  ]);
  takeFromProcess('usage-thresholds');
  expect(await eventsOf(identity, () => spend(identity, 79_000))).toEqual([]);
  const events = await eventsOf(identity, () => spend(identity, 1_000));
  expect(events.map(({ object }) => object.id)).toEqual([`tokens-${month()}-80`]);
});

test('of 100 records at the same time that cross a threshold together, exactly one event is written', async () => {
  const identity = await createTestIdentity({ plan: 'free' });
  const events = await eventsOf(identity, () => each(100, () => spend(identity, 810)));
  expect(events.map(({ object }) => object.id)).toEqual([`tokens-${month()}-80`]);
  const executions = await eventsOf(identity, () => each(100, () => trackUsage(identity.actor, run)));
  const ids = executions.map(({ object }) => object.id).sort();
  expect(ids).toEqual([`executions-${month()}-100`, `executions-${month()}-80`]);
});

test('so it is of 100 statements, each as if a server wrote it by itself', async () => {
  const identity = await createTestIdentity({ plan: 'free' });
  const { identityId } = identity;
  const events = await eventsOf(identity, () =>
    each(100, async () => {
      const record = serializeRecord(trackInput.parse({ type: 'token_usage', totalTokens: 810 }));
      const [written] = await rows<{ createdAt: Date }>(pool(), recordUsage(identityId, [record]));
      takeFromProcess('usage-thresholds');
      await noteUsage(identityId, { tokens: 810, executions: 0 }, written?.createdAt ?? new Date());
    }),
  );
  expect(events.map(({ object }) => object.id)).toEqual([`tokens-${month()}-80`]);
});

test('what remains until a threshold is looked up rarely, and what was used is not missed', async () => {
  const identity = await createTestIdentity({ plan: 'small_business' });
  const many = () => each(200, () => spend(identity, 100));
  // The first record looks; far below the limit of 20 million, the others need not.
  expect(await looksOf(many)).toBeLessThanOrEqual(3);
  expect(await looksOf(many)).toBe(0);
  expect(await eventsOf(identity, () => spend(identity, 16_000_000))).toHaveLength(1);
});

test('a plan without limit has no thresholds, and no limit of its own is reached by nothing', async () => {
  const identity = await createTestIdentity({ plan: 'enterprise' });
  const record = { type: 'token_usage', totalTokens: 9_000_000_000_000 };
  expect(await eventsOf(identity, () => trackUsageBatch(identity.actor, { records: [record, record, run] }))).toEqual([]);
  // The smaller plan is found out about with the first record after a minute at most.
  const events = await eventsOf(identity, async () => {
    await setPlan(identity.handle, 'free');
    takeFromProcess('usage-thresholds');
    await spend(identity, 1);
  });
  expect(events.map(({ type }) => type)).toEqual(['identity.updated', 'usage.threshold_reached', 'usage.threshold_reached']);
});
