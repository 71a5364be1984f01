import type pg from 'pg';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { longestText, textVector } from '@/server/platform/db/text-index';
import { JobKind } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import type { MailAddress } from '@/server/platform/mail/parsed-mail';
import { attachmentFlag, messageWeights } from './search-query';

/**
 * What messages are found by. It is derived from them, written with each, and deleted with it. Every start writes what is missing, which is that
 * of messages from before the search; a migration that changes the rules empties the table.
 */

/** How many messages are looked at, and of how many the texts are read, at a time. */
const [partSize, batchSize] = [5_000, 100];

const noId = '00000000-0000-0000-0000-000000000000';

interface SearchedMessage {
  subject: string;
  text: string;
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  attachments: readonly { filename: string; isInline: boolean }[];
}

const nameAndAddress = ({ displayName, email }: MailAddress) => `${displayName ?? ''} ${email}`;

/** The `tsvector` of a message. */
export function searchTerms(identityId: string, message: SearchedMessage): string {
  const { subject, text, from, to, cc, bcc, attachments } = message;
  return textVector(identityId, {
    texts: {
      [messageWeights.subject]: [subject],
      [messageWeights.from]: [nameAndAddress(from)],
      [messageWeights.to]: [...to, ...cc, ...bcc].map(nameAndAddress),
      [messageWeights.text]: [text, ...attachments.map(({ filename }) => filename)],
    },
    flags: attachments.some(({ isInline }) => !isInline) ? [attachmentFlag] : [],
  });
}

const indexJob = new JobKind('index-messages');

/** Queues the job at server start. */
export async function requestMessageIndexing(): Promise<void> {
  await indexJob.schedule(pool(), { key: '', payload: {} });
}

/** The pool, or a transaction's connection. */
type Database = Pick<pg.ClientBase, 'query'>;

interface MessageKey {
  identityId: string;
  id: string;
}

/** Writes what these messages are found by, if they are still there. @param conflict what is done with one that has it */
async function index(db: Database, keys: readonly MessageKey[], conflict: 'keep' | 'replace'): Promise<void> {
  const messages = await rows<SearchedMessage & MessageKey>(db, {
    name: 'messages-to-index',
    text: `SELECT m.id, m.identity_id AS "identityId", m.subject, left(m.text, ${longestText}) AS text, m."to", m.cc, m.bcc,
        jsonb_build_object('email', m.from_email, 'displayName', m.from_name) AS "from",
        coalesce((SELECT jsonb_agg(jsonb_build_object('filename', a.filename, 'isInline', a.is_inline)) FROM attachments a
          WHERE a.identity_id = m.identity_id AND a.message_id = m.id), '[]') AS attachments
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted(identity_id, id)
        JOIN messages m ON m.identity_id = wanted.identity_id AND m.id = wanted.id`,
    values: [keys.map(({ identityId }) => identityId), keys.map(({ id }) => id)],
  });
  await db.query({
    name: `messages-index-${conflict}`,
    // Locked, so that none moves to another conversation in between.
    text: `INSERT INTO message_search (identity_id, message_id, conversation_id, terms)
      SELECT m.identity_id, m.id, m.conversation_id, given.terms::tsvector
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS given(identity_id, id, terms)
        JOIN messages m ON m.identity_id = given.identity_id AND m.id = given.id
      FOR SHARE OF m
      ON CONFLICT (identity_id, message_id) DO ${conflict === 'keep' ? 'NOTHING' : 'UPDATE SET terms = excluded.terms'}`,
    values: [
      messages.map(({ identityId }) => identityId),
      messages.map(({ id }) => id),
      messages.map((message) => searchTerms(message.identityId, message)),
    ],
  });
}

/** Writes what a message is found by after one of its attachments was deleted. */
export async function indexAgain(client: Database, message: MessageKey): Promise<void> {
  await index(client, [message], 'replace');
}

/**
 * Writes what is missing. Can be interrupted at any time: the next start continues.
 *
 * @param signal server shutdown
 */
export async function indexMessages(signal?: AbortSignal): Promise<void> {
  let done = 0;
  for (let after: MessageKey = { identityId: noId, id: noId }; ; ) {
    // Reads indexes only.
    const part = await rows<MessageKey & { isIndexed: boolean }>(pool(), {
      name: 'messages-unindexed',
      text: `SELECT * FROM (
          SELECT m.identity_id AS "identityId", m.id, s.message_id IS NOT NULL AS "isIndexed",
            row_number() OVER (ORDER BY m.identity_id DESC, m.id DESC) = 1 AS "isLast"
          FROM (SELECT identity_id, id FROM messages WHERE (identity_id, id) > ($1::uuid, $2::uuid) ORDER BY identity_id, id LIMIT ${partSize}) m
            LEFT JOIN message_search s ON s.identity_id = m.identity_id AND s.message_id = m.id
        ) part WHERE NOT "isIndexed" OR "isLast" ORDER BY "identityId", id`,
      values: [after.identityId, after.id],
    });
    const last = part.at(-1);
    if (!last) break;
    const missing = part.filter(({ isIndexed }) => !isIndexed);
    for (let from = 0; from < missing.length; from += batchSize) {
      signal?.throwIfAborted();
      await index(pool(), missing.slice(from, from + batchSize), 'keep');
    }
    done += missing.length;
    after = last;
  }
  if (done > 0) log().info({ done }, 'messages indexed for the search');
}

export const messageIndexing = indexJob.handledBy(({ signal }) => indexMessages(signal));
