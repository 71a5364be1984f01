import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { addWebhook } from '@/server/testing/webhook-receiver';
import { getDelivery, listDeliveries, testWebhook } from './delivery.service';
import { removeJob } from './delivery-queue';
import {
  createWebhookInput,
  listDeliveriesInput,
  updateWebhookInput,
  webhookSchema,
  webhookWithSecretSchema,
} from './webhook.schema';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateSecret, updateWebhook } from './webhook.service';
import { removeDeliveries } from './webhook-jobs.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const url = 'https://8.8.8.8/hook';
const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

function fieldsOf(promise: Promise<unknown>) {
  return promise.then(
    () => 'accepted',
    (error: { status?: number; details?: { fields?: object } }) => [error.status, Object.keys(error.details?.fields ?? {})],
  );
}

describe('creating', () => {
  test('shows the secret once, and stores it encrypted', async () => {
    const { actor } = await createTestIdentity();
    const { secret, ...webhook } = await addWebhook(actor, url, ['*', 'customer.created']);
    expect(webhookSchema.strict().parse(webhook)).toMatchObject({
      url,
      events: ['*', 'customer.created'],
      status: 'active',
      failingSince: null,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await listWebhooks(actor)).toEqual({ webhooks: [webhook], count: 1 });
    expect(await getWebhook(actor, webhook.id)).toEqual(webhook);
    const { rows } = await pool().query(
      'SELECT w::text AS webhook FROM webhooks w UNION ALL SELECT a::text FROM audit_entries a',
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, -1));
    expect(rows.some((row) => row.webhook.includes(`,webhook,${webhook.id}`))).toBe(true);
  });

  test.each([
    ['http://127.0.0.1:9/x', ['customer.*'], 'accepted'],
    ['https://no-such-name.example/', ['*'], 'accepted'],
    [url, ['customers.*'], [400, ['events']]],
    [url, ['customer.created', 'nothing'], [400, ['events']]],
    ['https://10.0.0.1/', ['*'], [400, ['url']]],
    ['http://127.0.0.2/', ['*'], [400, ['url']]],
    ['http://169.254.169.254/latest/meta-data', ['*'], [400, ['url']]],
    ['http://[fe80::1]/', ['*'], [400, ['url']]],
    ['http://localhost/', ['*'], [400, ['url']]],
    ['https://8.8.8.8:8443/', ['*'], [400, ['url']]],
  ])('%s for %j: %j', async (address, events, outcome) => {
    const { actor } = await createTestIdentity();
    expect(await fieldsOf(addWebhook(actor, address, events))).toEqual(outcome);
  });

  test.each(['ftp://x.example/', 'https://user:password@x.example/', 'x.example', '', 5])('%j is no address', (bad) => {
    expect(createWebhookInput.safeParse({ url: bad, events: ['*'] }).error?.issues[0]?.path).toEqual(['url']);
    expect(updateWebhookInput.safeParse({ webhookId: unknownId, url: bad }).success).toBe(false);
  });

  test('ends at ten, also for eleven at the same moment', async () => {
    const { actor } = await createTestIdentity();
    const results = await Promise.allSettled(Array.from({ length: 11 }, () => addWebhook(actor, url)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'conflict' });
    expect((await listWebhooks(actor)).count).toBe(10);
    expect(await addWebhook((await createTestIdentity()).actor, url)).toBeTruthy();
  });
});

describe('changing', () => {
  test('changes what is given; nothing is no change', async () => {
    const { actor } = await createTestIdentity();
    const { secret: _, ...webhook } = await addWebhook(actor, url);
    const change = (input: object) => updateWebhook(actor, updateWebhookInput.parse({ webhookId: webhook.id, ...input }));
    expect(await change({})).toEqual(webhook);
    expect(await change({ url, events: ['customer.*'], status: 'active' })).toEqual(webhook);
    const changed = await change({ description: 'CRM', status: 'paused' });
    expect(changed).toEqual({ ...webhook, description: 'CRM', status: 'paused', revision: 2, updatedAt: changed.updatedAt });
    expect(await fieldsOf(change({ events: ['x'] }))).toEqual([400, ['events']]);
    expect(await fieldsOf(change({ url: 'http://10.0.0.1/' }))).toEqual([400, ['url']]);
    expect(await getWebhook(actor, webhook.id)).toEqual(changed);
  });

  test('to active brings a disabled one back, as if it had not failed', async () => {
    const { actor } = await createTestIdentity();
    const { id: webhookId } = await addWebhook(actor, url);
    const disable = () =>
      pool().query(
        `UPDATE webhooks SET status = 'disabled', disabled_reason = 'failing', failing_since = now(), last_failure_at = now(), warned_at = now() WHERE id = $1`,
        [webhookId],
      );
    await disable();
    expect(await getWebhook(actor, webhookId)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const back = { status: 'active', disabledReason: null, failingSince: null };
    expect(await updateWebhook(actor, { webhookId, status: 'active' })).toMatchObject(back);
    await disable();
    await updateWebhook(actor, { webhookId, description: 'still disabled' });
    expect(await getWebhook(actor, webhookId)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  test.each([
    ['an address', { url: 'https://8.8.4.4/other' }],
    ['its pause', { status: 'active' as const }],
  ])('%s makes it begin anew, as if it had not failed', async (what, changes) => {
    const { actor } = await createTestIdentity();
    const { id } = await addWebhook(actor, url);
    if (what === 'its pause') await updateWebhook(actor, { webhookId: id, status: 'paused' });
    await pool().query(`UPDATE webhooks SET failing_since = now() - interval '6 days', last_failure_at = now() WHERE id = $1`, [
      id,
    ]);
    await updateWebhook(actor, { webhookId: id, description: 'Still failing' });
    expect((await getWebhook(actor, id)).failingSince).not.toBeNull();
    expect(await updateWebhook(actor, { webhookId: id, ...changes })).toMatchObject({ status: 'active', failingSince: null });
  });

  test('takes back what it answered, but disables none', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await addWebhook(actor, url);
    const change = (status: 'disabled') => fieldsOf(updateWebhook(actor, { webhookId: id, status }));
    expect(await change('disabled')).toEqual([400, ['status']]);
    await pool().query(`UPDATE webhooks SET status = 'disabled' WHERE id = $1`, [id]);
    expect(await change('disabled')).toBe('accepted');
    expect((await getWebhook(actor, id)).status).toBe('disabled');
  });

  test('the secret gives another one', async () => {
    const { actor } = await createTestIdentity();
    const { secret, id } = await addWebhook(actor, url);
    const rotated = webhookWithSecretSchema.parse(await rotateSecret(actor, id));
    expect(rotated.secret).not.toBe(secret);
  });

  test('or deleting that of another identity finds nothing', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const { id, secret: _, ...webhook } = await addWebhook(two.actor, url);
    const none = { code: 'not_found' };
    for (const webhookId of [id, unknownId]) {
      await expect(getWebhook(one.actor, webhookId)).rejects.toMatchObject(none);
      await expect(updateWebhook(one.actor, { webhookId, description: 'x' })).rejects.toMatchObject(none);
      await expect(rotateSecret(one.actor, webhookId)).rejects.toMatchObject(none);
      await expect(deleteWebhook(one.actor, webhookId)).rejects.toMatchObject(none);
    }
    expect(await getWebhook(two.actor, id)).toEqual({ id, ...webhook });
    await deleteWebhook(two.actor, id);
    expect(await listWebhooks(two.actor)).toEqual({ webhooks: [], count: 0 });
  });

  test('a webhook is deleted at once, and its deliveries by a job', async () => {
    const { actor, identityId } = await createTestIdentity();
    const [gone, kept] = [await addWebhook(actor, url), await addWebhook(actor, url)];
    const { id: deliveryId } = await testWebhook(actor, gone.id, 'customer.created');
    await testWebhook(actor, kept.id, 'customer.created');
    await removeDeliveries({ identityId, id: gone.id });
    expect(await getDelivery(actor, gone.id, deliveryId)).toMatchObject({ id: deliveryId });
    await deleteWebhook(actor, gone.id);
    await expect(getDelivery(actor, gone.id, deliveryId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(listDeliveries(actor, listDeliveriesInput.parse({ webhookId: gone.id }))).rejects.toMatchObject({
      code: 'not_found',
    });
    const left = () => queryAsOwner('SELECT webhook_id AS id FROM webhook_deliveries WHERE identity_id = $1', [identityId]);
    expect(await left()).toHaveLength(2);
    await removeDeliveries({ identityId, id: gone.id });
    expect(await left()).toEqual([{ id: kept.id }]);
    expect((await findJob(removeJob, gone.id))?.payload).toEqual({ identityId, id: gone.id });
  });

  test('an address that was allowed once keeps its other settings changeable', async () => {
    const { actor } = await createTestIdentity();
    const { id: webhookId } = await createWebhook(actor, { url, events: ['*'], description: '' });
    await pool().query(`UPDATE webhooks SET url = 'http://10.0.0.1/' WHERE id = $1`, [webhookId]);
    expect(await updateWebhook(actor, { webhookId, url: 'http://10.0.0.1/', status: 'paused' })).toMatchObject({
      status: 'paused',
    });
  });
});
