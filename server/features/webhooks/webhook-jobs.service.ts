import { deliverJob } from '@/server/features/events/emit.service';
import { pool } from '@/server/platform/db/pool';
import { inBatches, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { everyMinutes, StandingJob } from '@/server/platform/jobs/job';
import { deliver, disabledError } from './deliver';
import { enqueue, giveUpJob, lanesJob, removeJob, resumeJob, type WebhookKey } from './delivery-queue';
import { systemFor, watchHealth } from './webhook-health';

/** Deliveries per transaction. */
const batchSize = 500;

/** Schedules all deliveries of a webhook that wait, by its health. Repeatable; one that is being made is looked at once more after that. */
export async function resumeDeliveries({ identityId, id }: WebhookKey, signal?: AbortSignal): Promise<void> {
  let after = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    signal?.throwIfAborted();
    const page = await rows<{ time: string; id: string }>(pool(), {
      name: 'deliveries-waiting',
      text: `SELECT created_at::text AS time, id FROM webhook_deliveries
        WHERE identity_id = $1 AND webhook_id = $2 AND status = 'pending' AND (created_at, id) > ($3::timestamptz, $4::uuid)
        ORDER BY created_at, id LIMIT ${batchSize}`,
      values: [identityId, id, after.time, after.id],
    });
    const ids = page.map((row) => row.id);
    await transaction(systemFor(identityId), (client) => enqueue(client, identityId, ids));
    const last = page.at(-1);
    if (!last || page.length < batchSize) return;
    after = last;
  }
}

/** Gives up the deliveries that wait for a disabled webhook; ends if it is activated meanwhile. */
export async function giveUpDeliveries({ identityId, id }: WebhookKey, signal?: AbortSignal): Promise<void> {
  await inBatches(
    async (client, size) => {
      // The batch as an array: planned as a join, it could be looked for again for each row.
      const { rowCount } = await client.query({
        name: 'deliveries-give-up',
        text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, error = $3, updated_at = now()
          WHERE identity_id = $1 AND id = ANY (ARRAY(
            SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.identity_id = d.identity_id AND w.id = d.webhook_id
            WHERE d.identity_id = $1 AND d.webhook_id = $2 AND d.status = 'pending' AND w.status = 'disabled' LIMIT $4
          )) AND status = 'pending'`,
        values: [identityId, id, disabledError, size],
      });
      return rowCount ?? 0;
    },
    { batchSize, signal },
  );
}

/** Removes what a deleted webhook has left. */
export async function removeDeliveries({ identityId, id }: WebhookKey, signal?: AbortSignal): Promise<void> {
  const condition = `identity_id = $1 AND webhook_id = $2 AND NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.identity_id = $1 AND w.id = $2)`;
  await removeInBatches({ table: 'webhook_deliveries', condition, values: [identityId, id], signal });
}

export const webhookJobs = [
  // Each attempt may take 15 s.
  deliverJob.handledBy(({ payload, signal }) => deliver(payload, { signal })),
  lanesJob.handledBy(({ payload, signal }) => resumeDeliveries(payload, signal)),
  resumeJob.handledBy(({ payload, signal }) => resumeDeliveries(payload, signal)),
  giveUpJob.handledBy(({ payload, signal }) => giveUpDeliveries(payload, signal)),
  removeJob.handledBy(({ payload, signal }) => removeDeliveries(payload, signal)),
  new StandingJob('watch-webhooks', everyMinutes(5), watchHealth),
];

/** Removes deliveries and attempts of events that are no longer kept. */
export async function removeOldDeliveries(signal?: AbortSignal): Promise<void> {
  const values = [env().EVENT_RETENTION_DAYS];
  const isOld = (time: string) => `${time} < now() - make_interval(days => $1)`;
  await removeInBatches({ table: 'webhook_attempts', condition: isOld('started_at'), values, signal });
  // One that was queued again late has attempts to come.
  const isOver = `(status <> 'pending' OR next_attempt_at IS NULL OR ${isOld('next_attempt_at')})`;
  await removeInBatches({ table: 'webhook_deliveries', condition: `${isOld('created_at')} AND ${isOver}`, values, signal });
}
