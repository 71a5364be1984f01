import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { publicUrl } from '@/server/platform/env';
import type { Profile } from '../addresses/identity-record.schema';
import { countByStatus } from './blog-post.list';
import type { BlogPostStatus } from './blog-post.schema';
import {
  line,
  type PublicPostRow,
  publicPostColumns,
  socialImageOfFirst,
  toFeedPosts,
  toPostPage,
  toSummaries,
} from './public-post';
import type { FeedPost, IndexPage, PostLink, PostPage, Site } from './site/site';
import type { SitemapEntry } from './site/sitemap';

/** The public view of an identity's blog, for anonymous readers: only published posts. */

/** A blog and its version: pages rendered at an equal version are still valid. */
export interface BlogVersion {
  identityId: string;
  version: string;
}

/** @returns null if no identity has this handle */
export async function getBlogVersion(handle: string): Promise<BlogVersion | null> {
  const [found] = await rows<{ id: string; version: string }>(pool(), {
    name: 'blog-version',
    text: `SELECT i.id, coalesce(s.version, 0)::text AS version
      FROM ${identities} i LEFT JOIN blog_sites s ON s.identity_id = i.id WHERE i.handle = $1`,
    values: [handle],
  });
  return found ? { identityId: found.id, version: found.version } : null;
}

/** Posts on a page of the blog. */
const postsPerPage = 12;
const postsInFeeds = 20;

/** The business' profile, shown around the posts. */
export async function getSite(identityId: string): Promise<Site> {
  const [found] = await rows<{ handle: string; display_name: string | null; profile: Profile | null; language: string }>(pool(), {
    name: 'blog-site',
    text: `SELECT i.handle, i.display_name, i.profile, coalesce(s.language, 'en') AS language
      FROM ${identities} i LEFT JOIN blog_sites s ON s.identity_id = i.id WHERE i.id = $1`,
    values: [identityId],
  });
  if (!found) throw new Error('the identity of a blog is gone');
  const profile = found.profile ?? {};
  return {
    handle: found.handle,
    title: found.display_name?.trim() || found.handle,
    tagline: profile.tagline ?? '',
    about: profile.about ?? '',
    website: profile.website ?? '',
    language: found.language,
    services: (profile.services ?? [])
      .filter(({ active }) => active)
      .map(({ name, description, price, currency, billingInterval }) => ({
        name,
        description: description ?? '',
        price,
        currency,
        billingInterval,
      })),
    baseUrl: publicUrl(),
  };
}

/** Newest posts from which the list of tags is made: bounds the cost for large blogs. */
const tagsLookedAt = 2_000;
const tagsShown = 40;

async function publicTags(identityId: string): Promise<IndexPage['tags']> {
  return rows<{ tag: string; count: number }>(pool(), {
    name: 'blog-public-tags',
    text: `SELECT tag, count(*)::float8 AS count FROM (
        SELECT tags FROM blog_posts WHERE identity_id = $1 AND status = 'published'
        ORDER BY published_at DESC, id DESC LIMIT ${tagsLookedAt}
      ) newest, LATERAL (SELECT DISTINCT unnest(newest.tags) AS tag) used
      GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsShown}`,
    values: [identityId],
  });
}

function countTagged(identityId: string, tag: string): Promise<{ total: number }[]> {
  return rows<{ total: number }>(pool(), {
    text: `SELECT count(*)::float8 AS total FROM blog_posts WHERE identity_id = $1 AND status = 'published' AND tags @> ARRAY[$2::text]`,
    values: [identityId, tag],
  });
}

async function totalOf(identityId: string, tag: string | null): Promise<number> {
  if (tag === null) return (await countByStatus(identityId)).published;
  return (await countTagged(identityId, tag))[0]?.total ?? 0;
}

function newestPosts(identityId: string, tag: string | null, limit: number, offset: number): Promise<PublicPostRow[]> {
  return rows<PublicPostRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${publicPostColumns} FROM blog_posts p
      WHERE p.identity_id = $1 AND p.status = 'published' ${tag === null ? '' : 'AND p.tags @> ARRAY[$4::text]'}
      ORDER BY p.published_at DESC, p.id DESC LIMIT $2 OFFSET $3`,
    values: [identityId, limit, offset, ...(tag === null ? [] : [tag])],
  });
}

/** A page of the blog, newest post first. @returns null for a page after the last one, and for an unknown tag */
export async function getIndexPage(
  identityId: string,
  { page, tag }: { page: number; tag: string | null },
): Promise<IndexPage | null> {
  const total = await totalOf(identityId, tag);
  const pageCount = Math.max(1, Math.ceil(total / postsPerPage));
  if (page > pageCount || (tag !== null && total === 0)) return null;
  const [found, tags] = await Promise.all([
    newestPosts(identityId, tag, postsPerPage, (page - 1) * postsPerPage),
    publicTags(identityId),
  ]);
  const [posts, social] = await Promise.all([toSummaries(found), socialImageOfFirst(found)]);
  return { posts, page, pageCount, tag, tags, total, social };
}

/** The result for a post's URL. */
export type PublicPost =
  | { kind: 'post'; post: PostPage; isPlain: boolean }
  /** The URL is a former one of the post. */
  | { kind: 'moved'; slug: string }
  /** The post is archived. */
  | { kind: 'gone' }
  | { kind: 'unknown' };

async function formerPost(identityId: string, slug: string): Promise<{ slug: string; status: BlogPostStatus } | undefined> {
  const [found] = await rows<{ slug: string; status: BlogPostStatus }>(pool(), {
    name: 'blog-former-address',
    text: `SELECT p.slug, p.status FROM blog_post_former_addresses f
      JOIN blog_posts p ON p.identity_id = f.identity_id AND p.id = f.post_id WHERE f.identity_id = $1 AND f.slug = $2`,
    values: [identityId, slug],
  });
  return found;
}

/** The slug of the published post that formerly had this one; null if there is none. */
export async function movedPost(identityId: string, slug: string): Promise<string | null> {
  const former = await formerPost(identityId, slug);
  return former?.status === 'published' ? former.slug : null;
}

/** The published posts before and after one. */
async function neighbours(identityId: string, post: PublicPostRow): Promise<{ newer: PostLink | null; older: PostLink | null }> {
  const next = (comparison: '>' | '<', order: 'ASC' | 'DESC') =>
    rows<PostLink>(pool(), {
      name: `blog-neighbour-${order}`,
      text: `SELECT slug, title FROM blog_posts WHERE identity_id = $1 AND status = 'published'
        AND (published_at, id) ${comparison} ($2::timestamptz, $3::uuid) ORDER BY published_at ${order}, id ${order} LIMIT 1`,
      values: [identityId, post.publishedAt, post.id],
    });
  const [[newer], [older]] = await Promise.all([next('>', 'ASC'), next('<', 'DESC')]);
  const linkTo = (post: PostLink | undefined) => (post ? { slug: post.slug, title: line(post.title) } : null);
  return { newer: linkTo(newer), older: linkTo(older) };
}

/** The post with this slug, its new slug, or `gone`. */
export async function getPublicPost(identityId: string, slug: string): Promise<PublicPost> {
  const [found] = await rows<PublicPostRow>(pool(), {
    name: 'blog-public-post',
    isoTimes: true,
    text: `SELECT ${publicPostColumns} FROM blog_posts p WHERE p.identity_id = $1 AND p.slug = $2`,
    values: [identityId, slug],
  });
  if (found?.status === 'published') {
    const [{ isPlain, ...post }, links] = await Promise.all([toPostPage(found), neighbours(identityId, found)]);
    return { kind: 'post', post: { ...post, ...links }, isPlain };
  }
  if (found?.status === 'archived') return { kind: 'gone' };
  // A draft takes a slug over from the post that had it before only when it is published.
  const former = await formerPost(identityId, slug);
  if (former?.status === 'published') return { kind: 'moved', slug: former.slug };
  return { kind: former?.status === 'archived' ? 'gone' : 'unknown' };
}

/** The newest posts with their full content, for feeds. */
export async function getFeedPosts(identityId: string): Promise<FeedPost[]> {
  return toFeedPosts(await newestPosts(identityId, null, postsInFeeds, 0));
}

/** Number of published posts. */
export async function countPublicPosts(identityId: string): Promise<number> {
  return (await countByStatus(identityId)).published;
}

/** Slugs and modification times of published posts, oldest first, so that new posts do not shift the others. */
export async function getSitemapEntries(
  identityId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<SitemapEntry[]> {
  return rows<SitemapEntry>(pool(), {
    name: 'blog-sitemap',
    isoTimes: true,
    text: `SELECT slug, updated_at AS "updatedAt" FROM blog_posts WHERE identity_id = $1 AND status = 'published'
      ORDER BY published_at, id LIMIT $2 OFFSET $3`,
    values: [identityId, limit, offset],
  });
}

/** The content of a post's generated card. */
export interface SocialCard {
  title: string;
  siteName: string;
  byline: string;
}

/** @returns null if the post is not published */
export async function getSocialCard(identityId: string, slug: string): Promise<SocialCard | null> {
  const [found] = await rows<SocialCard>(pool(), {
    name: 'blog-social-card',
    text: `SELECT p.title, p.author_name AS byline, coalesce(nullif(trim(i.display_name), ''), i.handle) AS "siteName"
      FROM blog_posts p JOIN ${identities} i ON i.id = p.identity_id
      WHERE p.identity_id = $1 AND p.slug = $2 AND p.status = 'published'`,
    values: [identityId, slug],
  });
  return found ?? null;
}
