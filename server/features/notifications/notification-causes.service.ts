import type pg from 'pg';
import type { Author } from '@/server/platform/actor';
import { memberships } from '@/server/platform/auth/accounts.sql';
import { rows } from '@/server/platform/db/sql';
import { notify, withdrawNotifications } from './notification.service';
import { mailboxTitle, storageTitle, titleOf } from './notification-texts';

/** What members are notified of, and who is. Each is called in the transaction of its cause. */

interface ConversationRef {
  identityId: string;
  conversationId: string;
  subject: string;
}

interface Assigned extends ConversationRef {
  /** The member who has it now. */
  userId: string;
  /** What tells this assignment from an earlier one to the same member: when the conversation was last changed before it. */
  after: string;
}

/** A conversation was assigned to a member. */
export async function notifyAssigned(client: pg.PoolClient, about: Assigned, author: Author): Promise<void> {
  const { identityId, conversationId, userId, after } = about;
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'assigned', recipients: [userId] },
      title: titleOf('assigned', about),
      dedupeKey: `assigned:${conversationId}:${after}`,
    },
    author,
  );
}

interface Mentioned extends ConversationRef {
  noteId: string;
  userIds: readonly string[];
}

/** Members were mentioned in an internal note. */
export async function notifyMentioned(client: pg.PoolClient, about: Mentioned, author: Author): Promise<void> {
  const { identityId, conversationId, noteId, userIds } = about;
  const by = author.kind === 'session' ? (author.name ?? null) : null;
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'mentioned', recipients: userIds },
      title: titleOf('mentioned', { ...about, by }),
      dedupeKey: `mentioned:${noteId}`,
    },
    author,
  );
}

/** Members with one of these ids, which may be any text, or one of these roles in any case. */
async function findMembers(
  client: pg.PoolClient,
  identityId: string,
  { userIds = [], roles }: { userIds?: readonly string[]; roles: readonly string[] },
): Promise<string[]> {
  const found = await rows<{ userId: string }>(client, {
    name: 'notification-members',
    text: `SELECT user_id AS "userId" FROM ${memberships} m
      WHERE identity_id = $1 AND (user_id::text = ANY ($2::text[]) OR role::text = ANY ($3::text[]))`,
    values: [identityId, userIds.map((id) => id.toLowerCase()), roles.map((role) => role.trim().toLowerCase())],
  });
  return found.map(({ userId }) => userId);
}

/** The part of an escalation route that names people. */
interface Route {
  toUserId: string | null;
  toRole: string | null;
}

interface Escalated extends ConversationRef {
  /** The first levels of the agents in the conversation. */
  routes: readonly Route[];
  /** When the conversation was last changed before: an agent may ask again later. */
  after: string;
  /** Who asks; null if it is not known. */
  agentName: string | null;
}

/** An agent asks for people: those its routes name, else the owners. */
export async function notifyEscalation(client: pg.PoolClient, about: Escalated, author: Author): Promise<void> {
  const { identityId, conversationId, routes, after, agentName } = about;
  const userIds = routes.flatMap(({ toUserId }) => toUserId ?? []);
  const roles = routes.flatMap(({ toRole }) => toRole ?? []);
  const named = await findMembers(client, identityId, { userIds, roles });
  const recipients = named.length > 0 ? named : await findMembers(client, identityId, { roles: ['owner'] });
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'escalation', recipients },
      title: titleOf('escalation', { ...about, by: agentName }),
      dedupeKey: `escalation:${conversationId}:${after}`,
    },
    author,
  );
}

const failedEmailKey = (messageId: string) => `failed_email:${messageId}`;

interface FailedEmail extends ConversationRef {
  messageId: string;
  /** Members to whom it matters, such as who sent it; without any that still is one, owners and admins. */
  userIds: readonly string[];
}

/** An email could not be delivered. */
export async function notifyFailedEmail(client: pg.PoolClient, about: FailedEmail, author: Author): Promise<void> {
  const { identityId, conversationId, messageId, userIds } = about;
  const concerned = userIds.length === 0 ? [] : await findMembers(client, identityId, { userIds, roles: [] });
  const recipients = concerned.length > 0 ? concerned : await findMembers(client, identityId, { roles: ['owner', 'admin'] });
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'failed_email', recipients },
      title: titleOf('failed_email', about),
      dedupeKey: failedEmailKey(messageId),
    },
    author,
  );
}

/** An email is sent again: that it failed is no longer true, and it may fail once more. */
export async function withdrawFailedEmail(client: pg.PoolClient, identityId: string, messageId: string): Promise<void> {
  await withdrawNotifications(client, identityId, failedEmailKey(messageId));
}

interface CancelledEmail extends Omit<ConversationRef, 'conversationId'> {
  /** Null if it was deleted with the email. */
  conversationId: string | null;
  messageId: string;
  /** The member who wrote it; null if none did. */
  userId: string | null;
  cancelledBy: 'reply' | 'colleague';
}

/** An email is not sent after all, because the other side wrote first, or a colleague wanted it. */
export async function notifyCancelledEmail(client: pg.PoolClient, about: CancelledEmail, author: Author): Promise<void> {
  const { identityId, conversationId, messageId, userId, cancelledBy } = about;
  if (userId === null || (author.kind === 'session' && author.userId === userId)) return;
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'failed_email' },
      recipients: await findMembers(client, identityId, { userIds: [userId], roles: [] }),
      title: titleOf(cancelledBy === 'reply' ? 'cancelled_by_reply' : 'cancelled', about),
      dedupeKey: `cancelled:${messageId}`,
    },
    author,
  );
}

interface SnoozeEnded extends ConversationRef {
  userIds: readonly string[];
  until: Date;
}

/** A snoozed conversation is in the inbox again. */
export async function notifySnoozeEnded(client: pg.PoolClient, about: SnoozeEnded, author: Author): Promise<void> {
  const { identityId, conversationId, userIds, until } = about;
  await notify(
    client,
    {
      ...{ identityId, conversationId, kind: 'snooze_ended', recipients: userIds },
      title: titleOf('snooze_ended', about),
      dedupeKey: `snooze_ended:${conversationId}:${until.toISOString()}`,
    },
    author,
  );
}

interface NearlyFull {
  identityId: string;
  /** "2026-11": told once a month. */
  month: string;
  /** Per cent of the plan that is reached. */
  threshold: 80 | 100;
}

/** The storage of the plan is nearly full, or full: owners and admins can delete something. */
export async function notifyStorage(
  client: pg.PoolClient,
  { identityId, month, threshold }: NearlyFull,
  author: Author,
): Promise<void> {
  await notify(
    client,
    {
      ...{ identityId, conversationId: null, kind: 'storage' },
      recipients: await findMembers(client, identityId, { roles: ['owner', 'admin'] }),
      title: storageTitle(threshold),
      dedupeKey: `storage:${month}:${threshold}`,
    },
    author,
  );
}

const mailboxKey = (mailboxId: string) => `mailbox:${mailboxId}`;

interface FailingMailbox {
  identityId: string;
  mailboxId: string;
  address: string;
}

/** A mailbox can't be read: owners and admins can mend that. They are notified once, until it can be read again. */
export async function notifyFailingMailbox(
  client: pg.PoolClient,
  { identityId, mailboxId, address }: FailingMailbox,
  author: Author,
): Promise<void> {
  await notify(
    client,
    {
      ...{ identityId, conversationId: null, kind: 'mailbox' },
      recipients: await findMembers(client, identityId, { roles: ['owner', 'admin'] }),
      title: mailboxTitle(address),
      dedupeKey: mailboxKey(mailboxId),
    },
    author,
  );
}

/** A mailbox can be read again, and may fail once more. */
export async function withdrawFailingMailbox(client: pg.PoolClient, identityId: string, mailboxId: string): Promise<void> {
  await withdrawNotifications(client, identityId, mailboxKey(mailboxId));
}
