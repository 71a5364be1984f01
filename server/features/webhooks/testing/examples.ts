import { pool } from '@/server/platform/db/pool';
import type { Examples } from '@/server/testing/examples';
import { testWebhook } from '../delivery.service';
import { createWebhookInput } from '../webhook.schema';
import { createWebhook } from '../webhook.service';

// An address, so that no name has to be resolved; nothing is sent there.
const webhook = { url: 'https://8.8.8.8/hook', events: ['webhook.*'] };

export const examples: Examples = {
  bodies: {
    'webhooks.create': webhook,
    'webhooks.update': { description: 'Changed' },
    'webhooks.test': { type: 'customer.created' },
    'webhooks.recover': { since: new Date(Date.now() - 3_600_000).toISOString(), only: 'failed' },
  },
  records: {
    parameters: ['webhookId', 'deliveryId'],
    async create({ actor }) {
      const { id: webhookId } = await createWebhook(actor, createWebhookInput.parse(webhook));
      return { webhookId, deliveryId: (await testWebhook(actor, webhookId, 'customer.created')).id };
    },
  },
  foreign: {
    'events.read': () => [{}, { types: 'customer.*' }],
    'events.history': () => [{}, { types: 'customer.*', limit: 100 }],
    'webhooks.deliveries': ({ webhookId }) => [{ webhookId, status: 'pending' }],
  },
  withoutRecords: ['webhooks.eventTypes'],
  async fill({ as, known: { marker }, words }) {
    const { id: webhookId } = await as.webhooks.create({ url: `https://8.8.8.8/${marker}`, events: ['*'], description: words });
    const { id: deliveryId } = await as.webhooks.test({ webhookId, type: 'customer.created' });
    // So that its answer shows the texts.
    await pool().query('UPDATE webhook_deliveries SET error = $2 WHERE id = $1', [deliveryId, words]);
    return { webhookId, deliveryId };
  },
  rows: [
    `INSERT INTO webhook_attempts (id, identity_id, delivery_id, started_at, duration_ms)
      SELECT gen_random_uuid(), $1, id, now(), 1 FROM webhook_deliveries WHERE identity_id = $1`,
  ],
  unaudited: ['webhook_attempts', 'webhook_deliveries'],
  rules: [
    { operation: /event-log$/, problem: /^after: is not a cursor/, why: 'only we write cursors' },
    { operation: /event-log$/, problem: /^types: /, why: 'refers to what is there' },
    { operation: /webhooks/, problem: /^(events|type): /, why: 'refers to what is there' },
    { operation: /webhooks/, problem: /^url: /, why: 'the rules of addresses are not those of a schema' },
    { operation: /webhooks/, problem: /^status: /, why: 'one may stay disabled, but not become it' },
    { operation: /recover$/, problem: /^since: /, why: 'events are kept for a time' },
  ],
};
