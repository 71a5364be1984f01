import type { BlogOverview, BlogPostItem, BlogPostList, BlogPostStatus } from '@/server/features/blog/blog-post.schema';
import type { Permission } from '@/server/platform/auth/scopes.schema';

/** The calls that change a post's status. */
export type PostMove = 'publish' | 'unpublish' | 'archive';

/** The target status of each. */
export const moveTargets: Record<PostMove, BlogPostStatus> = { publish: 'published', unpublish: 'draft', archive: 'archived' };

type Moved = Pick<BlogPostItem, 'status' | 'publishedAt'>;

/** The available status changes, the most likely first. */
export function movesOf({ status }: Pick<BlogPostItem, 'status'>): PostMove[] {
  const order: PostMove[] = ['publish', 'unpublish', 'archive'];
  return order.filter((move) => moveTargets[move] !== status);
}

/**
 * The calls that restore a post to its state before `move`, including its date. Null if none do: a draft has no date, so a post
 * that becomes one loses its publication date. The caller asks before such a change.
 */
export function undoCallsOf({ status, publishedAt }: Moved, move: PostMove): PostMove[] | null {
  if (move === 'unpublish') return publishedAt === null ? ['archive'] : null;
  if (status === 'draft') return ['unpublish'];
  if (status === 'published') return ['publish'];
  // Publishing and unpublishing an archived post that was never public would give it a date it did not have.
  return publishedAt === null ? ['unpublish', 'archive'] : ['archive'];
}

/** The message after a change. */
export const moveMessages: Record<PostMove, string> = {
  publish: 'Post published',
  unpublish: 'Moved to drafts',
  archive: 'Post archived',
};

/** The beginning of the message after a failed change. */
export const moveFailures: Record<PostMove, string> = {
  publish: 'Couldn’t publish the post.',
  unpublish: 'Couldn’t move the post to drafts.',
  archive: 'Couldn’t archive the post.',
};

/**
 * A page of the list after posts changed to `status`.
 *
 * @param shown the list's status filter; a post that no longer matches leaves the page
 * @param now time of the change, ISO 8601
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
  // The server chooses the address.
  return { ...post, status, publishedAt, editedAt: now, url: null };
}

/** The overview after one post's status change. */
export function overviewAfterMove(overview: BlogOverview, from: BlogPostStatus, to: BlogPostStatus): BlogOverview {
  if (from === to) return overview;
  const { counts } = overview;
  return { ...overview, counts: { ...counts, [from]: Math.max(0, counts[from] - 1), [to]: counts[to] + 1 } };
}

/** What changing or deleting a post needs. @param isEditable false for a draft that the server keeps this member from changing */
export function editPermission(post: Pick<BlogPostItem, 'status'> | null, isEditable = true): Permission {
  return isEditable && (post === null || post.status === 'draft') ? 'blog:draft' : 'blog:write';
}
