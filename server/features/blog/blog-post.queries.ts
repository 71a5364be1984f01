import type { IdentityActor } from '@/server/platform/actor';
import { isPermitted, requireScope } from '@/server/platform/auth/access';
import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { publicUrl } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import type { BlogPostItem, BlogPostRecord } from './blog-post.schema';

/** A list row as stored: `handle` instead of `url`, and pictures of this installation by path. */
export type BlogPostItemRow = Omit<BlogPostItem, 'url'> & { handle: string };

export type BlogPostRow = Omit<BlogPostRecord, 'url'> & { handle: string };

/** Columns of the fields that clients write; the slug has its own rules. */
export const writtenColumns = {
  title: 'title',
  content: 'content',
  excerpt: 'excerpt',
  coverImageUrl: 'cover_image_url',
  authorName: 'author_name',
  authorAvatarUrl: 'author_avatar_url',
  authorAgentId: 'author_agent_id',
  tags: 'tags',
  metaDescription: 'meta_description',
} as const;

/** Columns by field that lists and single posts have in common; excludes the content. */
const { content: _, ...commonColumns } = {
  id: 'id',
  slug: 'slug',
  status: 'status',
  publishedAt: 'published_at',
  ...writtenColumns,
};

/**
 * Columns of the table `p`, for statements whose first parameter is the identity; URLs contain its handle, which is read once.
 */
export const postColumns = `${Object.entries(commonColumns)
  .map(([field, name]) => `p.${name} AS "${field}"`)
  .join(', ')}, (SELECT handle FROM ${identities} identities WHERE id = $1) AS handle`;

export const blogPostItemColumns = `${postColumns}, p.updated_at AS "editedAt"`;

/** @param content the expression for the content */
const blogPostColumnsWith = (content: string) =>
  `${postColumns}, ${content} AS content, p.revision, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

export const blogPostColumns = blogPostColumnsWith('p.content');

/** URL of an identity's public blog, without a trailing slash. */
export function siteUrlOf(handle: string): string {
  return `${publicUrl()}/blog/${handle}`;
}

/** Pictures of this installation are stored by path, so that they survive a move to another address. */
export function storedPictureUrl(url: string): string {
  const own = `${publicUrl()}/blog/`;
  return url.startsWith(own) && /\/media\/[0-9a-f-]{36}\.webp$/.test(url) ? url.slice(publicUrl().length) : url;
}

/** The absolute URL of a stored picture. */
function absolutePictureUrl(stored: string): string {
  return stored.startsWith('/') ? `${publicUrl()}${stored}` : stored;
}

/** A post as clients get it. The handle is overwritten, since taking it out with `...rest` would slow lists down. */
export function toBlogPost<Row extends BlogPostItemRow | BlogPostRow>(row: Row): Omit<Row, 'handle'> & { url: string | null } {
  return {
    ...row,
    handle: undefined,
    coverImageUrl: absolutePictureUrl(row.coverImageUrl),
    authorAvatarUrl: absolutePictureUrl(row.authorAvatarUrl),
    url: row.status === 'published' ? `${siteUrlOf(row.handle)}/${row.slug}` : null,
  };
}

/** 404 with the blog's own message (specification, "Errors"), for unknown and foreign posts alike. */
export function postNotFound(): AppError {
  return new AppError('not_found', 'Blog post not found');
}

/** @throws AppError not_found for an unknown or foreign id */
export async function findBlogPost(db: Queryable, identityId: string, id: string): Promise<BlogPostRow> {
  const [row] = await rows<BlogPostRow>(db, {
    name: 'blog-post-get',
    isoTimes: true,
    text: `SELECT ${blogPostColumns} FROM blog_posts p WHERE p.identity_id = $1 AND p.id = $2`,
    values: [identityId, id],
  });
  if (!row) throw postNotFound();
  return row;
}

/** What decides whether a draft is a member's own. */
interface Authorship extends Pick<BlogPostRow, 'status'> {
  has_been_public: boolean;
  created_by: string | null;
}

export interface LockedPost extends Omit<BlogPostRow, 'content'>, Authorship {
  content: string | null;
}

/**
 * Requires the right to change a post: members without `blog:write` may change their own drafts.
 * @throws AppError insufficient_role
 */
export function requireOwnDraft(actor: IdentityActor, post: Authorship): void {
  if (!isOwnDraft(actor, post)) requireScope(actor, 'blog:write');
}

function isOwnDraft(actor: IdentityActor, { status, has_been_public, created_by }: Authorship): boolean {
  return status === 'draft' && !has_been_public && actor.kind === 'session' && created_by === actor.userId;
}

/** Whether this member may change a post, before they try. @throws AppError not_found */
export async function canEditPost(db: Queryable, actor: IdentityActor, id: string): Promise<boolean> {
  const [post] = await rows<Authorship>(db, {
    name: 'blog-post-authorship',
    text: 'SELECT status, has_been_public, created_by FROM blog_posts WHERE identity_id = $1 AND id = $2',
    values: [actor.identityId, id],
  });
  if (!post) throw postNotFound();
  return isPermitted(actor, 'blog:write') || (isPermitted(actor, 'blog:draft') && isOwnDraft(actor, post));
}

/**
 * Locks a post until the end of the transaction.
 * @param change.content whether the content may change, too: megabytes are not read for nothing; else it is null
 */
export async function lockPost(
  client: Queryable,
  identityId: string,
  id: string,
  change: { content: boolean },
): Promise<LockedPost> {
  const [post] = await rows<LockedPost>(client, {
    name: 'blog-post-lock',
    isoTimes: true,
    text: `SELECT ${blogPostColumnsWith('CASE WHEN $3::boolean THEN p.content END')}, p.has_been_public, p.created_by FROM blog_posts p
      WHERE p.identity_id = $1 AND p.id = $2 FOR NO KEY UPDATE OF p`,
    values: [identityId, id, change.content],
  });
  if (!post) throw postNotFound();
  return post;
}
