import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { listWhole } from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { findConversation } from './conversation.queries';
import {
  type ConversationDraft,
  type Draft,
  type DraftList,
  draftsMaximum,
  type ListDraftsInput,
  type ListedDraft,
  type SaveDraftInput,
  type SaveReplyDraftInput,
} from './draft.schema';
import { authorColumns, type DraftAuthor, draftAuthorOf, ofAuthor, presentAuthor } from './draft-author';
import { keepAttachments } from './upload.service';

/**
 * Emails that are being written. Only their author sees them: a member on all their devices, or an agent. A key that is no agent's
 * writes for the owner of the business. They are saved as they are typed, so addresses may be incomplete; whether one can be sent is
 * known when it is. They are in no log, and write no events.
 */

const draftColumns = `d.id, d.identity_id AS "identityId", d.conversation_id AS "conversationId", d.forward_message_id AS "forwardMessageId",
  d."from", d."to", d.cc, d.bcc, d.agent_id AS "agentId", d.quote, d.format, d.revision, d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;

const wholeColumns = `${draftColumns}, d.subject, d.text, d.html, (
    SELECT coalesce(json_agg(json_build_object(
        'id', a.id, 'filename', a.filename, 'contentType', a.content_type, 'size', a.size, 'sha256', a.sha256) ORDER BY given.position), '[]')
    FROM unnest(d.attachment_ids) WITH ORDINALITY AS given(id, position) JOIN attachments a ON a.identity_id = d.identity_id AND a.id = given.id
  ) AS attachments`;

/** Characters of a draft's text in lists. */
const previewLength = 200;

const listedColumns = `${draftColumns}, coalesce((
    SELECT c.subject FROM conversations c WHERE c.identity_id = d.identity_id AND c.id = d.conversation_id), d.subject) AS subject, left(d.text, ${previewLength}) AS preview, cardinality(d.attachment_ids) AS "attachmentCount"`;

/** `GET /drafts`: the author's own, the last saved first. */
export async function listDrafts(actor: IdentityActor, input: ListDraftsInput): Promise<DraftList> {
  const { identityId } = actor;
  const author = draftAuthorOf(actor);
  const { limit } = input;
  const key = ['drafts', identityId, author.id];
  const position = positionOf(key, input);
  const select = `SELECT ${listedColumns} FROM mail_drafts d WHERE ${ofAuthor(author)}`;
  const found = await listWhole<ListedDraft>(
    { alias: 'd', time: 'updated_at', select, values: [identityId, author.id] },
    { limit, offset: input.offset, position },
  );
  const total = position?.matches ?? (await countDrafts(pool(), identityId, author));
  const offset = position?.before ?? input.offset;
  const nextCursor = nextCursorOf(key, { ...found, matches: total }, (row) => row.updatedAt, offset);
  return { drafts: found.page, total, limit, offset, hasMore: found.hasMore, nextCursor };
}

async function countDrafts(db: Queryable, identityId: string, author: DraftAuthor): Promise<number> {
  const [row] = await rows<{ count: number }>(db, {
    name: `drafts-count-${author.type}`,
    text: `SELECT count(*)::int AS count FROM mail_drafts d WHERE ${ofAuthor(author)}`,
    values: [identityId, author.id],
  });
  return row?.count ?? 0;
}

export const draftVersion: RecordVersion<{ draftId: string }, Draft> = {
  lock: (db, actor, { draftId }) => {
    const author = draftAuthorOf(actor);
    return lockRevision(db, {
      name: `draft-revision-${author.type}`,
      text: `SELECT d.revision FROM mail_drafts d WHERE ${ofAuthor(author)} AND d.id = $3 FOR NO KEY UPDATE`,
      values: [actor.identityId, author.id, draftId],
    });
  },
  // A file may have been deleted.
  others: ({ attachments }) => attachments,
};

/** `GET /drafts/{draftId}` @throws AppError not_found, also for a draft of another author */
export async function getDraft(actor: IdentityActor, draftId: string): Promise<Draft> {
  const draft = await findDraft(actor, draftId);
  if (!draft) throw notFound();
  return draft;
}

/** A draft of the author; undefined if there is none. */
export async function findDraft(actor: IdentityActor, draftId: string): Promise<Draft | undefined> {
  const author = draftAuthorOf(actor);
  const [found] = await rows<Draft>(pool(), {
    name: `draft-get-${author.type}`,
    isoTimes: true,
    text: `SELECT ${wholeColumns} FROM mail_drafts d WHERE ${ofAuthor(author)} AND d.id = $3`,
    values: [actor.identityId, author.id, draftId],
  });
  return found;
}

/** `GET /conversations/{conversationId}/draft` @throws AppError not_found for an unknown conversation */
export async function getConversationDraft(actor: IdentityActor, conversationId: string): Promise<ConversationDraft> {
  const { id } = await findConversation(pool(), actor.identityId, conversationId);
  return { draft: (await draftIn(pool(), actor, id)) ?? null };
}

/** The author's draft in a conversation. */
export async function draftIn(db: Queryable, actor: IdentityActor, conversationId: string): Promise<Draft | undefined> {
  const author = draftAuthorOf(actor);
  const [found] = await rows<Draft>(db, {
    name: `conversation-draft-${author.type}`,
    isoTimes: true,
    text: `SELECT ${wholeColumns} FROM mail_drafts d WHERE ${ofAuthor(author)} AND d.conversation_id = $3`,
    values: [actor.identityId, author.id, conversationId],
  });
  return found;
}

async function draftIdIn(
  db: Queryable,
  identityId: string,
  author: DraftAuthor,
  conversationId: string,
): Promise<string | undefined> {
  const [found] = await rows<{ id: string }>(db, {
    name: `conversation-draft-id-${author.type}`,
    text: `SELECT d.id FROM mail_drafts d WHERE ${ofAuthor(author)} AND d.conversation_id = $3`,
    values: [identityId, author.id, conversationId],
  });
  return found?.id;
}

/**
 * `PUT /drafts/{draftId}`: begins a draft, whose id the client chooses, or replaces it.
 *
 * @throws AppError not_found for a draft of another author, and an unknown conversation; invalid_request for an unknown attachment or
 *   message to forward; conflict if the author has another draft in the conversation, or too many
 */
export async function saveDraft(actor: IdentityActor, input: SaveDraftInput): Promise<Draft> {
  return transaction(actor, async (client) => {
    await lockDraftsOf(client, actor.identityId, draftAuthorOf(actor));
    const conversationId = await conversationOf(client, actor, input);
    const otherId =
      conversationId === null ? undefined : await draftIdIn(client, actor.identityId, draftAuthorOf(actor), conversationId);
    if (otherId !== undefined && otherId !== input.draftId.toLowerCase()) {
      throw new AppError('conflict', 'There is another draft in this conversation.', { details: { draftId: otherId } });
    }
    return write(client, actor, { ...input, conversationId });
  });
}

/**
 * `PUT /conversations/{conversationId}/draft`: begins or replaces the author's draft in a conversation.
 *
 * @throws AppError as `saveDraft`
 */
export async function saveConversationDraft(actor: IdentityActor, input: SaveReplyDraftInput): Promise<ConversationDraft> {
  return transaction(actor, async (client) => {
    await lockDraftsOf(client, actor.identityId, draftAuthorOf(actor));
    const conversationId = await conversationOf(client, actor, input);
    const currentId =
      conversationId === null ? undefined : await draftIdIn(client, actor.identityId, draftAuthorOf(actor), conversationId);
    const draftId = currentId ?? uuidv7();
    const draft = await write(client, actor, { ...input, draftId, conversationId, forwardMessageId: null, subject: '' });
    return { draft };
  });
}

/** The drafts of an author are saved one after the other, so that limits hold. */
function lockDraftsOf(client: pg.PoolClient, identityId: string, author: DraftAuthor): Promise<void> {
  return serialize(client, 'drafts', `${identityId}:${author.id}`);
}

/** The conversation that a draft replies to, kept until the end of the transaction; a merged one leads to another. @throws AppError not_found */
async function conversationOf(
  client: pg.PoolClient,
  { identityId }: IdentityActor,
  { conversationId }: { conversationId: string | null },
): Promise<string | null> {
  if (conversationId === null) return null;
  const { id } = await findConversation(client, identityId, conversationId);
  const [kept] = await rows<{ id: string }>(client, {
    name: 'conversation-keep',
    text: 'SELECT id FROM conversations WHERE identity_id = $1 AND id = $2 FOR KEY SHARE',
    values: [identityId, id],
  });
  if (!kept) throw notFound();
  return kept.id;
}

/** @throws AppError invalid_request */
async function requireMessage(db: Queryable, identityId: string, forwardMessageId: string): Promise<void> {
  const found = await rows(db, {
    name: 'message-known',
    text: 'SELECT 1 FROM messages WHERE identity_id = $1 AND id = $2',
    values: [identityId, forwardMessageId],
  });
  if (found.length === 0) throw invalidFields({ forwardMessageId: 'is not a message' });
}

async function write(client: pg.PoolClient, actor: IdentityActor, input: SaveDraftInput): Promise<Draft> {
  const { identityId } = actor;
  const author = draftAuthorOf(actor);
  if (input.forwardMessageId !== null) await requireMessage(client, identityId, input.forwardMessageId);
  const attachmentIds = await keepAttachments(client, actor, input.attachmentIds);
  const saved = await store(client, identityId, author, { ...input, attachmentIds });
  // It is of another author.
  if (!saved) throw notFound();
  if ((await countDrafts(client, identityId, author)) > draftsMaximum) {
    throw new AppError('conflict', `An author has at most ${draftsMaximum} drafts.`);
  }
  return saved;
}

/** Writes a draft, or replaces it. @returns undefined if it is of another author */
async function store(
  client: pg.PoolClient,
  identityId: string,
  author: DraftAuthor,
  draft: SaveDraftInput,
): Promise<Draft | undefined> {
  const { draftId, conversationId, forwardMessageId, from, to, cc, bcc, subject, text, html, agentId, quote, format } = draft;
  const column = authorColumns[author.type];
  const content = [
    from,
    JSON.stringify(to),
    JSON.stringify(cc),
    JSON.stringify(bcc),
    subject,
    text,
    html,
    agentId,
    quote,
    format,
  ];
  const [saved] = await rows<Draft>(client, {
    name: `draft-save-${author.type}`,
    isoTimes: true,
    text: `WITH d AS (
        INSERT INTO mail_drafts AS known (identity_id, ${column}, id, conversation_id, forward_message_id, "from", "to", cc, bcc, subject, text, html,
          agent_id, quote, format, attachment_ids)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT (identity_id, id) DO UPDATE SET conversation_id = excluded.conversation_id, forward_message_id = excluded.forward_message_id,
          "from" = excluded."from", "to" = excluded."to", cc = excluded.cc, bcc = excluded.bcc, subject = excluded.subject, text = excluded.text,
          html = excluded.html, agent_id = excluded.agent_id, quote = excluded.quote, format = excluded.format, attachment_ids = excluded.attachment_ids, updated_at = now()
          WHERE known.${column} = $2
        RETURNING *
      ) SELECT ${wholeColumns} FROM d`,
    values: [identityId, author.id, draftId, conversationId, forwardMessageId, ...content, draft.attachmentIds],
  });
  return saved;
}

/**
 * Writes the draft that a cancelled email becomes, however many its author has. If they have begun another one in the conversation, it is
 * a draft of a new email.
 */
export async function restoreDraft(
  client: pg.PoolClient,
  identityId: string,
  formerAuthor: DraftAuthor | null,
  draft: Omit<SaveDraftInput, 'draftId'>,
): Promise<Draft> {
  const author = await presentAuthor(client, identityId, formerAuthor);
  await lockDraftsOf(client, identityId, author);
  const isTaken =
    draft.conversationId !== null && (await draftIdIn(client, identityId, author, draft.conversationId)) !== undefined;
  const conversationId = isTaken ? null : draft.conversationId;
  const subject = conversationId === null ? draft.subject : '';
  const restored = await store(client, identityId, author, { ...draft, draftId: uuidv7(), conversationId, subject });
  if (!restored) throw new Error('A draft with a new id is of its author.');
  return restored;
}

/** `DELETE /drafts/{draftId}` @throws AppError not_found, also for a draft of another author */
export async function deleteDraft(actor: IdentityActor, draftId: string): Promise<{ success: true }> {
  await transaction(actor, async (client) => {
    if (!(await removeDraft(client, actor, draftId))) throw notFound();
  });
  return { success: true };
}

/** `DELETE /conversations/{conversationId}/draft` @throws AppError not_found for an unknown conversation */
export async function deleteConversationDraft(actor: IdentityActor, conversationId: string): Promise<ConversationDraft> {
  return transaction(actor, async (client) => {
    const { id } = await findConversation(client, actor.identityId, conversationId);
    const draftId = await draftIdIn(client, actor.identityId, draftAuthorOf(actor), id);
    if (draftId !== undefined) await removeDraft(client, actor, draftId);
    return { draft: null };
  });
}

async function removeDraft(client: pg.PoolClient, actor: IdentityActor, draftId: string): Promise<boolean> {
  const author = draftAuthorOf(actor);
  const { rowCount } = await client.query({
    name: `draft-delete-${author.type}`,
    text: `DELETE FROM mail_drafts d WHERE ${ofAuthor(author)} AND d.id = $3`,
    values: [actor.identityId, author.id, draftId],
  });
  return rowCount === 1;
}

/**
 * Deletes a draft because it is being sent, in the transaction that sends it: so it is sent only once, from whatever device.
 *
 * @throws AppError conflict if it was sent or deleted already
 */
export async function sendDraft(client: pg.PoolClient, actor: IdentityActor, draftId: string | undefined): Promise<void> {
  if (draftId === undefined) return;
  if (await removeDraft(client, actor, draftId)) return;
  throw new AppError('conflict', 'This draft was sent or deleted already.', { details: { draftId } });
}
