import type { BlogOverview, BlogPostItem, BlogPostList, BlogPostStatus } from '@/server/features/blog/blog-post.schema';

/** What moves a post to another status, by the name of its call. */
export type PostMove = 'publish' | 'unpublish' | 'archive';

/** Where each move leads. */
export const moveTargets: Record<PostMove, BlogPostStatus> = { publish: 'published', unpublish: 'draft', archive: 'archived' };

type Moved = Pick<BlogPostItem, 'status' | 'publishedAt'>;

/** The moves that change anything, the likeliest first. */
export function movesOf({ status }: Pick<BlogPostItem, 'status'>): PostMove[] {
  const order: PostMove[] = ['publish', 'unpublish', 'archive'];
  return order.filter((move) => moveTargets[move] !== status);
}

/**
 * The calls that bring a post back to where it was before `move`, its date included. Null where nothing does: a draft has no date,
 * so a post that becomes one forgets when it was published. Such a move is worth a question beforehand.
 */
export function wayBack({ status, publishedAt }: Moved, move: PostMove): PostMove[] | null {
  if (move === 'unpublish') return publishedAt === null ? ['archive'] : null;
  if (status === 'draft') return ['unpublish'];
  if (status === 'published') return ['publish'];
  // An archived post that was never public would come back from being published with a date it did not have.
  return publishedAt === null ? ['unpublish', 'archive'] : ['archive'];
}

/** What is said once a move is made. */
export const movedWords: Record<PostMove, string> = {
  publish: 'Post published',
  unpublish: 'Moved to drafts',
  archive: 'Post archived',
};

/** Begins what is said where a move fails. */
export const moveFailures: Record<PostMove, string> = {
  publish: 'The post was not published.',
  unpublish: 'The post was not moved to drafts.',
  archive: 'The post was not archived.',
};

/**
 * A page of the list as it will be after posts' move to `status`.
 *
 * @param shown the status the list is narrowed to; a post that leaves it leaves the page
 * @param now when it happens, ISO 8601
 */
export function listAfterMove(
  list: BlogPostList,
  postId: string,
  { status, shown, now }: { status: BlogPostStatus; shown: BlogPostStatus | undefined; now: string },
): BlogPostList {
  const { posts, total } = list.data;
  if (!posts.some(({ id }) => id === postId)) return list;
  if (shown !== undefined && shown !== status) {
    const rest = posts.filter(({ id }) => id !== postId);
    return { ...list, data: { ...list.data, posts: rest, total: Math.max(rest.length, total - 1) } };
  }
  const moved = posts.map((post) => (post.id === postId ? postAfterMove(post, status, now) : post));
  return { ...list, data: { ...list.data, posts: moved } };
}

function postAfterMove(post: BlogPostItem, status: BlogPostStatus, now: string): BlogPostItem {
  const publishedAt = status === 'draft' ? null : (post.publishedAt ?? (status === 'published' ? now : null));
  // Which address it gets is for the server to say.
  return { ...post, status, publishedAt, editedAt: now, url: null };
}

/** The overview as it will be after one post's move. */
export function overviewAfterMove(overview: BlogOverview, from: BlogPostStatus, to: BlogPostStatus): BlogOverview {
  if (from === to) return overview;
  const { counts } = overview;
  return { ...overview, counts: { ...counts, [from]: Math.max(0, counts[from] - 1), [to]: counts[to] + 1 } };
}
