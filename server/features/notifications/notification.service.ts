import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Author, IdentityActor, SessionActor } from '@/server/platform/actor';
import { memberships, users } from '@/server/platform/auth/accounts.sql';
import { beyondNewest, pageOf } from '@/server/platform/db/newest-first';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { mergedConversations } from '../conversations/conversation.sql';
import { scheduleDelivery } from './delivery-job';
import { dueTimes } from './due-times';
import type {
  ListNotificationsInput,
  MarkNotificationsInput,
  NotificationKind,
  NotificationList,
  NotificationRecord,
} from './notification.schema';
import { channelsOf, clockOf, type SettingsRow, settingsColumns } from './settings.record';

/** Notifications of members: written in the transaction of their cause, listed, and marked as read (docs/adr/0030). */

type PersonActor = SessionActor & IdentityActor;

export interface Notice {
  identityId: string;
  kind: NotificationKind;
  /** Accounts. Those that are no members, and the author, are left out. */
  recipients: readonly string[];
  conversationId: string | null;
  /** One line without any text of a message; cut after 200 characters. */
  title: (language: Language) => string;
  /** The cause. Each member is notified of it once. */
  dedupeKey: string;
}

const titleLength = 200;

function shortened(title: string): string {
  const line = [...title.replace(/\s+/g, ' ').trim()];
  return line.length <= titleLength ? line.join('') : `${line.slice(0, titleLength - 1).join('')}…`;
}

interface Recipient extends SettingsRow {
  userId: string;
  language: string;
  now: Date;
}

/** Memberships are locked, so that none of them ends before the notification that refers to it is there. */
async function findRecipients(client: pg.PoolClient, { identityId, recipients }: Notice, author: Author): Promise<Recipient[]> {
  const others = recipients.filter((userId) => author.kind !== 'session' || userId !== author.userId);
  if (others.length === 0) return [];
  return rows<Recipient>(client, {
    name: 'notification-recipients',
    text: `SELECT m.user_id AS "userId", u.language, clock_timestamp() AS now, ${settingsColumns}
      FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id
        LEFT JOIN notification_settings s ON s.identity_id = m.identity_id AND s.user_id = m.user_id
      WHERE m.identity_id = $1 AND m.user_id = ANY ($2::uuid[]) ORDER BY m.user_id FOR KEY SHARE OF m`,
    values: [identityId, others],
  });
}

/**
 * Notifies members, each as they have chosen, if the transaction succeeds.
 * @param client the open transaction of the cause
 * @param author who caused it; not notified of it
 */
export async function notify(client: pg.PoolClient, notice: Notice, author: Author): Promise<void> {
  const { identityId, kind, conversationId, dedupeKey } = notice;
  const recipients = await findRecipients(client, notice, author);
  const written = recipients.flatMap((recipient) => {
    const channels = channelsOf(recipient)[kind];
    const isPushed = channels.push && recipient.hasBrowser;
    const { mail, push } = dueTimes({ ...channels, push: isPushed }, clockOf(recipient), recipient.now.getTime());
    if (!channels.inApp && mail === null && push === null) return [];
    const [mailDueAt, pushDueAt] = [mail, push].map((time) => (time === null ? null : new Date(time)));
    const title = shortened(notice.title(languageOf(recipient)));
    return [{ id: uuidv7(), userId: recipient.userId, title, inApp: channels.inApp, mailDueAt, pushDueAt }];
  });
  if (written.length === 0) return;
  const added = await rows<{ userId: string }>(client, {
    name: 'notifications-add',
    text: `INSERT INTO notifications (id, identity_id, user_id, kind, title, sent_title, conversation_id, dedupe_key, in_app, mail_due_at, push_due_at)
      SELECT g.id, $1, g."userId", $2::notification_kind, $3, g.title, $4, $5, g."inApp", g."mailDueAt", g."pushDueAt"
      FROM json_to_recordset($6::json)
        AS g(id uuid, "userId" uuid, title text, "inApp" boolean, "mailDueAt" timestamptz, "pushDueAt" timestamptz)
      ON CONFLICT (identity_id, user_id, dedupe_key) DO NOTHING RETURNING user_id AS "userId"`,
    values: [identityId, kind, shortened(notice.title('en')), conversationId, dedupeKey, JSON.stringify(written)],
  });
  await scheduleDelivery(
    client,
    identityId,
    added.map(({ userId }) => userId),
  );
}

/** Removes the notifications of a cause that is no longer true; what was mailed stays mailed. */
export async function withdrawNotifications(client: pg.PoolClient, identityId: string, dedupeKey: string): Promise<void> {
  await client.query({
    name: 'notifications-withdraw',
    text: 'DELETE FROM notifications WHERE identity_id = $1 AND dedupe_key = $2',
    values: [identityId, dedupeKey],
  });
}

/** Removes the notifications about permanently deleted conversations. */
export async function withdrawConversationNotifications(
  client: pg.PoolClient,
  identityId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await client.query({
    name: 'notifications-withdraw-conversations',
    text: 'DELETE FROM notifications WHERE identity_id = $1 AND conversation_id = ANY($2::uuid[])',
    values: [identityId, conversationIds],
  });
}

/** A member's own notifications, newest first, paged. */
export async function listNotifications(
  { identityId, userId }: PersonActor,
  { limit, before }: ListNotificationsInput,
): Promise<NotificationList> {
  const found = await rows<NotificationRecord>(pool(), {
    name: 'notifications-list',
    isoTimes: true,
    text: `SELECT id, kind, title, conversation_id AS "conversationId", read_at IS NOT NULL AS "isRead", created_at AS "createdAt"
      FROM notifications WHERE identity_id = $1 AND user_id = $2 AND in_app AND id < $3 ORDER BY id DESC LIMIT $4`,
    values: [identityId, userId, before ?? beyondNewest, limit + 1],
  });
  const { page: notifications, next } = pageOf(found, limit);
  return { notifications, next };
}

const countingLimit = 100;

/** How many a member has not read, counted up to 100. */
export async function countUnread({ identityId, userId }: PersonActor): Promise<{ unread: number }> {
  const [counted] = await rows<{ unread: number }>(pool(), {
    name: 'notifications-unread',
    text: `SELECT count(*)::int AS unread FROM (
        SELECT 1 FROM notifications WHERE identity_id = $1 AND user_id = $2 AND read_at IS NULL AND in_app LIMIT ${countingLimit}
      ) counted`,
    values: [identityId, userId],
  });
  return { unread: counted?.unread ?? 0 };
}

/** Of a conversation, or of one that became part of it. */
const ofConversation = `(conversation_id = $3 OR conversation_id IN (
  SELECT id FROM ${mergedConversations} merged WHERE identity_id = $1 AND conversation_id = $3))`;

/** Marks a member's own notifications as read. What has not been mailed or pushed yet no longer is. */
export async function markNotificationsRead(actor: PersonActor, { ids, conversationId }: MarkNotificationsInput): Promise<void> {
  const { identityId, userId } = actor;
  const [name, condition, value] = ids
    ? ['ids', 'id = ANY ($3::uuid[])', ids]
    : conversationId
      ? ['conversation', ofConversation, conversationId]
      : ['all', 'in_app', undefined];
  await transaction(actor, (client) =>
    client.query({
      name: `notifications-read-${name}`,
      text: `UPDATE notifications SET read_at = now(), mail_due_at = NULL, push_due_at = NULL
        WHERE identity_id = $1 AND user_id = $2 AND read_at IS NULL AND ${condition}`,
      values: [identityId, userId, ...(value === undefined ? [] : [value])],
    }),
  );
}
