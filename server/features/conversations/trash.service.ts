import type pg from 'pg';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import type { Author, IdentityActor } from '@/server/platform/actor';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { withdrawConversationNotifications } from '../notifications/notification.service';
import { lockConversation, lockConversations } from './conversation.queries';
import type { ConversationDetail, DeleteConversationInput, DeletedConversation } from './conversation.schema';
import { trashDays } from './conversation.sql';
import type {
  DeleteConversationsInput,
  DeletedConversations,
  RestoreConversationsInput,
  RestoredConversations,
} from './conversation-bulk.schema';
import { conversationChanges } from './conversation-changes.service';

/**
 * Deleting conversations. They are in the trash for 30 days, then they are permanently deleted with their messages, attachments and
 * notes. The Message-IDs are kept for 30 more days, so that a repeated delivery does not store the message again.
 */

/** Conversations of one transaction, each with its events. */
const batchSize = 100;
/** Conversations of one request that deletes many. */
const maximumPerRequest = 1_000;

/** Moves locked conversations to the trash, or back. */
async function setTrashed(client: pg.PoolClient, identityId: string, ids: readonly string[], isTrashed: boolean): Promise<void> {
  await client.query({
    name: 'conversations-trash',
    text: `UPDATE conversations SET is_trashed = $3, trashed_at = CASE WHEN $3 THEN now() END, updated_at = now()
      WHERE identity_id = $1 AND id = ANY($2::uuid[]) AND is_trashed <> $3`,
    values: [identityId, ids, isTrashed],
  });
}

/** Those of the conversations with a reply that is not sent yet. */
async function withUnsentMail(client: pg.PoolClient, identityId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(client, {
    name: 'conversations-unsent',
    text: `SELECT DISTINCT m.conversation_id AS id FROM messages m
        JOIN ${outboxMails} o ON o.identity_id = m.identity_id AND o.message_id = m.id AND o.state IN ('queued', 'sending')
      WHERE m.identity_id = $1 AND m.conversation_id = ANY($2::uuid[])`,
    values: [identityId, ids],
  });
  return new Set(found.map(({ id }) => id));
}

/** Permanently deletes locked conversations with everything that belongs to them. The next sweep of the store removes the files. */
export async function removeConversations(
  client: pg.PoolClient,
  author: Author,
  identityId: string,
  ids: readonly string[],
): Promise<void> {
  const changes = conversationChanges(client, identityId);
  await changes.before(ids);
  changes.deleted(ids);
  const values = [identityId, ids];
  const theirs = 'identity_id = $1 AND conversation_id = ANY($2::uuid[])';
  const statements = {
    known: `INSERT INTO deleted_messages (identity_id, message_id_header, message_id, conversation_id)
      SELECT identity_id, message_id_header, id, conversation_id FROM messages WHERE ${theirs}
      ON CONFLICT (identity_id, message_id_header) DO UPDATE
      SET message_id = excluded.message_id, conversation_id = excluded.conversation_id, deleted_at = now()`,
    messages: `DELETE FROM messages WHERE ${theirs}`,
    notes: `DELETE FROM conversation_notes WHERE ${theirs}`,
    merged: `DELETE FROM merged_conversations WHERE ${theirs}`,
    conversations: 'DELETE FROM conversations WHERE identity_id = $1 AND id = ANY($2::uuid[])',
  };
  for (const [name, text] of Object.entries(statements)) {
    await client.query({ name: `conversations-remove-${name}`, text, values });
  }
  await withdrawConversationNotifications(client, identityId, ids);
  await changes.write(author);
}

/** Moves locked conversations to the trash, with their events. */
export async function trashConversations(
  client: pg.PoolClient,
  author: Author,
  identityId: string,
  ids: readonly string[],
): Promise<Map<string, ConversationDetail>> {
  const changes = conversationChanges(client, identityId);
  await changes.before(ids);
  await setTrashed(client, identityId, ids, true);
  return changes.write(author);
}

/**
 * `DELETE /conversations/{conversationId}`. One that is in the trash already keeps its time there.
 *
 * @throws AppError not_found; conflict for a permanent deletion while a reply waits to be sent
 */
export async function deleteConversation(actor: IdentityActor, input: DeleteConversationInput): Promise<DeletedConversation> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const { id } = await lockConversation(client, identityId, input.conversationId);
    if (!input.permanent) {
      const trashed = (await trashConversations(client, actor, identityId, [id])).get(id);
      return { success: true as const, restorableUntil: trashed?.restorableUntil ?? null };
    }
    if ((await withUnsentMail(client, identityId, [id])).size > 0) {
      throw new AppError(
        'conflict',
        'A reply of this conversation is not sent yet. Delete the conversation when it is, or cancel the reply first.',
      );
    }
    await removeConversations(client, actor, identityId, [id]);
    return { success: true as const, restorableUntil: null };
  });
}

/** `POST /conversations/{conversationId}/restore`. @throws AppError not_found */
export async function restoreConversation(actor: IdentityActor, conversationId: string): Promise<ConversationDetail> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const { id } = await lockConversation(client, identityId, conversationId);
    const restored = (await restoreLocked(client, actor, [id])).get(id);
    if (!restored) throw new Error('A conversation that is locked is there.');
    return restored;
  });
}

/** `POST /conversations/restore`. Unknown ids are ignored. */
export async function restoreConversations(
  actor: IdentityActor,
  { ids }: RestoreConversationsInput,
): Promise<RestoredConversations> {
  return transaction(actor, async (client) => {
    const trashed = (await lockConversations(client, actor.identityId, ids)).filter(({ isTrashed }) => isTrashed);
    await restoreLocked(
      client,
      actor,
      trashed.map(({ id }) => id),
    );
    return { success: true as const, restored: trashed.length };
  });
}

async function restoreLocked(
  client: pg.PoolClient,
  actor: IdentityActor,
  ids: readonly string[],
): Promise<Map<string, ConversationDetail>> {
  const changes = conversationChanges(client, actor.identityId);
  await changes.before(ids);
  await setTrashed(client, actor.identityId, ids, false);
  return changes.write(actor);
}

/** The conversations that a request selects, as a condition for the table `c`; $1 is the identity. */
function chosenBy({ ids, senderEmail, folder, permanent }: DeleteConversationsInput): { text: string; values: unknown[] } {
  const outside = permanent ? 'true' : 'NOT c.is_trashed';
  if (ids) return { text: `c.id = ANY($2::uuid[]) AND ${outside}`, values: [ids] };
  if (folder === 'trash') return { text: 'c.is_trashed', values: [] };
  if (folder === 'spam') return { text: 'c.is_spam AND NOT c.is_trashed', values: [] };
  return {
    text: `lower(c.counterpart_email) = $2 AND ${outside} AND EXISTS (SELECT 1 FROM conversation_participants p
      WHERE p.identity_id = $1 AND p.email = $2 AND p.conversation_id = c.id)`,
    values: [senderEmail],
  };
}

/**
 * `POST /conversations/delete`: by id, by sender, or a whole folder, in transactions of a hundred. Those in the trash are permanently
 * deleted.
 */
export async function deleteConversations(actor: IdentityActor, input: DeleteConversationsInput): Promise<DeletedConversations> {
  const chosen = chosenBy(input);
  const isPermanent = input.permanent || input.folder === 'trash';
  let deleted = 0;
  // By their ids, so that those that stay are not met again.
  let after = '00000000-0000-0000-0000-000000000000';
  while (deleted < maximumPerRequest) {
    const batch = await deleteBatch(actor, chosen, after, isPermanent);
    deleted += batch.deleted;
    if (batch.last === null) return { success: true, deleted, hasMore: false };
    after = batch.last;
  }
  return { success: true, deleted, hasMore: true };
}

/** `admin conversation delete`: all that are selected, however many. @throws AppError not_found for an unknown handle */
export async function deleteConversationsAsOperator({
  identity,
  ...input
}: DeleteConversationsInput & { identity: string }): Promise<Pick<DeletedConversations, 'deleted'>> {
  const actor = await operatorActingFor(identity);
  let deleted = 0;
  for (;;) {
    const answer = await deleteConversations(actor, input);
    deleted += answer.deleted;
    if (!answer.hasMore) return { deleted };
  }
}

/** @returns how many were deleted, and the last id that was looked at; null if there are no more */
async function deleteBatch(
  actor: IdentityActor,
  { text, values }: { text: string; values: unknown[] },
  after: string,
  isPermanent: boolean,
): Promise<{ deleted: number; last: string | null }> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const next = values.length + 2;
    const found = await rows<{ id: string }>(client, {
      text: `SELECT c.id FROM conversations c WHERE c.identity_id = $1 AND ${text} AND c.id > $${next}::uuid
        ORDER BY c.id LIMIT ${batchSize} FOR NO KEY UPDATE`,
      values: [identityId, ...values, after],
    });
    const ids = found.map(({ id }) => id);
    const last = ids.length < batchSize ? null : (ids.at(-1) ?? null);
    if (ids.length === 0) return { deleted: 0, last };
    if (!isPermanent) {
      await trashConversations(client, actor, identityId, ids);
      return { deleted: ids.length, last };
    }
    const unsent = await withUnsentMail(client, identityId, ids);
    const removable = ids.filter((id) => !unsent.has(id));
    if (removable.length > 0) await removeConversations(client, actor, identityId, removable);
    return { deleted: removable.length, last };
  });
}

/** Permanently deletes conversations after their time in the trash. */
async function emptyTrash(signal?: AbortSignal): Promise<void> {
  const author = { kind: 'system', cause: 'upkeep' } as const;
  let after = { identityId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    signal?.throwIfAborted();
    const due = await rows<{ identityId: string; id: string }>(pool(), {
      name: 'trash-due',
      text: `SELECT identity_id AS "identityId", id FROM conversations
        WHERE is_trashed AND trashed_at < now() - interval '${trashDays} days' AND (identity_id, id) > ($1::uuid, $2::uuid)
        ORDER BY identity_id, id LIMIT ${batchSize}`,
      values: [after.identityId, after.id],
    });
    const [first] = due;
    if (!first) return;
    const { identityId } = first;
    const ids = due.flatMap((row) => (row.identityId === identityId ? [row.id] : []));
    await transaction(author, (client) => removeDue(client, author, identityId, ids));
    after = { identityId, id: ids.at(-1) ?? first.id };
  }
}

async function removeDue(client: pg.PoolClient, author: Author, identityId: string, ids: readonly string[]): Promise<void> {
  const locked = await rows<{ id: string }>(client, {
    name: 'trash-lock',
    text: `SELECT id FROM conversations WHERE identity_id = $1 AND id = ANY($2::uuid[])
        AND is_trashed AND trashed_at < now() - interval '${trashDays} days' ORDER BY id FOR UPDATE`,
    values: [identityId, ids],
  });
  const unsent = await withUnsentMail(
    client,
    identityId,
    locked.map(({ id }) => id),
  );
  const removable = locked.map(({ id }) => id).filter((id) => !unsent.has(id));
  if (removable.length > 0) await removeConversations(client, author, identityId, removable);
}

export async function removeOldTrash(signal?: AbortSignal): Promise<void> {
  await emptyTrash(signal);
  const condition = `deleted_at < now() - interval '${trashDays} days'`;
  await removeInBatches({ table: 'deleted_messages', condition, signal });
}
