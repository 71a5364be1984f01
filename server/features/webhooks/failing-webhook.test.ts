import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { createsCustomer, deliveringTo, jobOf, makeDue } from '@/server/testing/deliveries';
import { findJob } from '@/server/testing/jobs';
import { type Receiver, startReceiver } from '@/server/testing/webhook-receiver';
import { lanesJob, resumeJob } from './delivery-queue';
import { getWebhook, updateWebhook } from './webhook.service';
import { recordSuccess, systemFor } from './webhook-health';
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

test('the deliveries of a webhook that fails are in a lane of their own, until it answers', async () => {
  const all = await deliveringTo(receiver);
  const first = await createsCustomer(all);
  for (let n = 0; n < 6; n++) await createCustomer(all.actor, createCustomerInput.parse({ contacts: [{ email: `p${n}@x.io` }] }));
  const waiting = (await all.deliveries()).filter(({ id }) => id !== first.id);
  const places = async () => (await Promise.all(waiting.map(jobOf))).map((job) => [job?.lane, job?.destination]);
  const settle = () => resumeDeliveries({ identityId: all.actor.identityId, id: all.webhook.id });
  const usual = waiting.map(() => ['outbound', all.webhook.id]);
  expect(await places()).toEqual(usual);

  receiver.answerWith(503);
  await all.attempt(first);
  expect(await findJob(lanesJob, all.webhook.id)).toBeDefined();
  await settle();
  expect(await places()).toEqual(waiting.map(() => ['failing', all.webhook.id]));
  const late = await createsCustomer(all);
  expect(await jobOf(late)).toMatchObject({ lane: 'failing', destination: all.webhook.id });

  receiver.answerWith(204);
  await makeDue(first);
  await all.attempt(first);
  await settle();
  expect(await places()).toEqual(usual);
});

test('the deliveries of a webhook that answers slowly are in a lane of their own, until it is fast or has another address', async () => {
  const all = await deliveringTo(receiver);
  const { identityId } = all.actor;
  const { id, url } = all.webhook;
  const waiting = await createsCustomer(all);
  const answers = async (durationMs: number) => {
    await transaction(systemFor(identityId), (client) => recordSuccess(client, { identityId, id, url }, durationMs));
    await resumeDeliveries({ identityId, id });
    return [(await jobOf(waiting))?.lane, (await jobOf(await createsCustomer(all)))?.lane];
  };
  expect(await answers(2_999)).toEqual(['outbound', 'outbound']);
  expect(await findJob(lanesJob, id)).toBeUndefined();
  expect(await answers(3_001)).toEqual(['slow', 'slow']);
  expect(await findJob(lanesJob, id)).toBeDefined();
  expect(await answers(1_001)).toEqual(['slow', 'slow']);
  expect(await answers(999)).toEqual(['outbound', 'outbound']);
  await answers(3_001);
  await updateWebhook(all.actor, { webhookId: id, url: `${receiver.url}/new` });
  await resumeDeliveries({ identityId, id });
  expect(await jobOf(waiting)).toMatchObject({ lane: 'outbound' });
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

test('a new URL puts what waits back into the usual lane', async () => {
  const all = await deliveringTo(receiver);
  const delivery = await createsCustomer(all);
  receiver.answerWith(503);
  await all.attempt(delivery);
  expect(await jobOf(delivery)).toMatchObject({ lane: 'failing' });
  await updateWebhook(all.actor, { webhookId: all.webhook.id, url: `${receiver.url}/new` });
  expect(await findJob(resumeJob, all.webhook.id)).toBeDefined();
  await resumeDeliveries({ identityId: all.actor.identityId, id: all.webhook.id });
  expect(await jobOf(delivery)).toMatchObject({ lane: 'outbound' });
});
