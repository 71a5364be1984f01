import type pg from 'pg';
import { type BenchIdentity, createIdentity } from '../fill';
import type { MakeRequest } from '../load';
import { compareSizes, makeSide, type Side } from '../sides';
import { type Table, whole } from '../table';
import { words } from '../words';

/** Whether the list of posts stays as fast with a hundred times as many. */

const few = 1_000;
const many = 100_000;
const fewer = 20_000; // enough for --quick

/** To be found in twenty posts, all among the oldest; and in none. */
const terms = { rare: 'zephyrholm', absent: 'quixotryx' };

/** Posts from the oldest to the newest with texts of some 3 kB: one in fifty a draft, one in forty archived. */
const insertPosts = `
  INSERT INTO blog_posts (id, identity_id, title, slug, content, author_name, tags, status, published_at, has_been_public, created_at, updated_at)
  SELECT uuidv7((n - 1000000) * interval '20 seconds'), $1,
    (SELECT string_agg(($4::text[])[1 + (hashint8extended(n, word) & 1023)::int % cardinality($4::text[])], ' ') FROM generate_series(1, 6) word)
      || CASE WHEN n % 50 = 7 AND n <= 1000 THEN ' ${terms.rare}' ELSE '' END,
    'post-' || n, repeat(md5(n::text) || ' ', 90), 'Ann',
    CASE WHEN n % 50 = 9 AND n <= 1000 THEN '{rare}' WHEN n % 8 = 0 THEN '{often}' ELSE '{}' END::text[],
    CASE WHEN n % 50 = 1 THEN 'draft' WHEN n % 40 = 2 THEN 'archived' ELSE 'published' END::blog_post_status,
    CASE WHEN n % 50 = 1 THEN NULL ELSE now() + (n - 1000000) * interval '20 seconds' END, n % 50 <> 1,
    now() + (n - 1000000) * interval '20 seconds', now()
  FROM generate_series($2::bigint, $3::bigint) AS n`;

async function fill(sql: pg.Client, { id }: BenchIdentity, count: number): Promise<void> {
  const batch = 20_000;
  for (let from = 1; from <= count; from += batch) {
    await sql.query(insertPosts, [id, from, Math.min(count, from + batch - 1), words]);
  }
  await sql.query('VACUUM (ANALYZE) blog_posts');
  await sql.query('CHECKPOINT');
}

function listsOf({ keys: [key = ''] }: BenchIdentity, newestId: string): Record<string, MakeRequest> {
  const at = (query: string): MakeRequest => {
    return () => ({ path: `/api/v1/blog/posts${query}`, key });
  };
  return {
    'first page': at(''),
    'a hundred': at('?limit=100'),
    'page 46': at('?offset=900'),
    published: at('?status=published'),
    drafts: at('?status=draft'),
    'tag of twenty': at('?tag=rare'),
    'tag of one in eight': at('?tag=often'),
    'search, twenty match': at(`?search=${terms.rare}`),
    'search, none match': at(`?search=${terms.absent}`),
    'search, one in 35 match': at(`?search=${words[0]}`),
    'one post': at(`/${newestId}`),
  };
}

function openPosts(count: number): Promise<Side> {
  return makeSide(async ({ sql }) => {
    const identity = await createIdentity(sql, 'enterprise');
    await fill(sql, identity, count);
    const newest = await sql.query<{ id: string }>(
      'SELECT id FROM blog_posts WHERE identity_id = $1 ORDER BY created_at DESC LIMIT 1',
      [identity.id],
    );
    return listsOf(identity, newest.rows[0]?.id ?? '');
  });
}

export async function posts({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? fewer : many;
  return {
    title: 'Posts',
    note:
      `One identity with ${whole(few)} posts, and one with ${whole(count)} in a database of its own; p50 at 8 connections. ` +
      `Of "tag of one in eight" and "search, one in 35 match" there are ${count / few} times as many as well.`,
    head: ['Read', `p50 ms at ${whole(few)}`, `p50 ms at ${whole(count)}`, 'Factor', 'Requests/s'],
    rows: await compareSizes(openPosts, [few, count], quick),
  };
}
