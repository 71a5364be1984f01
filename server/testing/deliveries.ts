import { randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { deliverJob } from '@/server/features/events/emit.service';
import { deliver } from '@/server/features/webhooks/deliver';
import { getDelivery, listDeliveries } from '@/server/features/webhooks/delivery.service';
import { type DeliveryRecord, listDeliveriesInput } from '@/server/features/webhooks/webhook.schema';
import { pool } from '@/server/platform/db/pool';
import { createTestIdentity } from './identity';
import { findJob, type StoredJob } from './jobs';
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

/** The job of a delivery, and in how many seconds it is due. */
export async function jobOf({ id }: DeliveryRecord): Promise<(StoredJob & { seconds: number }) | undefined> {
  const job = await findJob(deliverJob, id);
  return job && { ...job, seconds: (job.dueAt.getTime() - Date.now()) / 1000 };
}
