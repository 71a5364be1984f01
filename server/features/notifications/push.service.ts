import { ECDH } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { serialize } from '@/server/platform/db/serialize';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { checkDestination } from '@/server/platform/fetch/guarded-connection';
import { OutboundRefused } from '@/server/platform/fetch/outbound-error';
import { log } from '@/server/platform/log';
import type { PushSubscriptionInput } from './notification.schema';
import { type PushMessage, type PushOptions, type PushOutcome, type PushTarget, sendPush } from './push';

/** The browsers in which people are notified. Each belongs to the session that added it, and ends with it. */

type PersonActor = SessionActor & IdentityActor;

/** Of one person; a further one replaces the oldest. */
const browsersMaximum = 10;

function isPublicKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1').length > 0;
  } catch {
    return false;
  }
}

/** @throws AppError invalid_request for what no browser gives */
async function checkSubscription({ endpoint, keys }: PushSubscriptionInput): Promise<void> {
  if (!isPublicKey(keys.p256dh)) throw invalidFields({ 'keys.p256dh': 'is not a public key of the curve P-256' });
  try {
    await checkDestination(endpoint);
  } catch (error) {
    if (error instanceof OutboundRefused) throw invalidFields({ endpoint: `can’t be used: ${error.message}` });
    throw error;
  }
}

/**
 * Adds the browser of this session, or replaces what it has given before.
 * @throws AppError invalid_request for an address that no request may be sent to, or a key that can't be used; conflict for the
 *   browser of another person
 */
export async function subscribeBrowser(actor: PersonActor, input: PushSubscriptionInput): Promise<void> {
  await checkSubscription(input);
  const { userId, sessionId } = actor;
  const { endpoint, keys } = input;
  await transaction(actor, async (client) => {
    await serialize(client, 'push-subscriptions', userId);
    // The browser may have another address now, or have been another person's; its secret shows that it is the same.
    await client.query({
      name: 'push-subscription-replace',
      text: 'DELETE FROM push_subscriptions WHERE session_id = $1 OR (endpoint = $2 AND (user_id = $3 OR auth = $4))',
      values: [sessionId, endpoint, userId, keys.auth],
    });
    const { rowCount } = await client.query({
      name: 'push-subscription-add',
      text: `INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (endpoint) DO NOTHING`,
      values: [uuidv7(), userId, sessionId, endpoint, keys.p256dh, keys.auth],
    });
    if (rowCount === 0) throw new AppError('conflict', 'This browser belongs to another account.');
    await client.query({
      name: 'push-subscriptions-limit',
      text: `DELETE FROM push_subscriptions WHERE user_id = $1 AND id NOT IN (
        SELECT id FROM push_subscriptions WHERE user_id = $1 ORDER BY id DESC LIMIT ${browsersMaximum})`,
      values: [userId],
    });
  });
}

/** Ends the notifications in the browser of this session. */
export async function unsubscribeBrowser(actor: PersonActor): Promise<void> {
  await transaction(actor, (client) =>
    client.query({
      name: 'push-subscription-remove',
      text: 'DELETE FROM push_subscriptions WHERE user_id = $1 AND session_id = $2',
      values: [actor.userId, actor.sessionId],
    }),
  );
}

interface BrowserRow extends PushTarget {
  id: string;
  sessionId: string;
}

async function findBrowsers(userId: string): Promise<BrowserRow[]> {
  return rows<BrowserRow>(pool(), {
    name: 'push-subscriptions',
    text: `SELECT id, session_id AS "sessionId", endpoint, p256dh, auth FROM push_subscriptions
      WHERE user_id = $1 ORDER BY id LIMIT ${browsersMaximum}`,
    values: [userId],
  });
}

/** How many browsers a person has added, and whether this session's is one. */
export async function countBrowsers({ userId, sessionId }: PersonActor): Promise<{ browsers: number; isOnHere: boolean }> {
  const found = await findBrowsers(userId);
  return { browsers: found.length, isOnHere: found.some((browser) => browser.sessionId === sessionId) };
}

/** Sends to one browser, and forgets it if it is gone. */
async function pushTo({ id, ...target }: BrowserRow, message: PushMessage, options: PushOptions): Promise<PushOutcome> {
  const outcome = await sendPush(target, message, options);
  if (outcome.isGone) {
    await pool().query({ name: 'push-subscription-gone', text: 'DELETE FROM push_subscriptions WHERE id = $1', values: [id] });
  } else if (outcome.error !== null) {
    log().info({ host: new URL(target.endpoint).hostname, reason: outcome.error }, 'a push notification was not taken');
  }
  return outcome;
}

/** Sends messages to all browsers of a person, once each: what a push service does not take is not sent again. */
export async function pushToPerson(userId: string, messages: readonly PushMessage[], options: PushOptions): Promise<void> {
  const browsers = await findBrowsers(userId);
  await Promise.all(browsers.flatMap((browser) => messages.map((message) => pushTo(browser, message, options))));
}

/** Sends to the browser of a session. @returns null if it has none */
export async function pushToSession(
  { userId, sessionId }: PersonActor,
  message: PushMessage,
  options: PushOptions = {},
): Promise<PushOutcome | null> {
  const browser = (await findBrowsers(userId)).find((each) => each.sessionId === sessionId);
  return browser ? pushTo(browser, message, options) : null;
}
