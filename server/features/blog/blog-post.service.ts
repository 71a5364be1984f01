import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { rows, violatedConstraint } from '@/server/platform/db/sql';
import { ConcurrentChange, transaction } from '@/server/platform/db/transaction';
import type { WordFilter } from '@/server/platform/db/word-search';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { countByStatus, listBlogPostPage, listTags } from './blog-post.list';
import { logPost, type PostEvent } from './blog-post.log';
import {
  type BlogPostRow,
  blogPostColumns,
  canEditPost,
  findBlogPost,
  type LockedPost,
  lockPost,
  postNotFound,
  requireOwnDraft,
  siteUrlOf,
  storedPictureUrl,
  toBlogPost,
  writtenColumns,
} from './blog-post.queries';
import {
  type BlogOverview,
  type BlogPostAnswer,
  type BlogPostEditing,
  type BlogPostList,
  type BlogPostStatus,
  type CreateBlogPostInput,
  contentMaximumBytes,
  type ListBlogPostsInput,
  type UpdateBlogPostInput,
} from './blog-post.schema';
import { generateSlug } from './blog-post.slug';
import { measureRemotePictures } from './remote-picture.service';

export function answerOf(row: BlogPostRow): BlogPostAnswer {
  return { success: true, data: { post: toBlogPost(row) } };
}

/** `GET /blog/posts`. */
export async function listBlogPosts(actor: IdentityActor, input: ListBlogPostsInput & WordFilter): Promise<BlogPostList> {
  return { success: true, data: await listBlogPostPage(actor.identityId, input) };
}

const versionQuery = 'SELECT revision, updated_at AS "updatedAt" FROM blog_posts WHERE identity_id = $1::uuid AND id = $2::uuid';

export const blogPostVersion: RecordVersion<{ postId: string }, BlogPostAnswer> = {
  lock: (db, { identityId }, { postId }) =>
    lockRevision(db, { name: 'blog-post-revision', text: `${versionQuery} FOR NO KEY UPDATE`, values: [identityId, postId] }),
  read: ({ identityId }, { postId }) =>
    readVersion({ name: 'blog-post-version', text: versionQuery, values: [identityId, postId] }),
};

/** @throws AppError not_found for an unknown or foreign id */
export async function getBlogPost(actor: IdentityActor, id: string): Promise<BlogPostAnswer> {
  return answerOf(await findBlogPost(pool(), actor.identityId, id));
}

/** Whether the signed-in member may change a post; members change their own drafts. @throws AppError not_found */
export async function getPostEditing(actor: IdentityActor, id: string): Promise<BlogPostEditing> {
  return { isEditable: await canEditPost(pool(), actor, id) };
}

/** Data of the dashboard's list besides the posts. */
export async function getBlogOverview({ identityId }: IdentityActor): Promise<BlogOverview> {
  const [counts, tags, [identity]] = await Promise.all([
    countByStatus(identityId),
    listTags(identityId),
    rows<{ handle: string }>(pool(), {
      name: 'blog-handle',
      text: `SELECT handle FROM ${identities} identities WHERE id = $1`,
      values: [identityId],
    }),
  ]);
  return { counts, tags, siteUrl: siteUrlOf(identity?.handle ?? '') };
}

const slugConstraint = 'blog_posts_identity_id_slug_key';
const agentConstraint = 'blog_posts_identity_id_author_agent_id_fkey';

/** Translates a database error to the contract's; for a slug chosen by the server, the caller tries another one. */
export function refusal(error: unknown, slug: { given: boolean }): unknown {
  switch (violatedConstraint(error)) {
    case slugConstraint:
      if (!slug.given) return new ConcurrentChange('somebody took the slug in between');
      return new AppError('slug_taken', 'Another post has this slug.', { details: { fields: { slug: 'is taken' } } });
    case agentConstraint:
      return invalidFields({ authorAgentId: 'is not an agent of this identity' });
    default:
      return error;
  }
}

/** From now on the slug leads to the public post that has it, and no longer to posts that had it before. */
async function claimSlug(client: pg.PoolClient, identityId: string, slug: string): Promise<void> {
  await client.query({
    name: 'blog-slug-claim',
    text: 'DELETE FROM blog_post_former_addresses WHERE identity_id = $1 AND slug = $2',
    values: [identityId, slug],
  });
}

/** Contract section 2, "Limits". */
function checkContent(content: string | undefined): void {
  if (content === undefined || Buffer.byteLength(content) <= contentMaximumBytes) return;
  throw new AppError('payload_too_large', `The content may have at most ${contentMaximumBytes} bytes in UTF-8.`);
}

/**
 * `POST /blog/posts`: creates a draft. Without a slug it gets a unique one from its title.
 *
 * @throws AppError slug_taken, payload_too_large, invalid_request for an agent that is not this identity's
 */
export async function createBlogPost(actor: IdentityActor, input: CreateBlogPostInput): Promise<BlogPostAnswer> {
  const { identityId } = actor;
  const id = uuidv7();
  checkContent(input.content);
  return transaction(actor, async (client) => {
    try {
      const slug = input.slug ?? (await generateSlug(client, { identityId, postId: id }, input.title));
      const [row] = await rows<BlogPostRow>(client, {
        name: 'blog-post-insert',
        isoTimes: true,
        text: `INSERT INTO blog_posts AS p (identity_id, id, title, slug, content, excerpt, cover_image_url, author_name, author_avatar_url,
            author_agent_id, tags, meta_description, created_by)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${blogPostColumns}`,
        values: [
          identityId,
          id,
          input.title,
          slug,
          input.content,
          input.excerpt,
          storedPictureUrl(input.coverImageUrl),
          input.authorName,
          storedPictureUrl(input.authorAvatarUrl),
          input.authorAgentId,
          input.tags,
          input.metaDescription,
          actor.kind === 'session' ? actor.userId : null,
        ],
      });
      if (!row) throw new Error('the insert gave no row');
      await logPost(client, actor, 'blog.post.created', row);
      return answerOf(row);
    } catch (error) {
      throw refusal(error, { given: input.slug !== undefined });
    }
  });
}

function changedColumns(input: UpdateBlogPostInput): Map<string, unknown> {
  const { coverImageUrl, authorAvatarUrl } = input;
  const stored = {
    ...input,
    coverImageUrl: coverImageUrl && storedPictureUrl(coverImageUrl),
    authorAvatarUrl: authorAvatarUrl && storedPictureUrl(authorAvatarUrl),
  };
  const columns = new Map<string, unknown>();
  for (const [field, column] of Object.entries(writtenColumns)) {
    const value = stored[field as keyof typeof writtenColumns];
    if (value !== undefined) columns.set(column, value);
  }
  return columns;
}

/** The slug after an update (specification, "Blog"): the given one; for a new title one made from it; else the current one. */
async function slugAfter(
  client: pg.PoolClient,
  actor: IdentityActor,
  input: UpdateBlogPostInput,
  post: LockedPost,
): Promise<string> {
  if (input.slug !== undefined) return input.slug;
  if (input.title === undefined || input.title === post.title) return post.slug;
  return generateSlug(client, { identityId: actor.identityId, postId: input.postId, current: post }, input.title);
}

/** Moves a post to another slug. If the post was ever public, the old slug redirects to the new one. */
async function moveSlug(client: pg.PoolClient, identityId: string, postId: string, from: LockedPost, to: string): Promise<void> {
  if (from.status !== 'draft') await claimSlug(client, identityId, to);
  if (!from.has_been_public) return;
  await client.query({
    name: 'blog-slug-leave',
    text: `INSERT INTO blog_post_former_addresses (identity_id, slug, post_id) VALUES ($1, $2, $3)
      ON CONFLICT (identity_id, slug) DO UPDATE SET post_id = excluded.post_id`,
    values: [identityId, from.slug, postId],
  });
}

/**
 * `PATCH /blog/posts/{postId}`: only supplied fields change. A published post's change is live when this returns.
 *
 * @throws AppError slug_taken, payload_too_large, edited_elsewhere if the post is no longer at `ifRevision`, invalid_request,
 *   not_found
 */
export async function updateBlogPost(actor: IdentityActor, input: UpdateBlogPostInput): Promise<BlogPostAnswer> {
  const { identityId } = actor;
  const { postId } = input;
  checkContent(input.content);
  return transaction(actor, async (client) => {
    try {
      const post = await lockPost(client, identityId, postId, { content: input.content !== undefined });
      requireOwnDraft(actor, post);
      if (input.ifRevision !== undefined && input.ifRevision !== post.revision) throw editedElsewhere(post.revision);
      const columns = changedColumns(input);
      const slug = await slugAfter(client, actor, input, post);
      if (slug !== post.slug) columns.set('slug', slug);
      if (columns.size === 0) return answerOf(await findBlogPost(client, identityId, postId));
      // Before the post itself: deletions lock these rows in the same order.
      if (slug !== post.slug) await moveSlug(client, identityId, postId, post, slug);
      const row = await writePost(client, identityId, postId, columns);
      await measureRemotePictures(client, identityId, row);
      await logPost(client, actor, 'blog.post.updated', row, { before: post });
      return answerOf(row);
    } catch (error) {
      throw refusal(error, { given: input.slug !== undefined });
    }
  });
}

function editedElsewhere(revision: number): AppError {
  return new AppError('edited_elsewhere', 'This post was changed in the meantime.', { details: { revision } });
}

async function writePost(
  client: pg.PoolClient,
  identityId: string,
  id: string,
  columns: ReadonlyMap<string, unknown>,
): Promise<BlogPostRow> {
  const assignments = [...columns.keys()].map((column, index) => `${column} = $${index + 3}`);
  const [row] = await rows<BlogPostRow>(client, {
    isoTimes: true,
    text: `UPDATE blog_posts p SET ${assignments.join(', ')}, revision = revision + 1, updated_at = clock_timestamp()
      WHERE p.identity_id = $1 AND p.id = $2 RETURNING ${blogPostColumns}`,
    values: [identityId, id, ...columns.values()],
  });
  if (!row) throw postNotFound();
  return row;
}

/** Changes of other columns for a move to each status (specification, "States and transitions"; contract section 7). */
const moves = {
  // An archived post that was public before keeps its publication time.
  published: 'published_at = coalesce(published_at, clock_timestamp()), has_been_public = true',
  draft: 'published_at = NULL',
  archived: 'published_at = published_at',
} satisfies Record<BlogPostStatus, string>;

const moveEvents = {
  published: 'blog.post.published',
  draft: 'blog.post.unpublished',
  archived: 'blog.post.archived',
} satisfies Record<BlogPostStatus, PostEvent>;

/** Publishes, unpublishes or archives a post; does nothing if it already has this status. */
export async function moveBlogPost(actor: IdentityActor, id: string, status: BlogPostStatus): Promise<BlogPostAnswer> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const post = await lockPost(client, identityId, id, { content: false });
    if (post.status === status) return answerOf(await findBlogPost(client, identityId, id));
    if (status === 'published') await claimSlug(client, identityId, post.slug);
    const [moved] = await rows<BlogPostRow>(client, {
      name: `blog-post-${status}`,
      isoTimes: true,
      text: `UPDATE blog_posts p SET status = '${status}', ${moves[status]}, revision = revision + 1, updated_at = clock_timestamp()
        WHERE p.identity_id = $1 AND p.id = $2 RETURNING ${blogPostColumns}`,
      values: [identityId, id],
    });
    if (!moved) throw postNotFound();
    await measureRemotePictures(client, identityId, moved);
    await logPost(client, actor, moveEvents[status], moved, { before: post });
    return answerOf(moved);
  });
}
