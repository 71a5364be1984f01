import type { LookupFunction } from 'node:net';
import type pg from 'pg';
import { identities, memberships, users } from '@/server/platform/auth/accounts.sql';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { sendAccountMail } from '../outbox/account-mail.service';
import { dueAt, type MemberKey, scheduleDelivery } from './delivery-job';
import { afterQuietHours } from './due-times';
import type { NotificationKind } from './notification.schema';
import { notificationPath } from './notification-path';
import { countText, notificationsMail } from './notification-texts';
import type { PushMessage } from './push';
import { pushToPerson } from './push.service';
import { clockOf, type SettingsRow, settingsColumns } from './settings.record';

/**
 * Mails and pushes what is due for one member. Everything follows from the rows: the job may run twice, late, or again after a kill at any
 * line. An email is written to the outbox in the transaction that marks its notifications as mailed, so nothing is mailed twice. Pushes
 * are sent after that commit, and never again.
 */

interface MemberRow extends SettingsRow {
  email: string;
  language: string;
  business: string;
}

/** Locks the account, since its emails of all businesses have one limit. Undefined for a person who is no member any more. */
async function lockMember(client: pg.PoolClient, { identityId, userId }: MemberKey): Promise<MemberRow | undefined> {
  const [member] = await rows<MemberRow>(client, {
    name: 'notification-member',
    text: `SELECT u.email, u.language, coalesce(nullif(i.display_name, ''), i.handle) AS business, ${settingsColumns}
      FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id JOIN ${identities} i ON i.id = m.identity_id
        LEFT JOIN notification_settings s ON s.identity_id = m.identity_id AND s.user_id = m.user_id
      WHERE m.identity_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE OF u`,
    values: [identityId, userId],
  });
  return member;
}

interface Clock {
  now: Date;
  /** When this person was last mailed notifications, by any business. */
  lastMailedAt: Date | null;
}

/** In a statement of its own: one that waits for a lock has the time, and sees what was there, before it waited. */
async function readClock(client: pg.PoolClient, userId: string): Promise<Clock> {
  const [clock] = await rows<Clock>(client, {
    name: 'notification-clock',
    text: `SELECT clock_timestamp() AS now, (SELECT max(mailed_at) FROM notifications WHERE user_id = $1 AND mailed_at IS NOT NULL) AS "lastMailedAt"`,
    values: [userId],
  });
  if (!clock) throw new Error('A statement without a table has one row.');
  return clock;
}

interface DueRow {
  id: string;
  title: string;
  kind: NotificationKind;
  conversationId: string | null;
  isMailDue: boolean;
  isPushDue: boolean;
}

/** Notifications that one run takes; the job is added again for the rest. */
const batchSize = 500;

function readDue(client: pg.PoolClient, { identityId, userId }: MemberKey, now: Date): Promise<DueRow[]> {
  return rows<DueRow>(client, {
    name: 'notifications-take',
    text: `SELECT id, sent_title AS title, kind, conversation_id AS "conversationId", coalesce(mail_due_at <= $3, false) AS "isMailDue",
        coalesce(push_due_at <= $3, false) AS "isPushDue"
      FROM notifications WHERE identity_id = $1 AND user_id = $2 AND ${dueAt} <= $3 ORDER BY id LIMIT ${batchSize} FOR UPDATE`,
    values: [identityId, userId, now],
  });
}

/** Milliseconds between two emails to one person; what is due meanwhile is in the second. */
const mailInterval = 60_000;

/** Notes what happens with due notifications: done at `now`, or due again at `later`. */
async function settle(
  client: pg.PoolClient,
  identityId: string,
  channel: 'mail' | 'push',
  due: readonly DueRow[],
  { doneAt, later }: { doneAt: Date | null; later: Date | null },
): Promise<void> {
  if (due.length === 0) return;
  const done = channel === 'mail' ? 'mailed_at' : 'pushed_at';
  await client.query({
    name: `notifications-settle-${channel}`,
    text: `UPDATE notifications SET ${channel}_due_at = $4, ${done} = coalesce($3, ${done}) WHERE identity_id = $1 AND id = ANY ($2::uuid[])`,
    values: [identityId, due.map(({ id }) => id), doneAt, later],
  });
}

/** Pushes that appear one by one; more of them are one that counts them. */
const pushedMaximum = 3;

function pushesOf(language: Language, business: string, due: readonly DueRow[]): PushMessage[] {
  if (due.length > pushedMaximum) {
    return [{ title: countText(language, due.length), body: business, path: '/', tag: due[0]?.id ?? '' }];
  }
  return due.map(({ id, title, ...about }) => ({ title, body: business, path: notificationPath(about), tag: id }));
}

/** The transaction of a run. @returns what to push once it has committed */
async function takeDue(client: pg.PoolClient, key: MemberKey, at: Date | undefined): Promise<PushMessage[]> {
  const { identityId, userId } = key;
  const member = await lockMember(client, key);
  if (!member) return [];
  const clock = await readClock(client, userId);
  const now = at ?? clock.now;
  const due = await readDue(client, key, now);
  const mails = due.filter(({ isMailDue }) => isMailDue);
  const pushes = due.filter(({ isPushDue }) => isPushDue);
  // Quiet hours may have been set, or the time zone changed, since these became due.
  const quietUntil = new Date(afterQuietHours(now.getTime(), clockOf(member)));
  const nextMail = new Date((clock.lastMailedAt?.getTime() ?? 0) + mailInterval);
  const mailTime = nextMail > quietUntil ? nextMail : quietUntil;
  const isMailed = mailTime <= now;
  const isPushed = quietUntil <= now;
  if (isMailed && mails.length > 0) {
    const wasWritten = await sendAccountMail(client, {
      to: member.email,
      ...notificationsMail(languageOf(member), member.business, mails),
    });
    await settle(client, identityId, 'mail', mails, { doneAt: wasWritten ? now : null, later: null });
  } else {
    await settle(client, identityId, 'mail', mails, { doneAt: null, later: mailTime });
  }
  await settle(client, identityId, 'push', pushes, { doneAt: isPushed ? now : null, later: isPushed ? null : quietUntil });
  await scheduleDelivery(client, identityId, [userId]);
  return isPushed ? pushesOf(languageOf(member), member.business, pushes) : [];
}

interface DeliverOptions {
  /** The server stops. */
  signal?: AbortSignal | undefined;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction | undefined;
  /** The current time, only in tests. */
  at?: Date;
}

/** Mails and pushes what is due for a member, and adds the job of what is due later. Repeatable. */
export async function deliverNotifications(key: MemberKey, { at, ...options }: DeliverOptions = {}): Promise<void> {
  const messages = await transaction({ kind: 'system', cause: 'delivery' }, (client) => takeDue(client, key, at));
  if (messages.length > 0) await pushToPerson(key.userId, messages, options);
}
