import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { EventRecord } from '@/server/features/events/event.schema';
import { findEvent } from '@/server/features/events/event-log.service';
import type { IdentityActor } from '@/server/platform/actor';
import { countingLimit, listWhole } from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { enqueue } from './delivery-queue';
import { exampleEvent, isReadable, requireReadable } from './event-types.service';
import type {
  AttemptRecord,
  DeliveryDetail,
  DeliveryList,
  DeliveryRecord,
  ListDeliveriesInput,
  WebhookRecord,
} from './webhook.schema';

/** Columns of a delivery `d`, named as the API names them. */
const columns = `d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.event_type AS "eventType", d.test_event IS NOT NULL AS "isTest",
  d.status, d.attempts AS "attemptCount", d.next_attempt_at AS "nextAttemptAt", d.error, d.revision, d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;

export interface LockedWebhook {
  status: WebhookRecord['status'];
  events: string[];
}

/**
 * Keeps a webhook from being disabled or deleted until the transaction ends, for what its deliveries are queued for.
 * @throws AppError not_found; conflict for a disabled one
 */
export async function lockForDeliveries(client: pg.PoolClient, identityId: string, webhookId: string): Promise<LockedWebhook> {
  const [webhook] = await rows<LockedWebhook>(client, {
    name: 'webhook-for-deliveries',
    text: 'SELECT status, events FROM webhooks WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [identityId, webhookId],
  });
  if (!webhook) throw notFound();
  if (webhook.status === 'disabled') throw new AppError('conflict', 'This webhook is disabled. Activate it first.');
  return webhook;
}

async function requireWebhook(identityId: string, webhookId: string): Promise<void> {
  const found = await rows(pool(), {
    name: 'webhook-exists',
    text: 'SELECT 1 FROM webhooks WHERE identity_id = $1 AND id = $2',
    values: [identityId, webhookId],
  });
  if (found.length === 0) throw notFound();
}

type CountedRow = DeliveryRecord & { matches: number };

/** A page of a webhook's deliveries, newest first. @throws AppError not_found */
export async function listDeliveries(
  { identityId }: IdentityActor,
  { webhookId, status, limit, offset, cursor }: ListDeliveriesInput,
): Promise<DeliveryList> {
  await requireWebhook(identityId, webhookId);
  const key = ['deliveries', identityId, webhookId, status ?? null];
  const position = positionOf(key, { cursor, offset });
  const scope = (alias: string) =>
    `${alias}.identity_id = $1 AND ${alias}.webhook_id = $2${status ? ` AND ${alias}.status = $3::delivery_status` : ''}`;
  const matches = `(SELECT count(*)::int FROM (SELECT 1 FROM webhook_deliveries m WHERE ${scope('m')} LIMIT ${countingLimit + 1}) counted)`;
  const select = `SELECT ${columns}, ${matches} AS matches FROM webhook_deliveries d WHERE ${scope('d')}`;
  const values = [identityId, webhookId, ...(status ? [status] : [])];
  const found = await listWhole<CountedRow>({ alias: 'd', time: 'created_at', select, values }, { limit, offset, position });
  const total = position?.matches ?? found.page[0]?.matches ?? (await countMatches(matches, values));
  return {
    deliveries: found.page,
    count: found.page.length,
    total: Math.min(total, countingLimit),
    totalIsExact: total <= countingLimit,
    hasMore: found.hasMore,
    nextCursor: nextCursorOf(key, { ...found, matches: total }, (row) => row.createdAt, position?.before ?? offset),
  };
}

async function countMatches(matches: string, values: unknown[]): Promise<number> {
  const [row] = await rows<{ matches: number }>(pool(), { text: `SELECT ${matches} AS matches`, values });
  return row?.matches ?? 0;
}

interface DetailRow extends DeliveryRecord {
  position: string | null;
  seq: string | null;
  testEvent: EventRecord | null;
}

/** Attempts of a delivery that are shown; only one that is replayed often has more. */
const shownAttempts = 100;

export const deliveryVersion: RecordVersion<{ webhookId: string; deliveryId: string }, DeliveryDetail> = {
  lock: (db, { identityId }, { webhookId, deliveryId }) =>
    lockRevision(db, {
      name: 'delivery-revision',
      text: `SELECT revision FROM webhook_deliveries
        WHERE identity_id = $1::uuid AND webhook_id = $2::uuid AND id = $3::uuid FOR NO KEY UPDATE`,
      values: [identityId, webhookId, deliveryId],
    }),
  others: ({ event }) => event === null,
};

/** A delivery; without its event, if that is no longer kept or not for this key to read. @throws AppError not_found */
export async function getDelivery(actor: IdentityActor, webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
  const { identityId } = actor;
  const [row] = await rows<DetailRow>(pool(), {
    name: 'delivery-get',
    isoTimes: true,
    text: `SELECT ${columns}, d.event_position::text AS position, d.event_seq::text AS seq, d.test_event AS "testEvent"
      FROM webhook_deliveries d JOIN webhooks w ON w.identity_id = d.identity_id AND w.id = d.webhook_id
      WHERE d.identity_id = $1 AND d.webhook_id = $2 AND d.id = $3`,
    values: [identityId, webhookId, deliveryId],
  });
  if (!row) throw notFound();
  const { position, seq, testEvent, ...delivery } = row;
  const attempts = await rows<AttemptRecord>(pool(), {
    name: 'delivery-attempts',
    isoTimes: true,
    text: `SELECT id, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS status, answer, error FROM webhook_attempts
      WHERE identity_id = $1 AND delivery_id = $2 ORDER BY started_at DESC, id DESC LIMIT ${shownAttempts}`,
    values: [identityId, deliveryId],
  });
  const event = testEvent ?? (position && seq ? await findEvent(identityId, { position, seq }) : null);
  return { ...delivery, event: event && isReadable(actor, event.type) ? event : null, attempts };
}

async function readDelivery(db: Queryable, identityId: string, deliveryId: string): Promise<DeliveryRecord> {
  const [row] = await rows<DeliveryRecord>(db, {
    name: 'delivery-read',
    isoTimes: true,
    text: `SELECT ${columns} FROM webhook_deliveries d WHERE d.identity_id = $1 AND d.id = $2`,
    values: [identityId, deliveryId],
  });
  if (!row) throw notFound();
  return row;
}

/** Sets deliveries back to their beginning; the condition is on `d`, and `$1` is the identity. */
export function requeueStatement(condition: string): string {
  return `UPDATE webhook_deliveries d SET status = 'pending', attempts = 0, next_attempt_at = now(), error = NULL, updated_at = now()
    WHERE d.identity_id = $1 AND ${condition} RETURNING d.id`;
}

/**
 * Queues one delivery again, as if it had never been tried.
 * @throws AppError not_found; conflict for that of a disabled webhook; insufficient_scope for an event of what the actor may not read
 */
export async function replayDelivery(actor: IdentityActor, webhookId: string, deliveryId: string): Promise<DeliveryRecord> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    await lockForDeliveries(client, identityId, webhookId);
    const replayed = await rows(client, {
      name: 'delivery-replay',
      text: requeueStatement('d.webhook_id = $2 AND d.id = $3'),
      values: [identityId, webhookId, deliveryId],
    });
    if (replayed.length === 0) throw notFound();
    await enqueue(client, identityId, [deliveryId]);
    await requireReadableEvent(client, actor, deliveryId);
    return readDelivery(client, identityId, deliveryId);
  });
}

/**
 * Requires that an actor may read the event of a delivery. That of a test is made up.
 * @throws AppError insufficient_scope
 */
async function requireReadableEvent(db: Queryable, actor: IdentityActor, deliveryId: string): Promise<void> {
  const found = await rows<{ type: string }>(db, {
    name: 'delivery-event-type',
    text: `SELECT event_type AS type FROM webhook_deliveries
      WHERE identity_id = $1 AND id = $2 AND event_position IS NOT NULL`,
    values: [actor.identityId, deliveryId],
  });
  requireReadable(
    actor,
    found.map(({ type }) => type),
  );
}

/**
 * Sends an example of a type of event to a webhook, by a delivery like any other.
 * @throws AppError invalid_request for an unknown type; not_found; conflict for a disabled webhook
 */
export async function testWebhook(actor: IdentityActor, webhookId: string, type: string): Promise<DeliveryRecord> {
  const { identityId } = actor;
  const event = exampleEvent(type, { id: uuidv7(), createdAt: new Date().toISOString() });
  return transaction(actor, async (client) => {
    await lockForDeliveries(client, identityId, webhookId);
    const id = uuidv7();
    await client.query({
      name: 'delivery-test',
      text: `INSERT INTO webhook_deliveries (id, identity_id, webhook_id, event_id, event_type, test_event, next_attempt_at)
        VALUES ($1, $2, $3, $4, $5, $6, now())`,
      values: [id, identityId, webhookId, event.id, type, JSON.stringify(event)],
    });
    await enqueue(client, identityId, [id]);
    return readDelivery(client, identityId, id);
  });
}
