import type pg from 'pg';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { dueAt, scheduleDelivery } from './delivery-job';
import { dueTimes } from './due-times';
import {
  type NotificationKind,
  type NotificationSettings,
  notificationKinds,
  type StoredChannels,
  type UpdateNotificationSettingsInput,
} from './notification.schema';
import { countBrowsers } from './push.service';
import { channelsOf, clockOf, quietHoursOf, type SettingsRow, settingsColumns } from './settings.record';
import { vapidKeys } from './vapid';

/** How a member is notified by the business that they work for. */

type PersonActor = SessionActor & IdentityActor;

async function readSettings(db: Queryable, { identityId, userId }: PersonActor): Promise<SettingsRow> {
  const [row] = await rows<SettingsRow>(db, {
    name: 'notification-settings',
    text: `SELECT ${settingsColumns} FROM ${users} u LEFT JOIN notification_settings s ON s.identity_id = $1 AND s.user_id = u.id WHERE u.id = $2`,
    values: [identityId, userId],
  });
  if (!row) throw new Error('The account of a session is there.');
  return row;
}

export async function getNotificationSettings(actor: PersonActor): Promise<NotificationSettings> {
  const row = await readSettings(pool(), actor);
  return {
    channels: channelsOf(row),
    quietHours: quietHoursOf(row),
    timeZone: row.timeZone,
    canSendMail: canSendMail(),
    push: { publicKey: vapidKeys().publicKey, ...(await countBrowsers(actor)) },
  };
}

function merged(stored: StoredChannels, changes: UpdateNotificationSettingsInput['channels'] = {}): StoredChannels {
  const kinds = notificationKinds.filter((kind) => stored[kind] || changes[kind]);
  return Object.fromEntries(kinds.map((kind) => [kind, { ...stored[kind], ...changes[kind] }]));
}

/** Changes the given settings, also for what waits to be mailed or pushed. */
export async function updateNotificationSettings(
  actor: PersonActor,
  { channels, quietHours }: UpdateNotificationSettingsInput,
): Promise<NotificationSettings> {
  const { identityId, userId } = actor;
  await transaction(actor, async (client) => {
    await client.query({
      name: 'notification-settings-add',
      text: 'INSERT INTO notification_settings (identity_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [identityId, userId],
    });
    await client.query({
      name: 'notification-settings-lock',
      text: 'SELECT 1 FROM notification_settings WHERE identity_id = $1 AND user_id = $2 FOR UPDATE',
      values: [identityId, userId],
    });
    const before = await readSettings(client, actor);
    const quiet = quietHours === undefined ? quietHoursOf(before) : quietHours;
    const after = {
      ...before,
      channels: merged(before.channels, channels),
      quietFrom: quiet?.from ?? null,
      quietTo: quiet?.to ?? null,
    };
    await client.query({
      name: 'notification-settings-change',
      text: 'UPDATE notification_settings SET channels = $3, quiet_from = $4, quiet_to = $5 WHERE identity_id = $1 AND user_id = $2',
      values: [identityId, userId, JSON.stringify(after.channels), after.quietFrom, after.quietTo],
    });
    await reschedule(client, actor, after);
  });
  return getNotificationSettings(actor);
}

interface PendingRow {
  id: string;
  kind: NotificationKind;
  isMailed: boolean;
  isPushed: boolean;
  now: Date;
}

/** Gives what waits the times that follow from new settings. What a channel did not get at first, it does not get later. */
async function reschedule(client: pg.PoolClient, { identityId, userId }: PersonActor, settings: SettingsRow): Promise<void> {
  const pending = await rows<PendingRow>(client, {
    name: 'notifications-pending',
    text: `SELECT id, kind, mail_due_at IS NOT NULL AS "isMailed", push_due_at IS NOT NULL AS "isPushed",
        clock_timestamp() AS now
      FROM notifications WHERE identity_id = $1 AND user_id = $2 AND ${dueAt} IS NOT NULL ORDER BY id LIMIT 1000 FOR UPDATE`,
    values: [identityId, userId],
  });
  if (pending.length === 0) return;
  const channels = channelsOf(settings);
  const times = pending.map(({ id, kind, isMailed, isPushed, now }) => {
    const { mail, push } = dueTimes(channels[kind], clockOf(settings), now.getTime());
    const timeOf = (time: number | null) => (time === null ? null : new Date(time));
    return { id, mailDueAt: isMailed ? timeOf(mail) : null, pushDueAt: isPushed ? timeOf(push) : null };
  });
  await client.query({
    name: 'notifications-reschedule',
    text: `UPDATE notifications n SET mail_due_at = g."mailDueAt", push_due_at = g."pushDueAt"
      FROM json_to_recordset($2::json) AS g(id uuid, "mailDueAt" timestamptz, "pushDueAt" timestamptz)
      WHERE n.identity_id = $1 AND n.id = g.id`,
    values: [identityId, JSON.stringify(times)],
  });
  await scheduleDelivery(client, identityId, [userId]);
}
