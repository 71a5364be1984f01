import type pg from 'pg';
import { change, emit } from '@/server/features/events/emit.service';
import { notifyOwners } from '@/server/features/outbox/account-mail.service';
import { webhookDisabledMail, webhookFailingMail } from '@/server/features/outbox/account-notices.service';
import type { SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { log } from '@/server/platform/log';
import { changeLanesLater, giveUpLater, type WebhookKey } from './delivery-queue';
import { webhookEvents } from './webhook.events.schema';
import type { DisabledReason, WebhookRecord } from './webhook.schema';

/** What becomes of webhooks that fail (contract section 11). */

export function systemFor(identityId: string): SystemActor {
  return { kind: 'system', identityId, cause: 'webhooks' };
}

/** A webhook with the URL of an attempt. The outcome is not recorded for a webhook whose URL has changed since. */
export interface AttemptedWebhook extends WebhookKey {
  url: string;
}

/** A webhook is slow from an answer after the first time on, until one within the second; in milliseconds. */
const [slowAfter, fastWithin] = [3_000, 1_000];

/** Records that an attempt of a webhook succeeded. Changes nothing for one that was well and as fast, so that no row is written each time. */
export async function recordSuccess(client: pg.PoolClient, webhook: AttemptedWebhook, durationMs: number): Promise<void> {
  const { identityId, id, url } = webhook;
  const isSlow = durationMs > slowAfter || (durationMs > fastWithin ? null : false);
  const { rowCount } = await client.query({
    name: 'webhook-succeeds',
    text: `UPDATE webhooks SET failing_since = NULL, last_failure_at = NULL, warned_at = NULL, is_slow = coalesce($4, is_slow)
      WHERE identity_id = $1 AND id = $2 AND url = $3 AND (failing_since IS NOT NULL OR is_slow <> $4) AND status <> 'disabled'`,
    values: [identityId, id, url, isSlow],
  });
  if (rowCount) await changeLanesLater(client, { identityId, id });
}

/** Records that an attempt of a webhook failed. */
export async function recordFailure(client: pg.PoolClient, { identityId, id, url }: AttemptedWebhook): Promise<void> {
  const [failed] = await rows<{ isFirst: boolean }>(client, {
    name: 'webhook-fails',
    text: `UPDATE webhooks SET failing_since = coalesce(failing_since, now()), last_failure_at = now()
      WHERE identity_id = $1 AND id = $2 AND url = $3 AND status <> 'disabled' RETURNING failing_since = now()::timestamptz(3) AS "isFirst"`,
    values: [identityId, id, url],
  });
  if (failed?.isFirst) await changeLanesLater(client, { identityId, id });
}

const recordColumns = `id, url, events, description, status, failing_since AS "failingSince", revision, created_at AS "createdAt",
  updated_at AS "updatedAt", disabled_reason AS "disabledReason"`;

/**
 * Disables a webhook: its deliveries are given up, its owner gets a mail, and an event is written.
 * @returns false if its URL has changed since the attempt; true if it is disabled, also if it was already
 */
export async function disableWebhook(client: pg.PoolClient, key: AttemptedWebhook, reason: DisabledReason): Promise<boolean> {
  const { identityId, id } = key;
  const [webhook] = await rows<WebhookRecord>(client, {
    name: 'webhook-disable',
    isoTimes: true,
    text: `UPDATE webhooks SET status = 'disabled', disabled_reason = $3, updated_at = now()
      WHERE identity_id = $1 AND id = $2 AND url = $4 AND status <> 'disabled' RETURNING ${recordColumns}`,
    values: [identityId, id, reason, key.url],
  });
  if (!webhook) {
    const found = await rows(client, {
      name: 'webhook-is-disabled',
      text: `SELECT 1 FROM webhooks WHERE identity_id = $1 AND id = $2 AND status = 'disabled'`,
      values: [identityId, id],
    });
    return found.length > 0;
  }
  log().warn({ webhookId: id, reason }, 'a webhook was disabled');
  await giveUpLater(client, key);
  await notifyOwners(client, identityId, (language, business) => webhookDisabledMail(language, business, webhook.url, reason));
  await emit(client, systemFor(identityId), change({ kind: webhookEvents, type: 'webhook.disabled', id, object: webhook }));
  return true;
}

/** Failing for this long is told to the owner. */
const isLong = `failing_since < now() - interval '1 day'`;
/** Failing for this long disables. One that was tried only at the beginning may have been well since. */
const isTooLong = `failing_since < now() - interval '5 days' AND last_failure_at >= failing_since + interval '1 day'`;

const isDue = `status = 'active' AND ${isLong} AND (warned_at IS NULL OR (${isTooLong}))`;

/** Tells owners of webhooks that fail, and disables those that have failed for too long. Safe on several servers at once. */
export async function watchHealth(): Promise<void> {
  const due = await rows<{ identityId: string; id: string }>(pool(), {
    name: 'webhooks-failing',
    text: `SELECT identity_id AS "identityId", id FROM webhooks WHERE ${isDue} ORDER BY failing_since LIMIT 1000`,
    values: [],
  });
  for (const key of due) await transaction(systemFor(key.identityId), (client) => act(client, key));
}

async function act(client: pg.PoolClient, key: WebhookKey): Promise<void> {
  // With its lock, so that only one server acts, and only on what still fails.
  const [webhook] = await rows<{ url: string; isTooLong: boolean }>(client, {
    name: 'webhook-failing-lock',
    text: `SELECT url, ${isTooLong} AS "isTooLong" FROM webhooks WHERE identity_id = $1 AND id = $2 AND ${isDue} FOR NO KEY UPDATE`,
    values: [key.identityId, key.id],
  });
  if (!webhook) return;
  if (webhook.isTooLong) {
    await disableWebhook(client, { ...key, url: webhook.url }, 'failing');
    return;
  }
  await client.query({
    name: 'webhook-warned',
    text: 'UPDATE webhooks SET warned_at = now() WHERE identity_id = $1 AND id = $2',
    values: [key.identityId, key.id],
  });
  await notifyOwners(client, key.identityId, (language, business) => webhookFailingMail(language, business, webhook.url));
}
