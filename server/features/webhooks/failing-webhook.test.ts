import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { pool } from '@/server/platform/db/pool';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createsCustomer, deliveringTo, jobsOf, makeDue } from '@/server/testing/deliveries';
import { type Receiver, startReceiver } from '@/server/testing/webhook-receiver';
import { lanesJob, resumeJob } from './delivery-queue';
import { getWebhook, updateWebhook } from './webhook.service';
import { resumeDeliveries } from './webhook-jobs.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith(204);
});

test('the deliveries of a webhook that fails are in one queue after all others, until it answers', async () => {
  const all = await deliveringTo(receiver);
  const first = await createsCustomer(all);
  for (let n = 0; n < 6; n++) await createCustomer(all.actor, createCustomerInput.parse({ contacts: [{ email: `p${n}@x.io` }] }));
  const waiting = (await all.deliveries()).filter(({ id }) => id !== first.id);
  const places = async () =>
    (await Promise.all(waiting.map(jobsOf))).flat().map(({ queue, priority }) => [queue.split(':').at(-1), priority]);
  const settle = () => resumeDeliveries({ identityId: all.actor.identityId, id: all.webhook.id });
  const jobs = async () => {
    const { rows } = await pool().query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [`${lanesJob}:${all.webhook.id}`]);
    return rows.length;
  };
  const spread = await places();
  expect(new Set(spread.map(([lane]) => lane)).size).toBe(5);
  expect(spread.every(([, priority]) => priority === 0)).toBe(true);

  receiver.answerWith(503);
  await all.attempt(first);
  expect(await jobs()).toBe(1);
  await settle();
  expect(await places()).toEqual(waiting.map(() => ['0', 10]));
  const late = await createsCustomer(all);
  expect(await jobsOf(late)).toMatchObject([{ queue: expect.stringMatching(/:0$/), priority: 10 }]);

  receiver.answerWith(204);
  await makeDue(first);
  await all.attempt(first);
  await settle();
  expect(await places()).toEqual(spread);
});

test('a delivery that is being made is left to whoever makes it', async () => {
  const all = await deliveringTo(receiver);
  const delivery = await createsCustomer(all);
  await queryAsOwner(`UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'someone' WHERE key = $1`, [
    `deliver-webhook:${delivery.id}`,
  ]);
  await resumeDeliveries({ identityId: all.actor.identityId, id: all.webhook.id });
  expect(await jobsOf(delivery)).toHaveLength(1);
});

test('what an old address answers is nothing about the new one', async () => {
  const all = await deliveringTo(receiver);
  const [one, two] = [await createsCustomer(all), await createsCustomer(all)];
  receiver.answerWith(async (_request, response) => {
    await updateWebhook(all.actor, { webhookId: all.webhook.id, url: `${receiver.url}/${receiver.received.length}` });
    response.writeHead(receiver.received.length === 1 ? 410 : 500).end();
  });
  await all.attempt(one);
  await all.attempt(two);
  expect(await getWebhook(all.actor, all.webhook.id)).toMatchObject({ status: 'active', failingSince: null });
  // Both are sent again, to the new URL.
  for (const delivery of [one, two]) expect(await all.read(delivery)).toMatchObject({ status: 'pending', attemptCount: 1 });
});

test('a new URL puts what waits back into all queues', async () => {
  const all = await deliveringTo(receiver);
  const delivery = await createsCustomer(all);
  receiver.answerWith(503);
  await all.attempt(delivery);
  expect(await jobsOf(delivery)).toMatchObject([{ priority: 10 }]);
  await updateWebhook(all.actor, { webhookId: all.webhook.id, url: `${receiver.url}/new` });
  const { rows } = await pool().query('SELECT 1 FROM graphile_worker.jobs WHERE key = $1', [`${resumeJob}:${all.webhook.id}`]);
  expect(rows).toHaveLength(1);
  await resumeDeliveries({ identityId: all.actor.identityId, id: all.webhook.id });
  expect(await jobsOf(delivery)).toMatchObject([{ priority: 0 }]);
});
