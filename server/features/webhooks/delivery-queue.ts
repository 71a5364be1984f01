import { deliverJob, failingPriority, lanesPerWebhook } from '@/server/features/events/emit.service';
import type { Queryable } from '@/server/platform/db/sql';
import { rows } from '@/server/platform/db/sql';
import type { StatementRunner } from '@/server/platform/db/transaction';
import { jobKeys } from '@/server/platform/jobs/queue.sql';

/**
 * Jobs of deliveries. Each has the key of its delivery and one of five queues of its webhook, as `emit_events` gives it. Those of a webhook
 * that fails are in one queue and after all others, so that webhooks which hang do not take the places of those which answer.
 */

export interface WebhookKey {
  identityId: string;
  id: string;
}

export interface DeliveryKey {
  identityId: string;
  deliveryId: string;
}

/** Goes on with the deliveries of a webhook that wait for it. */
export const resumeJob = 'resume-webhook';
/** Puts the deliveries of a webhook into the queues for its health. */
export const lanesJob = 'change-webhook-lanes';
/** Gives up the deliveries of a disabled webhook. */
export const giveUpJob = 'give-up-deliveries';
/** Removes the deliveries of a deleted webhook. */
export const removeJob = 'remove-deliveries';

/** The queue of a delivery's jobs, as an expression of its row `d` and its webhook's `w`. Test events have no number. */
const lane = `'${deliverJob}:' || w.id || ':' || CASE WHEN w.failing_since IS NULL THEN coalesce(d.event_seq, 0) % ${lanesPerWebhook} ELSE 0 END`;

/** A delivery's job in the form of `add_jobs`. */
const job = `json_populate_record(NULL::graphile_worker.job_spec, json_build_object('identifier', '${deliverJob}',
  'payload', json_build_object('identityId', d.identity_id, 'deliveryId', d.id), 'job_key', '${deliverJob}:' || d.id, 'queue_name', ${lane},
  'priority', CASE WHEN w.failing_since IS NULL THEN 0 ELSE ${failingPriority} END, 'run_at', coalesce(d.next_attempt_at, now())))`;

/** Adds the jobs of these deliveries, which replace waiting ones; each runs when the delivery's attempt is due. */
export async function enqueue(db: StatementRunner, identityId: string, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  await db.query({
    name: 'deliveries-enqueue',
    text: `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT ${job} FROM webhook_deliveries d JOIN webhooks w ON w.identity_id = d.identity_id AND w.id = d.webhook_id
      WHERE d.identity_id = $1::uuid AND d.id = ANY ($2::uuid[])))`,
    values: [identityId, deliveryIds],
  });
}

/** One job for a webhook at a time, in so many seconds. */
async function addWebhookJob(db: StatementRunner, job: string, { identityId, id }: WebhookKey, delay = 0): Promise<void> {
  await db.query({
    name: 'webhook-job-add',
    text: 'SELECT graphile_worker.add_job($1::text, $2::json, job_key := $3::text, run_at := now() + make_interval(secs => $4))',
    values: [job, JSON.stringify({ identityId, id }), `${job}:${id}`, delay],
  });
}

/** Seconds until deliveries follow a change of their webhook's health, so that one that fails now and then does not move them each time. */
const settling = 5;

export const resumeLater = (db: StatementRunner, webhook: WebhookKey) => addWebhookJob(db, resumeJob, webhook);
/** Gives the waiting deliveries of a webhook that begins or ceases to fail the queues for that. */
export const changeLanesLater = (db: StatementRunner, webhook: WebhookKey) => addWebhookJob(db, lanesJob, webhook, settling);
export const giveUpLater = (db: StatementRunner, webhook: WebhookKey) => addWebhookJob(db, giveUpJob, webhook);
export const removeLater = (db: StatementRunner, webhook: WebhookKey) => addWebhookJob(db, removeJob, webhook);

/** Deliveries that have been due for this long without an attempt may have lost their job. */
const lostAfter = '5 minutes';

/** Deliveries whose job is missing, oldest attempt first. */
export async function findWithoutJob(db: Queryable, limit: number): Promise<{ identity_id: string; id: string }[]> {
  return rows(db, {
    name: 'deliveries-without-job',
    text: `SELECT d.identity_id, d.id FROM webhooks w
      JOIN webhook_deliveries d ON d.identity_id = w.identity_id AND d.webhook_id = w.id AND d.status = 'pending'
      WHERE w.status = 'active' AND d.next_attempt_at < now() - $2::interval AND NOT EXISTS (
        SELECT 1 FROM ${jobKeys} j WHERE j.key = '${deliverJob}:' || d.id
      ) ORDER BY d.next_attempt_at LIMIT $1`,
    values: [limit, lostAfter],
  });
}
