import { randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { deliver } from '@/server/features/webhooks/deliver';
import { getDelivery, listDeliveries } from '@/server/features/webhooks/delivery.service';
import { type DeliveryRecord, listDeliveriesInput } from '@/server/features/webhooks/webhook.schema';
import { pool } from '@/server/platform/db/pool';
import { createTestIdentity } from './identity';
import { addWebhook } from './webhook-receiver';

/** An identity with a webhook, whose attempts are made by calling what the job calls. */
export async function deliveringTo({ url }: { url: string }) {
  const { actor, owner } = await createTestIdentity();
  const webhook = await addWebhook(actor, url);
  return {
    actor,
    owner,
    webhook,
    attempt: ({ id }: DeliveryRecord, lookup?: LookupFunction) =>
      deliver({ identityId: actor.identityId, deliveryId: id }, { lookup }),
    read: ({ id }: DeliveryRecord) => getDelivery(actor, webhook.id, id),
    deliveries: async () => (await listDeliveries(actor, listDeliveriesInput.parse({ webhookId: webhook.id }))).deliveries,
  };
}

/** Creates a customer, and returns the delivery of that. */
export async function createsCustomer({ actor, deliveries }: Awaited<ReturnType<typeof deliveringTo>>): Promise<DeliveryRecord> {
  await createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: `${randomUUID()}@x.io` }] }));
  const [delivery] = await deliveries();
  if (!delivery) throw new Error('no delivery was added');
  return delivery;
}

/** Makes the next attempt due. */
export async function makeDue({ id }: DeliveryRecord): Promise<void> {
  await pool().query("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = $1 AND status = 'pending'", [id]);
}

/** The waiting jobs of a delivery. */
export async function jobsOf({ id }: DeliveryRecord): Promise<{ queue: string; seconds: number; priority: number }[]> {
  const { rows } = await pool().query(
    `SELECT queue_name AS queue, extract(epoch FROM run_at - now())::float8 AS seconds, priority FROM graphile_worker.jobs
      WHERE key = 'deliver-webhook:' || $1`,
    [id],
  );
  return rows;
}
