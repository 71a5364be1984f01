import {
  countingLimit,
  type FilteredList,
  hasTrigram,
  listFiltered,
  listWhole,
  type PageInput,
} from '@/server/platform/db/filtered-list';
import { pool } from '@/server/platform/db/pool';
import { escapeLike, rows } from '@/server/platform/db/sql';
import { hasWords, type WordFilter } from '@/server/platform/db/word-search';
import { tooShortToSearch } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import { type BlogPostItemRow, blogPostItemColumns, toBlogPost } from './blog-post.queries';
import type { BlogPostList, BlogPostStatus, ListBlogPostsInput } from './blog-post.schema';

interface ListedRow extends BlogPostItemRow {
  createdAt: string;
}

interface CountedRow extends ListedRow {
  matches: number;
}

const columns = `${blogPostItemColumns}, p.created_at AS "createdAt"`;

/**
 * `GET /blog/posts`: newest first. Without tag and search the total is exact and free; otherwise it is exact up to a thousand.
 *
 * @throws AppError invalid_request for a search too short for a long list
 */
export async function listBlogPostPage(
  identityId: string,
  input: ListBlogPostsInput & WordFilter,
): Promise<BlogPostList['data']> {
  const { limit, status, tag, search, words } = input;
  const key = ['posts', identityId, status, tag, search, ...(words ? [words] : [])];
  const position = positionOf(key, input);
  const wanted = { limit, offset: input.offset, position };
  const offset = position?.before ?? input.offset;
  const list = filteredList(identityId, input);
  if (!list) {
    const [found, counts] = await Promise.all([wholePage(identityId, status, wanted), countByStatus(identityId)]);
    const total = status === undefined ? counts.draft + counts.published + counts.archived : counts[status];
    const nextCursor = nextCursorOf(key, { ...found, matches: total }, timeOf, offset);
    return { posts: found.page.map(toItem), total, totalIsExact: true, limit, offset, hasMore: found.hasMore, nextCursor };
  }
  const found = await listFiltered<CountedRow>(list, wanted);
  if (!found) throw tooShortToSearch('search');
  const { page, matches, hasMore } = found;
  const totalIsExact = matches <= countingLimit;
  // At least the rows seen plus one, for clients that page until the total is reached.
  const total = totalIsExact ? matches : Math.max(countingLimit, offset + page.length + (hasMore ? 1 : 0));
  const nextCursor = nextCursorOf(key, found, timeOf, offset);
  return { posts: page.map(toItem), total, totalIsExact, limit, offset, hasMore, nextCursor };
}

/** Posts are listed by their creation, which their list does not show. */
const timeOf = (row: ListedRow) => row.createdAt;
const toItem = (row: ListedRow) => ({ ...toBlogPost(row), createdAt: undefined });

function scopeOf(status: BlogPostStatus | undefined, values: unknown[]): string {
  return status === undefined
    ? 'p.identity_id = $1'
    : `p.identity_id = $1 AND p.status = $${values.push(status)}::blog_post_status`;
}

function wholePage(identityId: string, status: BlogPostStatus | undefined, page: PageInput) {
  const values: unknown[] = [identityId];
  const select = `SELECT ${columns} FROM blog_posts p WHERE ${scopeOf(status, values)}`;
  return listWhole<ListedRow>({ alias: 'p', time: 'created_at', select, values }, page);
}

/** The list of a tag or search; null without either. */
function filteredList(
  identityId: string,
  { status, tag, search, words = [] }: ListBlogPostsInput & WordFilter,
): FilteredList | null {
  if (tag === undefined && !search && words.length === 0) return null;
  const values: unknown[] = [identityId];
  const parameter = (value: string) => `$${values.push(value)}::text`;
  const scope = scopeOf(status, values);
  const filter: string[] = [];
  if (tag !== undefined) filter.push(`p.tags @> ARRAY[${parameter(tag)}]`);
  if (search) filter.push(`p.title_key LIKE lower(${parameter(`%${escapeLike(search)}%`)})`);
  if (words.length > 0) filter.push(hasWords(['p.title_key'], words, (value) => `$${values.push(value)}`));
  const conditions = filter.join(' AND ');
  return {
    table: 'blog_posts',
    alias: 'p',
    time: 'created_at',
    columns,
    scope,
    filter: conditions,
    isIndexed: tag !== undefined || hasTrigram(search ?? '') || words.some((word) => word.isIndexed),
    size: 'SELECT coalesce(sum(posts), 0) FROM blog_post_counts WHERE identity_id = $1',
    values,
  };
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
