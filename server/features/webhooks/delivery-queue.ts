import { deliverJob } from '@/server/features/events/emit.service';
import type { StatementRunner } from '@/server/platform/db/transaction';
import { JobKind } from '@/server/platform/jobs/job';

/** Jobs of webhooks, and of their deliveries. */

export interface WebhookKey {
  identityId: string;
  id: string;
}

/** Goes on with the deliveries of a webhook that wait for it. */
export const resumeJob = new JobKind<WebhookKey>('resume-webhook');
/** Puts the deliveries of a webhook into the lane for its health and speed. */
export const lanesJob = new JobKind<WebhookKey>('change-webhook-lanes');
/** Gives up the deliveries of a disabled webhook. */
export const giveUpJob = new JobKind<WebhookKey>('give-up-deliveries');
/** Removes the deliveries of a deleted webhook. */
export const removeJob = new JobKind<WebhookKey>('remove-deliveries');

/** Schedules these deliveries, each for when its attempt is due, as `emit_events` does. */
export async function enqueue(db: StatementRunner, identityId: string, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  await db.query({
    name: 'deliveries-enqueue',
    text: `SELECT schedule_job($3, ($4::text[])[lane], id::text, jsonb_build_object('identityId', $1::uuid, 'deliveryId', id),
        next_attempt_at, webhook_id::text)
      FROM (
        SELECT d.id, d.webhook_id, d.next_attempt_at, CASE WHEN w.failing_since IS NOT NULL THEN 2 WHEN w.is_slow THEN 3 ELSE 1 END AS lane
        FROM webhook_deliveries d JOIN webhooks w ON w.identity_id = d.identity_id AND w.id = d.webhook_id
        WHERE d.identity_id = $1::uuid AND d.id = ANY ($2::uuid[]) ORDER BY d.id
      ) due`,
    values: [identityId, deliveryIds, deliverJob.kind, deliverJob.lanes],
  });
}

/** Schedules a job of a webhook. */
const later =
  (job: JobKind<WebhookKey>, inSeconds = 0) =>
  (db: StatementRunner, { identityId, id }: WebhookKey) =>
    job.schedule(db, { key: id, payload: { identityId, id }, inSeconds });

/** Seconds until deliveries follow a change of their webhook's health, so that one that fails now and then does not move them each time. */
const settling = 5;

export const resumeLater = later(resumeJob);
/** Moves the waiting deliveries of a webhook that begins or ceases to fail, or to be slow, to the lane for that. */
export const changeLanesLater = later(lanesJob, settling);
export const giveUpLater = later(giveUpJob);
export const removeLater = later(removeJob);
