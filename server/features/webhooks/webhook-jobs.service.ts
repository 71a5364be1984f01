import { deliverJob } from '@/server/features/events/emit.service';
import { pool } from '@/server/platform/db/pool';
import { inBatches, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { runningJobKeys } from '@/server/platform/jobs/queue.sql';
import { removeIdleQueues } from '@/server/platform/jobs/queue-tables';
import type { JobDefinitions } from '@/server/platform/jobs/worker';
import { log } from '@/server/platform/log';
import { deliver, disabledError } from './deliver';
import {
  type DeliveryKey,
  enqueue,
  findWithoutJob,
  giveUpJob,
  lanesJob,
  removeJob,
  resumeJob,
  type WebhookKey,
} from './delivery-queue';
import { systemFor, watchHealth } from './webhook-health';

/** Deliveries per transaction. */
const batchSize = 500;

/** Adds the jobs of all deliveries of a webhook that wait. Repeatable: a job replaces that of the same delivery, unless that one is running. */
export async function resumeDeliveries({ identityId, id }: WebhookKey, signal?: AbortSignal): Promise<void> {
  let after = { time: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    signal?.throwIfAborted();
    const page = await rows<{ time: string; id: string }>(pool(), {
      name: 'deliveries-waiting',
      text: `SELECT created_at::text AS time, id FROM webhook_deliveries
        WHERE identity_id = $1 AND webhook_id = $2 AND status = 'pending' AND (created_at, id) > ($3::timestamptz, $4::uuid)
          AND NOT EXISTS (SELECT 1 FROM ${runningJobKeys} j WHERE j.key = '${deliverJob}:' || webhook_deliveries.id)
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

/** Adds the jobs of deliveries that have lost theirs: to an operator who cleared the queue, or to a fault. */
export async function sweepDeliveries(): Promise<void> {
  const lost = await findWithoutJob(pool(), 1_000);
  for (const identityId of new Set(lost.map(({ identity_id }) => identity_id))) {
    const ids = lost.filter(({ identity_id }) => identity_id === identityId).map(({ id }) => id);
    await transaction(systemFor(identityId), (client) => enqueue(client, identityId, ids));
  }
  if (lost.length > 0) log().warn({ deliveries: lost.length }, 'deliveries without a job were queued again');
}

/** Attempts, each of which may take 15 s. */
export const deliveryJobs: JobDefinitions = {
  tasks: { [deliverJob]: (payload, { abortSignal }) => deliver(payload as DeliveryKey, { signal: abortSignal }) },
  crontab: [],
  slots: 'outbound',
};

export const webhookJobs: JobDefinitions = {
  tasks: {
    [lanesJob]: (payload, { abortSignal }) => resumeDeliveries(payload as WebhookKey, abortSignal),
    [resumeJob]: (payload, { abortSignal }) => resumeDeliveries(payload as WebhookKey, abortSignal),
    [giveUpJob]: (payload, { abortSignal }) => giveUpDeliveries(payload as WebhookKey, abortSignal),
    [removeJob]: (payload, { abortSignal }) => removeDeliveries(payload as WebhookKey, abortSignal),
    'watch-webhooks': watchHealth,
    'sweep-deliveries': sweepDeliveries,
  },
  crontab: ['*/5 * * * * watch-webhooks', '*/10 * * * * sweep-deliveries'],
  removeExpired: async (signal) => {
    const values = [env().EVENT_RETENTION_DAYS];
    const isOld = (time: string) => `${time} < now() - make_interval(days => $1)`;
    await removeInBatches({ table: 'webhook_attempts', condition: isOld('started_at'), values, signal });
    // One that was queued again late has attempts to come.
    const isOver = `(status <> 'pending' OR next_attempt_at IS NULL OR ${isOld('next_attempt_at')})`;
    await removeInBatches({ table: 'webhook_deliveries', condition: `${isOld('created_at')} AND ${isOver}`, values, signal });
    await removeIdleQueues(deliverJob);
  },
};
