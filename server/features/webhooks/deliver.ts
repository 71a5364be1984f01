import type { LookupFunction } from 'node:net';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { DeliveryKey } from '@/server/features/events/emit.service';
import type { EventRecord } from '@/server/features/events/event.schema';
import { findEvent } from '@/server/features/events/event-log.service';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { enqueue } from './delivery-queue';
import { nextDelay } from './retry-schedule';
import { type Outcome, sendEvent } from './send-event';
import type { WebhookRecord } from './webhook.schema';
import { disableWebhook, recordFailure, recordSuccess, systemFor } from './webhook-health';

/**
 * One attempt of a delivery. Everything follows from the delivery's row, which is read again: a job that runs twice, late, or after a
 * kill between sending and recording does no harm, except that the event may be sent twice (at least once). What came of an attempt
 * and the job of the next one are one transaction.
 */

interface DueRow {
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  webhookId: string;
  webhookStatus: WebhookRecord['status'];
  url: string;
  secrets: string[];
  position: string | null;
  seq: string | null;
  testEvent: EventRecord | null;
  /** Seconds until the attempt is due. */
  wait: number;
}

async function readDue({ identityId, deliveryId }: DeliveryKey): Promise<DueRow | undefined> {
  const [due] = await rows<DueRow>(pool(), {
    name: 'delivery-due',
    text: `SELECT d.status, d.attempts, w.id AS "webhookId", w.status AS "webhookStatus", w.url, d.event_position::text AS position,
        d.event_seq::text AS seq, d.test_event AS "testEvent",
        CASE WHEN w.old_secret_until > now() THEN ARRAY[w.secret, w.old_secret] ELSE ARRAY[w.secret] END AS secrets,
        coalesce(extract(epoch FROM d.next_attempt_at - now()), 0)::float8 AS wait
      FROM webhook_deliveries d JOIN webhooks w ON w.identity_id = d.identity_id AND w.id = d.webhook_id
      WHERE d.identity_id = $1 AND d.id = $2 AND EXISTS (SELECT 1 FROM ${identities} i WHERE i.id = d.identity_id)`,
    values: [identityId, deliveryId],
  });
  return due;
}

/** Attempts made a little early, by another clock, are as good. */
const earlySeconds = 1;

interface DeliverOptions {
  /** The server stops: the attempt is left to another one. */
  signal?: AbortSignal | undefined;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction | undefined;
}

/** Makes the next attempt of a delivery, if it is due and its webhook active. Idempotent. */
export async function deliver(key: DeliveryKey, options: DeliverOptions = {}): Promise<void> {
  const due = await readDue(key);
  if (due?.status !== 'pending' || due.webhookStatus === 'paused') return;
  if (due.webhookStatus === 'disabled') return giveUp(key, disabledError);
  if (due.wait > earlySeconds)
    return transaction(systemFor(key.identityId), (client) => enqueue(client, key.identityId, [key.deliveryId]));
  const event = due.testEvent ?? (await findEvent(key.identityId, { position: due.position ?? '', seq: due.seq ?? '' }));
  if (!event) return giveUp(key, 'The event is no longer kept.');
  const startedAt = new Date();
  const outcome = await sendEvent(event, due, options);
  await transaction(systemFor(key.identityId), (client) => record(client, key, due, startedAt, outcome));
}

export const disabledError = 'The webhook is disabled.';

async function giveUp({ identityId, deliveryId }: DeliveryKey, error: string): Promise<void> {
  await pool().query({
    name: 'delivery-give-up',
    text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, error = $3, updated_at = now()
      WHERE identity_id = $1 AND id = $2 AND status = 'pending'`,
    values: [identityId, deliveryId, error],
  });
}

/** Records an attempt, and what follows from it. */
async function record(
  client: pg.PoolClient,
  { identityId, deliveryId }: DeliveryKey,
  due: DueRow,
  startedAt: Date,
  outcome: Outcome,
): Promise<void> {
  const { status, answer, error, durationMs } = outcome;
  const [delivery] = await rows<{ attempts: number; status: DueRow['status'] }>(client, {
    name: 'delivery-lock',
    text: 'SELECT attempts, status FROM webhook_deliveries WHERE identity_id = $1 AND id = $2 FOR NO KEY UPDATE',
    values: [identityId, deliveryId],
  });
  // Deleted meanwhile, with its webhook.
  if (!delivery) return;
  await client.query({
    name: 'delivery-attempt',
    text: `INSERT INTO webhook_attempts (id, identity_id, delivery_id, started_at, duration_ms, http_status, answer, error)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [uuidv7(), identityId, deliveryId, startedAt, durationMs, status, answer, error],
  });
  const webhook = { identityId, id: due.webhookId, url: due.url };
  await (error === null ? recordSuccess(client, webhook, durationMs) : recordFailure(client, webhook));
  const isGone = status === 410 && (await disableWebhook(client, webhook, 'gone'));
  // Another run has recorded an attempt since, or it was queued again: the row follows from that.
  if (delivery.status !== 'pending' || delivery.attempts !== due.attempts) return;
  const attempts = due.attempts + 1;
  const delay = error === null || isGone ? null : nextDelay(attempts, outcome.askedWait);
  await client.query({
    name: 'delivery-record',
    text: `UPDATE webhook_deliveries SET attempts = $3, error = $4, next_attempt_at = now() + make_interval(secs => $5), updated_at = now(),
        status = (CASE WHEN $4::text IS NULL THEN 'delivered' WHEN $5::float8 IS NULL THEN 'failed' ELSE 'pending' END)::delivery_status
      WHERE identity_id = $1 AND id = $2`,
    values: [identityId, deliveryId, attempts, error, delay],
  });
  if (delay !== null) await enqueue(client, identityId, [deliveryId]);
}
