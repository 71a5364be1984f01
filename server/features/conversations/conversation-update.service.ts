import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import type { Queryable } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { invalidFields } from '@/server/platform/errors';
import { notifyAssigned } from '../notifications/notification-causes.service';
import { assigneeChanges } from './assignee';
import { type ConversationDetailRow, lockConversation, lockConversations } from './conversation.queries';
import type { Assignee, ConversationDetail, UpdateConversationInput } from './conversation.schema';
import type { UpdateConversationsInput, UpdatedConversations } from './conversation-bulk.schema';
import { conversationChanges } from './conversation-changes.service';
import { notifyIfEscalated } from './conversation-escalation';
import { conversationLabelsMaximum } from './label.limits';
import { requireLabels } from './label.service';
import { markRead, markUnread, markUnreadFrom } from './message.marks';
import { type SnoozeChange, snoozeChanges } from './snooze.service';

type Changes = Omit<UpdateConversationInput, 'conversationId'>;

/**
 * `PATCH /conversations/{conversationId}`: only supplied fields change.
 *
 * @throws AppError not_found; invalid_request for an assignee that is neither a member nor an active agent, for a time of `snoozedUntil` that is
 * not in the coming year, and for `unreadFrom` that is no received message of it; conflict if spam or what is in the trash is snoozed
 */
export async function updateConversation(
  actor: IdentityActor,
  { conversationId, ...input }: UpdateConversationInput,
): Promise<ConversationDetail> {
  return transaction(actor, async (client) => {
    const stored = await lockConversation(client, actor.identityId, conversationId);
    const after = (await change(client, actor, [stored], input)).get(stored.id);
    if (!after) throw new Error('A conversation that is locked exists.');
    return after;
  });
}

/** `PATCH /conversations`: all of them, or with an error none. @throws AppError as `updateConversation`, except for unknown ids */
export async function updateConversations(
  actor: IdentityActor,
  { ids, ...input }: UpdateConversationsInput,
): Promise<UpdatedConversations> {
  return transaction(actor, async (client) => {
    const stored = await lockConversations(client, actor.identityId, ids);
    await change(client, actor, stored, input);
    return { success: true as const, updated: stored.length };
  });
}

/** Changes locked conversations. @returns them afterwards, by id */
async function change(
  client: pg.PoolClient,
  actor: IdentityActor,
  stored: readonly ConversationDetailRow[],
  input: Changes,
): Promise<Map<string, ConversationDetail>> {
  const { identityId } = actor;
  const { status, isArchived, isSpam } = input;
  const changes = conversationChanges(client, identityId);
  await changes.before(stored.map(({ id }) => id));
  const isReadOf = await markMessages(client, identityId, stored, input);
  const assigneeOf = await assigneeChanges(client, identityId, stored, input.assignee);
  const snoozeOf = await snoozeChanges(client, actor, stored, input);
  await checkLabels(client, identityId, stored, input);
  const changed = stored.map((conversation) => {
    const { id } = conversation;
    const snooze = snoozeOf(conversation);
    const own = { status, isArchived, isSpam, isRead: isReadOf(id), ...snooze };
    return { id, conversation, fields: { ...own, assignee: assigneeOf(conversation), snooze } };
  });
  await changeFields(client, identityId, changed, input);
  for (const { conversation, fields } of changed) {
    await notifyIfEscalated(client, actor, conversation, status);
    if (fields.assignee?.type !== 'member') continue;
    const { id: conversationId, subject, updatedAt: after } = conversation;
    await notifyAssigned(client, { identityId, conversationId, subject, userId: fields.assignee.id, after }, actor);
  }
  return changes.write(actor);
}

/** The fields of a row that change; those that are undefined stay. */
interface RowChange {
  id: string;
  fields: Pick<Changes, 'status' | 'isArchived' | 'isSpam' | 'isRead' | 'assignee'> & { snooze: SnoozeChange | undefined };
}

/** @throws AppError invalid_request for unknown labels, or more than a conversation can have */
async function checkLabels(
  db: Queryable,
  identityId: string,
  stored: readonly ConversationDetailRow[],
  { addLabels = [], removeLabels = [] }: Changes,
): Promise<void> {
  if (addLabels.length === 0) return;
  await requireLabels(db, identityId, addLabels);
  const removed = new Set(removeLabels.map((id) => id.toLowerCase()));
  for (const { labels } of stored) {
    const ids = [...labels.map(({ id }) => id), ...addLabels].map((id) => id.toLowerCase());
    if (new Set(ids.filter((id) => !removed.has(id))).size > conversationLabelsMaximum) {
      throw invalidFields({ addLabels: `can’t be more than ${conversationLabelsMaximum} with those that it has` });
    }
  }
}

async function changeFields(
  db: Queryable,
  identityId: string,
  changed: readonly RowChange[],
  { addLabels = [], removeLabels = [] }: Changes,
): Promise<void> {
  const changesLabels = addLabels.length + removeLabels.length > 0;
  const given = changed
    .filter(({ fields }) => changesLabels || Object.values(fields).some((value) => value !== undefined))
    .map(({ id, fields: { assignee, snooze, ...fields } }) => {
      const assigned = (type: Assignee['type']) => (assignee?.type === type ? assignee.id : null);
      return {
        ...{ id, ...fields, ...snooze, isSnoozeChanged: snooze !== undefined },
        ...{ isAssigned: assignee !== undefined, userId: assigned('member'), agentId: assigned('agent') },
      };
    });
  if (given.length === 0) return;
  await db.query({
    name: 'conversations-update',
    text: `UPDATE conversations c SET status = coalesce(g.status::conversation_status, c.status),
        is_archived = coalesce(g."isArchived", c.is_archived), is_spam = coalesce(g."isSpam", c.is_spam),
        is_read = coalesce(g."isRead", c.is_read), updated_at = now(),
        assignee_user_id = CASE WHEN g."isAssigned" THEN g."userId" ELSE c.assignee_user_id END,
        assignee_agent_id = CASE WHEN g."isAssigned" THEN g."agentId" ELSE c.assignee_agent_id END,
        waiting_since = CASE WHEN c.status = 'waiting_customer' AND g.status <> 'waiting_customer' THEN NULL ELSE c.waiting_since END,
        snoozed_until = CASE WHEN g."isSnoozeChanged" THEN g."snoozedUntil" ELSE c.snoozed_until END,
        snoozed_by = CASE WHEN g."isSnoozeChanged" THEN g."snoozedBy" ELSE c.snoozed_by END,
        label_ids = ARRAY(SELECT DISTINCT id FROM unnest(c.label_ids || $3::uuid[]) AS id WHERE id <> ALL($4::uuid[]) ORDER BY id)
      FROM jsonb_to_recordset($2::jsonb) AS g(
        id uuid, status text, "isArchived" boolean, "isSpam" boolean, "isRead" boolean, "isAssigned" boolean, "userId" uuid, "agentId" uuid,
        "isSnoozeChanged" boolean, "snoozedUntil" timestamptz, "snoozedBy" uuid)
      WHERE c.identity_id = $1 AND c.id = g.id`,
    values: [identityId, JSON.stringify(given), addLabels, removeLabels],
  });
}

/** @returns whether a conversation is wholly read afterwards; undefined if that does not change */
async function markMessages(
  db: Queryable,
  identityId: string,
  stored: readonly ConversationDetailRow[],
  { isRead, seenUntil, unreadFrom }: Changes,
): Promise<(id: string) => boolean | undefined> {
  if (isRead === undefined) return () => undefined;
  const ids = stored.map(({ id }) => id);
  if (isRead) {
    const read = await markRead(db, identityId, ids, seenUntil);
    return (id) => read.has(id);
  }
  if (unreadFrom === undefined) await markUnread(db, identityId, ids);
  else for (const id of ids) await markUnreadFrom(db, identityId, id, unreadFrom);
  return () => false;
}
