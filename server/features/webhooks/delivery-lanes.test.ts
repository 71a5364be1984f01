import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { pool } from '@/server/platform/db/pool';
import { lanes } from '@/server/platform/jobs/job';
import { startJobs } from '@/server/platform/jobs/worker';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { within } from '@/server/testing/patience';
import { addWebhook, startReceiver } from '@/server/testing/webhook-receiver';
import { webhookJobs } from './webhook-jobs.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const [identities, webhooksEach, events] = [20, 10, 6];

/** An identity with ten webhooks, each with an address of its own. */
async function createWebhooks(url: string, n: number): Promise<TestIdentity> {
  const identity = await createTestIdentity();
  for (let m = 0; m < webhooksEach; m++) await addWebhook(identity.actor, `${url}/${n}/${m}`);
  return identity;
}

const newCustomer = (actor: TestIdentity['actor'], n: number) =>
  createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: `p${n}@x.io` }] }));

test(
  'of 200 webhooks, one that hangs gets five requests at a time and delays none of the others',
  async () => {
    const receiver = await startReceiver();
    const hanging = '/0/0';
    // When its requests came, by `performance.now()`.
    const hung: number[] = [];
    receiver.answerWith((request, response) => {
      if (request.url === hanging) hung.push(performance.now());
      else response.end();
    });
    const all: TestIdentity[] = [];
    for (let n = 0; n < identities; n++) all.push(await createWebhooks(receiver.url, n));
    // The one that hangs has many waiting events, before those of the others.
    for (const [n, { actor }] of all.entries()) {
      for (let m = 0; m < (n === 0 ? 4 * events : events); m++) {
        await newCustomer(actor, m);
      }
    }
    const expected = (identities - 1) * webhooksEach * events + (webhooksEach - 1) * 4 * events;
    const startedAt = performance.now();
    const stop = await startJobs(webhookJobs);
    const delivered = () => receiver.received.filter(({ path }) => path !== hanging);
    await expect.poll(() => delivered().length, { timeout: within(15), interval: 50 }).toBe(expected);
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(`${expected} deliveries took ${seconds.toFixed(1)} s beside a webhook that hangs\n`);
    // After 15 seconds, when these end, others begin.
    expect(hung.filter((at) => at < (hung[0] ?? 0) + 14_000)).toHaveLength(5);
    await stop();
    await receiver.close();
  },
  within(40),
);

test(
  'twenty webhooks that answer slowly delay none of the others',
  async () => {
    const receiver = await startReceiver();
    const held: ServerResponse[] = [];
    receiver.answerWith((request, response) => {
      if (request.url?.startsWith('/quick')) response.end();
      else held.push(response);
    });
    const slow = [await createWebhooks(receiver.url, 0), await createWebhooks(receiver.url, 1)];
    for (const { identityId } of slow)
      await pool().query('UPDATE webhooks SET is_slow = true WHERE identity_id = $1', [identityId]);
    const { actor } = await createTestIdentity();
    await addWebhook(actor, `${receiver.url}/quick`);
    // More than all slots, before those of the other one.
    for (const { actor: theirs } of slow) for (let n = 0; n < events; n++) await newCustomer(theirs, n);
    for (let n = 0; n < events; n++) await newCustomer(actor, n);
    const stop = await startJobs(webhookJobs);
    try {
      const count = (path: string) => receiver.received.filter((each) => each.path.startsWith(path)).length;
      await expect.poll(() => count('/quick'), { timeout: within(10), interval: 50 }).toBe(events);
      await expect.poll(() => held.length, { timeout: within(10), interval: 50 }).toBe(lanes.slow.slots);
    } finally {
      receiver.answerWith(204);
      for (const response of held) response.end();
      await stop();
      await receiver.close();
    }
  },
  within(30),
);
