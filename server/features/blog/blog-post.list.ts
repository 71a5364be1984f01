import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { type BlogPostItemRow, blogPostItemColumns, listedColumns, toBlogPost } from './blog-post.queries';
import type { BlogPostList, BlogPostStatus, ListBlogPostsInput } from './blog-post.schema';

/**
 * Matches of a tag or search are counted up to this number: nobody pages further, and an exact count would slow the search
 * down.
 */
const countingLimit = 1_000;

interface CountedRow extends BlogPostItemRow {
  matches: number;
}

interface Filter {
  where: string;
  /** True if the maintained counts have the total. */
  isCounted: boolean;
}

type FilterInput = Pick<ListBlogPostsInput, 'status' | 'tag' | 'search'>;

/** The conditions for the table `p`; values are appended to `values`. */
function filterOf({ status, tag, search }: FilterInput, values: unknown[]): Filter {
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['p.identity_id = $1'];
  if (status !== undefined) conditions.push(`p.status = ${parameter(status)}::blog_post_status`);
  const counted = conditions.length;
  if (tag !== undefined) conditions.push(`p.tags @> ARRAY[${parameter(tag)}::text]`);
  if (search) conditions.push(`p.title_key LIKE lower(${parameter(`%${escapeLike(search)}%`)}::text)`);
  return { where: conditions.join(' AND '), isCounted: conditions.length === counted };
}

/**
 * `GET /blog/posts`: newest first. Without tag and search the total is exact and free; otherwise it is exact up to a thousand.
 */
export async function listBlogPostPage(identityId: string, input: ListBlogPostsInput): Promise<BlogPostList['data']> {
  const { limit, offset, status } = input;
  const values: unknown[] = [identityId, limit, offset];
  const filter = filterOf(input, values);
  if (filter.isCounted) {
    const [found, counts] = await Promise.all([pageOf(filter, values), countByStatus(identityId)]);
    const total = status === undefined ? counts.draft + counts.published + counts.archived : counts[status];
    return { posts: found.map(toBlogPost), total, totalIsExact: true, limit, offset, hasMore: offset + found.length < total };
  }
  const found = await filteredPage(filter, values);
  const matches = found[0]?.matches ?? (offset === 0 ? 0 : await countMatches(identityId, input));
  const totalIsExact = matches <= countingLimit;
  const hasMore = offset + found.length < matches;
  // At least the rows seen plus one, for clients that page until the total is reached.
  const total = totalIsExact ? matches : Math.max(countingLimit, offset + found.length + (hasMore ? 1 : 0));
  return { posts: found.map(toBlogPost), total, totalIsExact, limit, offset, hasMore };
}

function pageOf({ where }: Filter, values: unknown[]): Promise<BlogPostItemRow[]> {
  return rows<BlogPostItemRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${blogPostItemColumns} FROM blog_posts p WHERE ${where}
      ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
    values,
  });
}

/** Not a named statement: the best index depends on the values (see customer.list.ts). */
function filteredPage({ where }: Filter, values: unknown[]): Promise<CountedRow[]> {
  return rows<CountedRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${blogPostItemColumns}, p.matches FROM (
        SELECT p.*, (count(*) OVER ())::float8 AS matches FROM (
          SELECT ${listedColumns} FROM blog_posts p WHERE ${where}
          ORDER BY p.created_at DESC, p.id DESC LIMIT greatest($2::bigint + $3::bigint, ${countingLimit}) + 1
        ) p
        ORDER BY p.created_at DESC, p.id DESC LIMIT $2 OFFSET $3
      ) p ORDER BY p.created_at DESC, p.id DESC`,
    values,
  });
}

/** The number of matches if the offset is beyond the last one, so that no row carries it. */
async function countMatches(identityId: string, input: FilterInput): Promise<number> {
  const values: unknown[] = [identityId];
  const { where } = filterOf(input, values);
  const [row] = await rows<{ matches: number }>(pool(), {
    text: `SELECT count(*)::float8 AS matches FROM (SELECT 1 FROM blog_posts p WHERE ${where} LIMIT ${countingLimit + 1}) p`,
    values,
  });
  return row?.matches ?? 0;
}

/** Number of posts per status, from the maintained counts. */
export async function countByStatus(identityId: string): Promise<Record<BlogPostStatus, number>> {
  const found = await rows<{ status: BlogPostStatus; posts: number }>(pool(), {
    name: 'blog-post-counts',
    text: 'SELECT status, sum(posts)::float8 AS posts FROM blog_post_counts WHERE identity_id = $1 GROUP BY status',
    values: [identityId],
  });
  return { draft: 0, published: 0, archived: 0, ...Object.fromEntries(found.map(({ status, posts }) => [status, posts])) };
}

/** Newest posts whose tags are suggested; bounds the cost for blogs with many posts. */
const tagsLookedAt = 2_000;
const tagsSuggested = 100;

/** The tags of the newest posts, most frequent first. */
export async function listTags(identityId: string): Promise<string[]> {
  const found = await rows<{ tag: string }>(pool(), {
    name: 'blog-post-tags',
    text: `SELECT tag FROM (
        SELECT tags FROM blog_posts WHERE identity_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${tagsLookedAt}
      ) newest, unnest(newest.tags) AS tag
      GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsSuggested}`,
    values: [identityId],
  });
  return found.map(({ tag }) => tag);
}
