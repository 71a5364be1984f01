import { blogPostLimits } from '@/server/features/blog/blog-post.schema';
import {
  countPublicPosts,
  getFeedPosts,
  getIndexPage,
  getPublicPost,
  getSitemapEntries,
  getSocialCard,
  movedPost,
  type SocialCard,
} from '@/server/features/blog/public-blog.service';
import { accentHue } from '@/server/features/blog/site/accent';
import { renderAtom, renderJsonFeed, renderRss } from '@/server/features/blog/site/feeds';
import { renderIndexPage } from '@/server/features/blog/site/index-page';
import { renderGonePage, renderNotFoundPage } from '@/server/features/blog/site/message-page';
import { renderPostPage } from '@/server/features/blog/site/post-page';
import type { FeedPost, Site } from '@/server/features/blog/site/site';
import { renderRobots, renderSitemap, renderSitemapIndex, sitemapFiles, sitemapSlice } from '@/server/features/blog/site/sitemap';
import { LoadingCache } from '@/server/platform/loading-cache';
import { oncePerProcess } from '@/server/platform/process-globals';
import type { MadePage } from './page-cache';

/** Renders the pages of a blog; see `routeOf` for its routes. */

/** A route below a blog, with the parameters that affect the result. */
export type BlogRoute =
  | { kind: 'index'; page: number; tag: string | null }
  | { kind: 'post'; slug: string }
  | { kind: 'social'; slug: string }
  | { kind: 'feed'; format: keyof typeof feeds }
  | { kind: 'sitemap'; file: number | null }
  | { kind: 'robots' }
  | { kind: 'none' };

const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** Cache time in milliseconds of a page that shows a text unrendered: a busy machine may have been the reason. */
const plainPageFor = 10 * 60 * 1000;

const feeds = {
  'feed.xml': { type: 'application/rss+xml; charset=utf-8', render: renderRss },
  'atom.xml': { type: 'application/atom+xml; charset=utf-8', render: renderAtom },
  'feed.json': { type: 'application/feed+json; charset=utf-8', render: renderJsonFeed },
} satisfies Record<string, { type: string; render: (site: Site, posts: FeedPost[]) => string }>;

/** True for the names of feeds below a blog. */
export function isFeed(name: string): name is keyof typeof feeds {
  return Object.hasOwn(feeds, name);
}

function pageNumber(text: string | null): number | null {
  if (text === null) return 1;
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
}

function routeOfIndex(query: URLSearchParams): BlogRoute {
  const page = pageNumber(query.get('page'));
  const tag = query.get('tag') || null;
  // Any other tag is too long, or has a NUL, which the database can't store.
  const isTag = tag === null || (tag.length <= 2 * blogPostLimits.tag && !tag.includes('\0'));
  return page === null || !isTag ? { kind: 'none' } : { kind: 'index', page, tag };
}

function routeOfFile(name: string): BlogRoute {
  if (isFeed(name)) return { kind: 'feed', format: name };
  if (name === 'robots.txt') return { kind: 'robots' };
  if (name === 'sitemap.xml') return { kind: 'sitemap', file: null };
  const [, file] = /^sitemap-([1-9]\d{0,4})\.xml$/.exec(name) ?? [];
  if (file !== undefined) return { kind: 'sitemap', file: Number(file) };
  return /^[a-z0-9-]{1,200}$/.test(name) ? { kind: 'post', slug: name } : { kind: 'none' };
}

/** The route for a path below `/blog/{handle}` (decoded) and a query. Parameters without an effect are dropped. */
export function routeOf(segments: readonly string[], query: URLSearchParams): BlogRoute {
  const [name, file, ...more] = segments;
  if (name === undefined) return routeOfIndex(query);
  const route = routeOfFile(name);
  if (file === undefined) return route;
  const isCard = file === 'social.png' && more.length === 0 && route.kind === 'post';
  return isCard ? { kind: 'social', slug: route.slug } : { kind: 'none' };
}

/** The 404 page, with or without an existing blog. */
export function notFoundPage(site: Site | null): MadePage {
  return { status: 404, headers: html, body: renderNotFoundPage(site) };
}

async function indexPage(
  identityId: string,
  site: Site,
  { page, tag }: { page: number; tag: string | null },
): Promise<MadePage | null> {
  const index = await getIndexPage(identityId, { page, tag });
  return index && { status: 200, headers: html, body: renderIndexPage(site, index) };
}

function movedTo(location: string): MadePage {
  return { status: 308, headers: { Location: location, 'Content-Type': 'text/plain' }, body: '' };
}

async function postPage(identityId: string, site: Site, slug: string): Promise<MadePage | null> {
  const found = await getPublicPost(identityId, slug);
  switch (found.kind) {
    case 'post': {
      const body = renderPostPage(site, found.post);
      return { status: 200, headers: html, body, ...(found.isPlain ? { keepFor: plainPageFor } : {}) };
    }
    case 'moved':
      return movedTo(`/blog/${site.handle}/${found.slug}`);
    case 'gone':
      return { status: 410, headers: html, body: renderGonePage(site) };
    case 'unknown':
      return null;
  }
}

/** Renders a card; its libraries are loaded with the first one. */
async function renderCard(card: SocialCard & { hue: number }): Promise<{ image: Buffer }> {
  const { socialImage } = await import('@/server/platform/images/social-image');
  return { image: await socialImage(card, `cards of ${card.siteName}`) };
}

/** Cards by their content: they do not depend on the blog's version, and rendering one takes longer than a page. */
function cards(): LoadingCache<{ image: Buffer }> {
  return oncePerProcess('blog-cards', () => {
    return new LoadingCache<{ image: Buffer }>({ maximumSize: 16 * 1024 * 1024, sizeOf: ({ image }) => image.length });
  });
}

async function socialCard(identityId: string, site: Site, slug: string): Promise<MadePage | null> {
  const found = await getSocialCard(identityId, slug);
  if (!found) {
    // Other sites keep requesting the picture of a link's former URL.
    const moved = await movedPost(identityId, slug);
    return moved === null ? null : movedTo(`/blog/${site.handle}/${moved}/social.png`);
  }
  const card = { ...found, hue: accentHue(site.handle) };
  const { image } = await cards().get(JSON.stringify(card), () => renderCard(card));
  return { status: 200, headers: { 'Content-Type': 'image/png' }, body: image };
}

async function feed(identityId: string, site: Site, format: keyof typeof feeds): Promise<MadePage> {
  const { type, render } = feeds[format];
  return { status: 200, headers: { 'Content-Type': type }, body: render(site, await getFeedPosts(identityId)) };
}

/** One file with all posts, or the sitemap index if they are too many for one. */
async function sitemap(identityId: string, site: Site, file: number | null): Promise<MadePage | null> {
  const files = sitemapFiles(await countPublicPosts(identityId));
  if (file !== null && (files === 1 || file > files)) return null;
  const headers = { 'Content-Type': 'application/xml; charset=utf-8' };
  if (file === null && files > 1) return { status: 200, headers, body: renderSitemapIndex(site, files) };
  const entries = await getSitemapEntries(identityId, sitemapSlice(file ?? 1));
  return { status: 200, headers, body: renderSitemap(site, entries, file ?? undefined) };
}

/** Renders a route of an identity's blog; null if there is nothing. */
export async function makeBlogPage(identityId: string, site: Site, route: BlogRoute): Promise<MadePage | null> {
  switch (route.kind) {
    case 'index':
      return indexPage(identityId, site, route);
    case 'post':
      return postPage(identityId, site, route.slug);
    case 'social':
      return socialCard(identityId, site, route.slug);
    case 'feed':
      return feed(identityId, site, route.format);
    case 'sitemap':
      return sitemap(identityId, site, route.file);
    case 'robots':
      return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: renderRobots(site) };
    case 'none':
      return null;
  }
}
