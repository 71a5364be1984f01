import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { change, emit } from '@/server/features/events/emit.service';
import type { Actor, IdentityActor } from '@/server/platform/actor';
import { memberships, publicUserName, users } from '@/server/platform/auth/accounts.sql';
import { type Found, listWhole } from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { type ListPosition, nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import { notifyMentioned } from '../notifications/notification-causes.service';
import { requireStorage } from '../usage/quota.service';
import { noteEvents } from './conversation.events.schema';
import { findConversation, lockConversation } from './conversation.queries';
import { type ListNotesInput, type NoteList, type NoteRecord, notesMaximum, type ParsedAddNoteInput } from './note.schema';

/** Internal notes in conversations: what colleagues and agents tell each other. No email is made from them. */

const nameOfUser = (id: string) => `(SELECT ${publicUserName} FROM ${users} u WHERE u.id = ${id})`;

/** The name of a person is that of today; agents and keys keep the one they had. */
const noteColumns = `n.id, n.conversation_id AS "conversationId", n.identity_id AS "identityId", n.text,
  json_build_object('type', n.author_type, 'id', n.author_id, 'name',
    CASE WHEN n.author_type = 'user' THEN ${nameOfUser('n.author_id')} ELSE n.author_name END) AS author,
  (
    SELECT coalesce(json_agg(json_build_object('userId', mentioned.id, 'name', ${nameOfUser('mentioned.id')}) ORDER BY mentioned.position), '[]')
    FROM unnest(n.mentions) WITH ORDINALITY AS mentioned(id, position)
  ) AS mentions, n.created_at AS "createdAt"`;

/** `GET /conversations/{conversationId}/notes`: the newest first. @throws AppError not_found */
export async function listNotes({ identityId }: IdentityActor, input: ListNotesInput): Promise<NoteList> {
  const { limit, conversationId } = input;
  const { id } = await findConversation(pool(), identityId, conversationId);
  const key = ['notes', identityId, conversationId];
  const position = positionOf(key, input);
  const found = await notePage(identityId, id, { limit, offset: input.offset, position });
  const offset = position?.before ?? input.offset;
  const nextCursor = nextCursorOf(key, found, (row) => row.createdAt, offset);
  return { notes: found.page, total: found.matches, limit, offset, hasMore: found.hasMore, nextCursor };
}

async function notePage(
  identityId: string,
  conversationId: string,
  page: { limit: number; offset: number; position: ListPosition | undefined },
): Promise<Found<NoteRecord>> {
  const select = `SELECT ${noteColumns} FROM conversation_notes n WHERE n.identity_id = $1 AND n.conversation_id = $2`;
  const values = [identityId, conversationId];
  const found = await listWhole<NoteRecord>({ alias: 'n', time: 'created_at', select, values }, page);
  return { ...found, matches: page.position?.matches ?? (await countNotes(pool(), identityId, conversationId)) };
}

async function countNotes(db: Queryable, identityId: string, conversationId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(db, {
    name: 'notes-count',
    text: 'SELECT count(*)::int AS count FROM conversation_notes WHERE identity_id = $1 AND conversation_id = $2',
    values: [identityId, conversationId],
  });
  return row?.count ?? 0;
}

function authorOf(actor: Actor): NoteRecord['author'] {
  switch (actor.kind) {
    case 'session':
      return { type: 'user', id: actor.userId, name: null };
    case 'apiKey':
      if (actor.agent) return { type: 'agent', id: actor.agent.id, name: actor.agent.name };
      return { type: 'api_key', id: actor.apiKeyId, name: actor.name ?? null };
    case 'system':
      throw new Error('Notes are written by people and programs.');
  }
}

/** @throws AppError invalid_request unless all of them are members */
async function requireMembers(client: pg.PoolClient, identityId: string, mentions: readonly string[]): Promise<void> {
  if (mentions.length === 0) return;
  const members = await rows<{ id: string }>(client, {
    name: 'members-mentioned',
    text: `SELECT m.user_id AS id FROM ${memberships} m WHERE m.identity_id = $1 AND m.user_id = ANY($2::uuid[])`,
    values: [identityId, mentions],
  });
  const known = new Set(members.map(({ id }) => id));
  const unknown = mentions.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalidFields({ [`mentions.${unknown}`]: 'is not a member' });
}

/**
 * `POST /conversations/{conversationId}/notes`: adds an internal note.
 *
 * @param at now, except for demo data
 * @throws AppError not_found; invalid_request for a mention of someone who is no member; conflict where the conversation is
 *   full; quota_exceeded
 */
export async function addNote(actor: IdentityActor, input: ParsedAddNoteInput, at = new Date()): Promise<NoteRecord> {
  const { identityId } = actor;
  const mentions = [...new Set(input.mentions.map((id) => id.toLowerCase()))];
  return transaction(actor, async (client) => {
    const conversation = await lockConversation(client, identityId, input.conversationId);
    await requireMembers(client, identityId, mentions);
    if ((await countNotes(client, identityId, conversation.id)) >= notesMaximum) {
      throw new AppError('conflict', `A conversation has at most ${notesMaximum} notes.`);
    }
    const author = authorOf(actor);
    const [note] = await rows<NoteRecord>(client, {
      name: 'note-insert',
      isoTimes: true,
      text: `WITH n AS (
          INSERT INTO conversation_notes (identity_id, id, conversation_id, text, mentions, author_type, author_id, author_name, created_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *
        ) SELECT ${noteColumns} FROM n`,
      values: [identityId, uuidv7(), conversation.id, input.text, mentions, author.type, author.id, author.name, at],
    });
    if (!note) throw new Error('INSERT returned no row.');
    // A new version of the conversation's record, so that dashboards that follow it fetch the note.
    await client.query({
      name: 'conversation-noted',
      text: 'UPDATE conversations SET updated_at = now() WHERE identity_id = $1 AND id = $2',
      values: [identityId, conversation.id],
    });
    await emit(client, actor, change({ kind: noteEvents, type: 'conversation.note.created', id: note.id, object: note }));
    const { id: conversationId, subject } = conversation;
    await requireStorage(client, identityId);
    await notifyMentioned(client, { identityId, conversationId, subject, noteId: note.id, userIds: mentions }, actor);
    return note;
  });
}
