import { createIdentity } from '../fill';
import { cursorBehind, type MakeRequest, measure } from '../load';
import { makeSide } from '../sides';
import { milliseconds, type Table, whole } from '../table';
import { words } from '../words';

/** Whether a conversation of very many messages can be read in pages. */

const insertThread = `
  WITH thread AS (
    INSERT INTO conversations (id, identity_id, subject, preview, status, is_read, last_message_at, message_count, counterpart_email, created_at, updated_at)
    SELECT gen_random_uuid(), $1, 'Orders of the year', 'Is it still open?', 'waiting_customer', true, now(), $2::bigint, 'ann@quark.example', now(), now()
    RETURNING id, identity_id, counterpart_email, subject
  ), participant AS (
    INSERT INTO conversation_participants (conversation_id, identity_id, email, role) SELECT id, identity_id, counterpart_email, 'from' FROM thread
  )
  INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header, received_at, created_at)
  SELECT uuidv7((n - $2::bigint) * interval '1 minute'), identity_id, id, 'inbound', 'received', counterpart_email, subject,
    (SELECT string_agg(($3::text[])[1 + (hashint8extended(n, word) & 1023)::int % cardinality($3::text[])], ' ') FROM generate_series(1, 100) word),
    'Is it still open?', '<' || n || '@quark.example>', now() + (n - $2::bigint) * interval '1 minute', now() + (n - $2::bigint) * interval '1 minute'
  FROM thread, generate_series(1, $2::bigint) n
  RETURNING conversation_id`;

const pageSize = 100;

export async function threads({ quick }: { quick: boolean }): Promise<Table> {
  const count = 50_000;
  let at: (path: string) => MakeRequest = () => () => ({ path: '', key: '' });
  const { product, database, close } = await makeSide(async ({ sql }) => {
    const { id, keys } = await createIdentity(sql, 'enterprise');
    const { rows } = await sql.query<{ conversation_id: string }>(insertThread, [id, count, words]);
    await sql.query('VACUUM (ANALYZE) conversations, messages, conversation_participants');
    await sql.query('CHECKPOINT');
    at = (path) => () => ({ path: `/api/v1/conversations/${rows[0]?.conversation_id}${path}`, key: keys[0] ?? '' });
    return {};
  });
  try {
    const behind = async (place: number) =>
      at(`/messages?cursor=${await cursorBehind(product, at('/messages?limit=200'), place / 200)}`);
    const reads: Record<string, MakeRequest> = {
      'first page': at('/messages'),
      'newest first': at('/messages?order=desc'),
      'those that came in': at('/messages?direction=inbound'),
      'page in the middle, by cursor': await behind(count / 2),
      'last page, by cursor': await behind(count - 200),
      'last page, by offset': at(`/messages?offset=${count - pageSize}`),
      'the conversation': at(''),
    };
    const rows: string[][] = [];
    for (const [name, read] of Object.entries(reads)) {
      const run = (connections: number) =>
        measure(product, database.pid, read, { connections, duration: quick ? 2 : 10, status: 200 });
      await run(8);
      const [alone, many] = [await run(1), await run(8)];
      rows.push([
        name,
        ...[alone.p50, alone.p99, many.p50, many.p99].map(milliseconds),
        ...[many.serverCpu, many.databaseCpu].map(milliseconds),
      ]);
    }
    return {
      title: 'A long thread',
      note: `One conversation of ${whole(count)} messages, ${pageSize} a page. Target: p50 under 20 ms at 1 connection.`,
      head: ['Read', 'p50 ms, 1 connection', 'p99 ms', 'p50 ms, 8 connections', 'p99 ms', 'CPU ms, Node', 'CPU ms, PostgreSQL'],
      rows,
    };
  } finally {
    await close();
  }
}
