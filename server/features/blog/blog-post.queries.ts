import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { publicUrl } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import type { BlogPostItem, BlogPostRecord, BlogPostStatus } from './blog-post.schema';

/** Columns of lists; excludes the content. */
export interface BlogPostItemRow {
  id: string;
  identity_id: string;
  title: string;
  slug: string;
  excerpt: string;
  cover_image_url: string;
  author_name: string;
  author_avatar_url: string;
  author_agent_id: string | null;
  status: BlogPostStatus;
  /** ISO 8601: see Statement.isoTimes. */
  published_at: string | null;
  tags: string[];
  meta_description: string;
  updated_at: string;
  handle: string;
}

export interface BlogPostRow extends BlogPostItemRow {
  content: string;
  revision: number;
  created_at: string;
}

const names = [
  'id',
  'identity_id',
  'title',
  'slug',
  'excerpt',
  'cover_image_url',
  'author_name',
  'author_avatar_url',
  'author_agent_id',
  'status',
  'published_at',
  'tags',
  'meta_description',
  'updated_at',
];

/** Columns of a list row, and the order of lists. */
export const listedColumns = [...names, 'created_at'].map((name) => `p.${name}`).join(', ');

/**
 * Columns of the table `p`, for statements whose first parameter is the identity; URLs contain its handle, which is read once.
 */
export const blogPostItemColumns = `${names.map((name) => `p.${name}`).join(', ')},
  (SELECT handle FROM ${identities} identities WHERE id = $1) AS handle`;

export const blogPostColumns = `${blogPostItemColumns}, p.content, p.revision, p.created_at`;

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

function listedFields(row: BlogPostItemRow) {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    excerpt: row.excerpt,
    coverImageUrl: absolutePictureUrl(row.cover_image_url),
    authorName: row.author_name,
    authorAvatarUrl: absolutePictureUrl(row.author_avatar_url),
    authorAgentId: row.author_agent_id,
    status: row.status,
    publishedAt: row.published_at,
    tags: row.tags,
    metaDescription: row.meta_description,
    url: row.status === 'published' ? `${siteUrlOf(row.handle)}/${row.slug}` : null,
  };
}

export function toBlogPostItem(row: BlogPostItemRow): BlogPostItem {
  return { ...listedFields(row), editedAt: row.updated_at };
}

export function toBlogPost(row: BlogPostRow): BlogPostRecord {
  const { content, revision, created_at: createdAt, updated_at: updatedAt } = row;
  return { ...listedFields(row), content, revision, createdAt, updatedAt };
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
