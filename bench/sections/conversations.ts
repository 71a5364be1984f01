import type pg from 'pg';
import { markOf } from '@/server/platform/db/text-index';
import { type BenchIdentity, createIdentity, withoutSearch } from '../fill';
import type { MakeRequest } from '../load';
import { compareSizes, makeSide, type Side } from '../sides';
import { type Table, whole } from '../table';
import { words } from '../words';

/** Whether the lists of conversations stay as fast with fifty times as many. */

const few = 20_000;
const many = 1_000_000;
const fewer = 100_000; // enough for --quick

/** To be found in twenty conversations, all among the oldest; and in none. */
const terms = { rare: 'zephyrholm', absent: 'quixotryx' };

/** Conversations from the oldest to the newest: one in a hundred unread, one in twenty archived; one message each. */
const insertConversations = `
  INSERT INTO conversations (id, identity_id, subject, preview, status, is_read, is_archived, is_spam, last_message_at, message_count,
    counterpart_email, created_at, updated_at)
  SELECT uuidv7((n - 1000000) * interval '20 seconds'), $1,
    (SELECT string_agg(($4::text[])[1 + (hashint8extended(n, word) & 1023)::int % cardinality($4::text[])], ' ') FROM generate_series(1, 5) word),
    (SELECT string_agg(($4::text[])[1 + (hashint8extended(n, word) & 1023)::int % cardinality($4::text[])], ' ') FROM generate_series(6, 25) word)
      || CASE WHEN n % 1000 = 7 AND n <= 20000 THEN ' ${terms.rare}' ELSE '' END,
    CASE WHEN n % 1000 = 13 THEN 'failed' WHEN n % 3 = 0 THEN 'completed' ELSE 'waiting_customer' END::conversation_status,
    n % 100 <> 0, n % 20 = 3, false, now() + (n - 1000000) * interval '20 seconds', 1, 'ann.' || n % 5000 || '@quark.example',
    now() + (n - 1000000) * interval '20 seconds', now()
  FROM generate_series($2::bigint, $3::bigint) AS n`;

const insertParticipants = `
  INSERT INTO conversation_participants (conversation_id, identity_id, email, role)
  SELECT id, identity_id, counterpart_email, 'from' FROM conversations WHERE identity_id = $1`;

const insertMessages = `
  INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header,
    received_at, created_at)
  SELECT gen_random_uuid(), identity_id, id, 'inbound', 'received', counterpart_email, subject, preview, preview,
    '<' || id || '@quark.example>', last_message_at, last_message_at
  FROM conversations WHERE identity_id = $1`;

/** As `searchTerms` makes them of these texts. */
const insertSearch = `
  INSERT INTO message_search (identity_id, message_id, conversation_id, terms)
  SELECT identity_id, id, conversation_id,
    (SELECT string_agg(quote_literal($2 || word) || ':' || n || CASE WHEN n <= 5 THEN 'A' WHEN n <= 9 THEN 'B' ELSE 'D' END, ' ')
      FROM regexp_split_to_table(subject || ' ' || from_email || ' ' || text, '\\W') WITH ORDINALITY AS w(word, n))::tsvector
  FROM messages WHERE identity_id = $1`;

async function fill(sql: pg.Client, { id }: BenchIdentity, count: number): Promise<void> {
  await withoutSearch(sql, async () => {
    const batch = 50_000;
    for (let from = 1; from <= count; from += batch) {
      await sql.query(insertConversations, [id, from, Math.min(count, from + batch - 1), words]);
    }
    await sql.query(insertParticipants, [id]);
    await sql.query(insertMessages, [id]);
    await sql.query(insertSearch, [id, markOf(id)]);
  });
  await sql.query('VACUUM (ANALYZE) conversations, conversation_participants, messages, message_search');
  await sql.query('CHECKPOINT');
}

function listsOf({ keys: [key = ''] }: BenchIdentity, newestId: string): Record<string, MakeRequest> {
  const at = (path: string): MakeRequest => {
    return () => ({ path: `/api/v1${path}`, key });
  };
  return {
    'first page': at('/conversations'),
    'a hundred': at('/conversations?limit=100'),
    'page 50': at('/conversations?offset=980'),
    unread: at('/conversations?isRead=false'),
    'status completed': at('/conversations?status=completed'),
    'archived included': at('/conversations?isArchived=true&limit=100'),
    'part, twenty match': at(`/conversations?search=${terms.rare}`),
    'part, none match': at(`/conversations?search=${terms.absent}`),
    'part, most match': at(`/conversations?search=${words[0]}`),
    'word, twenty match': at(`/conversations?query=${terms.rare}`),
    'word, none match': at(`/conversations?query=${terms.absent}`),
    'word, most match': at(`/conversations?query=${words[0]}`),
    'beginning of words': at('/conversations?query=con'),
    'two words': at(`/conversations?query=${words[0]}%20${words[9]}`),
    'sender and word': at(`/conversations?query=from:ann.17%20${words[0]}`),
    'best match, twenty': at(`/conversations?sort=relevance&query=${terms.rare}`),
    'best match, most': at(`/conversations?sort=relevance&query=${words[0]}`),
    'one participant': at('/conversations?participant=ann.17@quark.example'),
    'one conversation': at(`/conversations/${newestId}`),
    'its messages': at(`/conversations/${newestId}/messages`),
  };
}

/** One identity with so many conversations, and a server on them. */
export function openConversations(count: number): Promise<Side> {
  return makeSide(async ({ sql }) => {
    const identity = await createIdentity(sql, 'enterprise');
    await fill(sql, identity, count);
    const newest = await sql.query<{ id: string }>(
      'SELECT id FROM conversations WHERE identity_id = $1 ORDER BY last_message_at DESC LIMIT 1',
      [identity.id],
    );
    return listsOf(identity, newest.rows[0]?.id ?? '');
  });
}

export async function conversations({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? fewer : many;
  return {
    title: 'Conversations',
    note:
      `One identity with ${whole(few)} conversations, and one with ${whole(count)} in a database of its own; p50 at 8 connections. ` +
      `Of "one participant" there are ${count / few} times as many as well.`,
    head: ['Read', `p50 ms at ${whole(few)}`, `p50 ms at ${whole(count)}`, 'Factor', 'Requests/s'],
    rows: await compareSizes(openConversations, [few, count], quick),
  };
}
