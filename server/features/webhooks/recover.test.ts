import { describe, expect, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { deliverJob } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob, jobsOfKind } from '@/server/testing/jobs';
import { addWebhook } from '@/server/testing/webhook-receiver';
import { listDeliveries, replayDelivery } from './delivery.service';
import { resumeJob } from './delivery-queue';
import { recoverDeliveries } from './recover.service';
import { listDeliveriesInput } from './webhook.schema';
import { updateWebhook } from './webhook.service';
import { giveUpDeliveries, removeOldDeliveries, resumeDeliveries } from './webhook-jobs.service';

withFreshDatabase();

const url = 'https://8.8.8.8/hook';
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

async function createCustomers(actor: IdentityActor, count: number, name = 'p'): Promise<void> {
  for (let n = 0; n < count; n++)
    await createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: `${name}${n}@x.io` }] }));
}

/** Copies the newest event of an identity, with other ids. */
async function copyEvent({ identityId }: IdentityActor, times: number): Promise<void> {
  await queryAsOwner(
    `INSERT INTO event_log (identity_id, position, id, type, object_type, object_id, object_version, data, actor_type)
      SELECT identity_id, position, gen_random_uuid(), type, object_type, object_id, object_version, data, actor_type
      FROM (SELECT * FROM event_log WHERE identity_id = $1 LIMIT 1) e, generate_series(1, $2)`,
    [identityId, times],
  );
}

/** Adds waiting deliveries of events that are not kept. */
async function addDeliveries({ identityId }: IdentityActor, webhookId: string, count: number): Promise<void> {
  await pool().query(
    `INSERT INTO webhook_deliveries (id, identity_id, webhook_id, event_id, event_type, event_position, event_seq, next_attempt_at)
      SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'customer.created', 1, n, now() - interval '1 hour' FROM generate_series(1, $3::int) n`,
    [identityId, webhookId, count],
  );
}

async function countJobs(): Promise<number> {
  return (await jobsOfKind(deliverJob)).length;
}

async function countBy({ identityId }: IdentityActor, status: string): Promise<number> {
  const { rows } = await pool().query(
    'SELECT count(*)::int AS count FROM webhook_deliveries WHERE identity_id = $1 AND status = $2::delivery_status',
    [identityId, status],
  );
  return rows[0].count;
}

describe('recovering', () => {
  test('missing adds what matches and was never queued, from before the webhook on, once', async () => {
    const { actor } = await createTestIdentity();
    await createCustomers(actor, 3);
    const { id: webhookId } = await addWebhook(actor, url, ['customer.created']);
    const other = await addWebhook(actor, url, ['webhook.*']);
    const recover = (since = ago(1)) => recoverDeliveries(actor, { webhookId, since, only: 'missing' });
    expect(await recover(new Date(Date.now() + 1_000).toISOString())).toEqual({ queued: 0, hasMore: false });
    const results = await Promise.all([recover(), recover(), recover()]);
    expect(results.reduce((sum, { queued }) => sum + queued, 0)).toBe(3);
    expect(await recover()).toEqual({ queued: 0, hasMore: false });
    expect(await recoverDeliveries(actor, { webhookId: other.id, since: ago(1), only: 'missing' })).toEqual({
      queued: 0,
      hasMore: false,
    });
    const { deliveries, total } = await listDeliveries(actor, listDeliveriesInput.parse({ webhookId }));
    expect([total, deliveries.map(({ status }) => status)]).toEqual([3, ['pending', 'pending', 'pending']]);
  });

  test('takes a thousand at a time, and loses none', async () => {
    const { actor } = await createTestIdentity();
    await createCustomers(actor, 1);
    const { id: webhookId } = await addWebhook(actor, url);
    await copyEvent(actor, 2_499);
    const recover = (only: 'missing' | 'failed') => recoverDeliveries(actor, { webhookId, since: ago(1), only });
    const steps = [
      { queued: 1_000, hasMore: true },
      { queued: 1_000, hasMore: true },
      { queued: 500, hasMore: false },
    ];
    for (const step of steps) expect(await recover('missing')).toEqual(step);
    await pool().query(`UPDATE webhook_deliveries SET status = 'failed', attempts = 10, error = 'x' WHERE webhook_id = $1`, [
      webhookId,
    ]);
    for (const step of steps) expect(await recover('failed')).toEqual(step);
    expect(await countBy(actor, 'pending')).toBe(2_500);
    const { total, totalIsExact } = await listDeliveries(actor, listDeliveriesInput.parse({ webhookId, status: 'pending' }));
    expect([total, totalIsExact]).toEqual([1_000, false]);
  });

  test('sends nothing again that the key may not read, also by moving the webhook', async () => {
    const { actor, apiKeyActor } = await createTestIdentity();
    const { id: webhookId } = await addWebhook(actor, url, ['customer.*']);
    await createCustomers(actor, 1);
    await recoverDeliveries(actor, { webhookId, since: ago(1), only: 'missing' });
    const { deliveries } = await listDeliveries(actor, listDeliveriesInput.parse({ webhookId }));
    await updateWebhook(actor, { webhookId, events: ['blog.*'] });
    const key = { ...apiKeyActor, scopes: ['webhooks:write', 'blog:read'] } as const;
    const denied = { code: 'insufficient_scope' };
    await expect(updateWebhook(key, { webhookId, url: 'https://9.9.9.9/mine' })).rejects.toMatchObject(denied);
    await expect(replayDelivery(key, webhookId, deliveries[0]?.id ?? '')).rejects.toMatchObject(denied);
    await pool().query(`UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1`, [webhookId]);
    expect(await recoverDeliveries(key, { webhookId, since: ago(1), only: 'failed' })).toMatchObject({ queued: 0 });
    expect(await recoverDeliveries(actor, { webhookId, since: ago(1), only: 'failed' })).toMatchObject({ queued: 1 });
  });

  test('is refused for what is not kept, for a disabled webhook, and for that of another identity', async () => {
    const { actor } = await createTestIdentity();
    const { id: webhookId } = await addWebhook(actor, url);
    const input = { webhookId, since: ago(1), only: 'failed' } as const;
    await expect(recoverDeliveries(actor, { ...input, since: ago(31 * 24) })).rejects.toMatchObject({
      details: { fields: { since: expect.any(String) } },
    });
    await expect(recoverDeliveries((await createTestIdentity()).actor, input)).rejects.toMatchObject({ code: 'not_found' });
    await expect(recoverDeliveries(actor, { ...input, webhookId: unknownId })).rejects.toMatchObject({ code: 'not_found' });
    await pool().query(`UPDATE webhooks SET status = 'disabled' WHERE id = $1`, [webhookId]);
    await expect(recoverDeliveries(actor, input)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('ten thousand deliveries', () => {
  test('of a paused webhook go on when it is active; of a disabled one they fail', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await addWebhook(actor, url);
    await updateWebhook(actor, { webhookId: id, status: 'paused' });
    await addDeliveries(actor, id, 10_000);
    const before = await countJobs();
    await updateWebhook(actor, { webhookId: id, status: 'active' });
    expect(await findJob(resumeJob, id)).toBeDefined();
    await resumeDeliveries({ identityId, id });
    await resumeDeliveries({ identityId, id });
    expect((await countJobs()) - before).toBe(10_000);
    await giveUpDeliveries({ identityId, id });
    expect(await countBy(actor, 'failed')).toBe(0);
    await pool().query(`UPDATE webhooks SET status = 'disabled' WHERE id = $1`, [id]);
    await giveUpDeliveries({ identityId, id });
    expect(await countBy(actor, 'failed')).toBe(10_000);
  });

  test('are not added for a disabled or paused webhook', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await addWebhook(actor, url);
    for (const status of ['disabled', 'paused']) {
      await pool().query('UPDATE webhooks SET status = $2::webhook_status WHERE id = $1', [id, status]);
      await createCustomers(actor, 1, status);
    }
    expect(await countBy(actor, 'pending')).toBe(0);
  });
});

test('what is old is removed', async () => {
  const { actor } = await createTestIdentity();
  const { id } = await addWebhook(actor, url);
  await createCustomers(actor, 1);
  await addDeliveries(actor, id, 2);
  await pool().query(
    `UPDATE webhook_deliveries SET created_at = now() - interval '31 days', next_attempt_at = now() - interval '31 days'
      WHERE webhook_id = $1 AND event_position = 1`,
    [id],
  );
  // Queued again late: its attempts are still to come.
  await pool().query(
    `UPDATE webhook_deliveries SET created_at = now() - interval '31 days' WHERE webhook_id = $1 AND event_position = 2`,
    [id],
  );
  const kept = await pool().query(`SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND event_position <> 1`, [id]);
  for (const started of ['31 days', '1 day']) {
    await pool().query(
      `INSERT INTO webhook_attempts (id, identity_id, delivery_id, started_at, duration_ms) VALUES (gen_random_uuid(), $1, $2, now() - $3::interval, 5)`,
      [actor.identityId, kept.rows[0].id, started],
    );
  }
  await removeExpired([removeOldDeliveries]);
  expect((await pool().query('SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [id])).rows).toEqual(kept.rows);
  expect((await pool().query('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1', [kept.rows[0].id])).rowCount).toBe(1);
});
