import type pg from 'pg';
import { eventLog } from '@/server/features/events/event.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { invalidFields } from '@/server/platform/errors';
import { lockForDeliveries, requeueStatement } from './delivery.service';
import { enqueue } from './delivery-queue';
import { isReadable, readableTypes, typesMatching } from './event-types.service';
import type { Recovered, RecoverInput } from './webhook.schema';

/** Deliveries that one call queues; what is left is found by the next one. */
const recoveredMaximum = 1_000;

const dayMs = 86_400_000;

/**
 * Queues again what failed since a time, or what was never queued: events of a time in which the webhook was paused or disabled, or did
 * not exist.
 * @throws AppError invalid_request for a time before the oldest kept event; not_found; conflict for a disabled webhook
 */
export async function recoverDeliveries(actor: IdentityActor, { webhookId, since, only }: RecoverInput): Promise<Recovered> {
  const { identityId } = actor;
  const days = env().EVENT_RETENTION_DAYS;
  if (Date.parse(since) < Date.now() - days * dayMs) {
    throw invalidFields({ since: `must be at most ${days} days ago, since events are not kept for longer` });
  }
  return transaction(actor, async (client) => {
    const { events } = await lockForDeliveries(client, identityId, webhookId);
    const ids =
      only === 'failed'
        ? await requeueFailed(client, [identityId, webhookId, since, recoveredMaximum, readableTypes(actor)])
        : await addMissing(client, [identityId, webhookId, since, recoveredMaximum, readable(actor, events)]);
    await enqueue(client, identityId, ids);
    return { queued: ids.length, hasMore: ids.length === recoveredMaximum };
  });
}

/** The types of a webhook's events that an actor may read: more may have been added by others. */
function readable(actor: IdentityActor, events: readonly string[]): string[] {
  return typesMatching(events).filter((type) => isReadable(actor, type));
}

async function requeueFailed(client: pg.PoolClient, values: unknown[]): Promise<string[]> {
  const found = await rows<{ id: string }>(client, {
    name: 'deliveries-recover-failed',
    text: requeueStatement(`d.id = ANY (ARRAY(SELECT f.id FROM webhook_deliveries f
      WHERE f.identity_id = $1 AND f.webhook_id = $2 AND f.status = 'failed' AND f.created_at >= $3::timestamptz
        AND (f.event_type = ANY ($5::text[]) OR f.event_position IS NULL)
      ORDER BY f.created_at, f.id LIMIT $4))`),
    values,
  });
  return found.map(({ id }) => id);
}

/** One that is added at the same moment by another call is left to that one. */
async function addMissing(client: pg.PoolClient, values: unknown[]): Promise<string[]> {
  const found = await rows<{ id: string }>(client, {
    name: 'deliveries-recover-missing',
    text: `INSERT INTO webhook_deliveries (id, identity_id, webhook_id, event_id, event_type, event_position, event_seq, next_attempt_at)
      SELECT gen_random_uuid(), $1, $2, e.id, e.type, e.position, e.seq, now() FROM ${eventLog} e
      WHERE e.identity_id = $1 AND e.created_at >= $3::timestamptz AND e.type = ANY ($5::text[]) AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.identity_id = $1 AND d.webhook_id = $2 AND d.event_id = e.id)
      ORDER BY e.position, e.seq LIMIT $4
      ON CONFLICT (identity_id, webhook_id, event_id) DO NOTHING RETURNING id`,
    values,
  });
  return found.map(({ id }) => id);
}
