import { LRUCache } from 'lru-cache';
import { accentHue } from '@/server/blog-site/accent';
import { renderAtom, renderJsonFeed, renderRss } from '@/server/blog-site/feeds';
import { renderIndexPage } from '@/server/blog-site/index-page';
import { renderGonePage, renderNotFoundPage } from '@/server/blog-site/message-page';
import { renderPostPage } from '@/server/blog-site/post-page';
import type { FeedPost, Site } from '@/server/blog-site/site';
import { renderRobots, renderSitemap, renderSitemapIndex, sitemapFiles, sitemapSlice } from '@/server/blog-site/sitemap';
import { blogStylesheet } from '@/server/modules/blog/blog-site.service';
import {
  countPublicPosts,
  getFeedPosts,
  getIndexPage,
  getPublicPost,
  getSite,
  getSitemapEntries,
  getSocialCard,
} from '@/server/modules/blog/public-blog.service';
import { oncePerProcess } from '@/server/process-registry';
import type { MadePage } from './page-cache';

/** Makes what stands at the addresses of a blog; see `routeOf` for which there are. */

/** An address below a blog, as far as it changes what stands there. */
export type BlogRoute =
  | { kind: 'index'; page: number; tag: string | null }
  | { kind: 'post'; slug: string }
  | { kind: 'social'; slug: string }
  | { kind: 'feed'; format: keyof typeof feeds }
  | { kind: 'sitemap'; file: number | null }
  | { kind: 'robots' }
  | { kind: 'none' };

const html = { 'Content-Type': 'text/html; charset=utf-8' };

const feeds = {
  'feed.xml': { type: 'application/rss+xml; charset=utf-8', render: renderRss },
  'atom.xml': { type: 'application/atom+xml; charset=utf-8', render: renderAtom },
  'feed.json': { type: 'application/feed+json; charset=utf-8', render: renderJsonFeed },
} satisfies Record<string, { type: string; render: (site: Site, posts: FeedPost[]) => string }>;

function isFeed(name: string): name is keyof typeof feeds {
  return Object.hasOwn(feeds, name);
}

function pageNumber(text: string | null): number | null {
  if (text === null) return 1;
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
}

function routeOfIndex(query: URLSearchParams): BlogRoute {
  const page = pageNumber(query.get('page'));
  return page === null ? { kind: 'none' } : { kind: 'index', page, tag: query.get('tag') || null };
}

function routeOfFile(name: string): BlogRoute {
  if (isFeed(name)) return { kind: 'feed', format: name };
  if (name === 'robots.txt') return { kind: 'robots' };
  if (name === 'sitemap.xml') return { kind: 'sitemap', file: null };
  const [, file] = /^sitemap-([1-9]\d{0,4})\.xml$/.exec(name) ?? [];
  if (file !== undefined) return { kind: 'sitemap', file: Number(file) };
  return /^[a-z0-9-]{1,200}$/.test(name) ? { kind: 'post', slug: name } : { kind: 'none' };
}

/** What a path below `/blog/{handle}` (decoded) and a query lead to. Parameters that change nothing are left out. */
export function routeOf(segments: readonly string[], query: URLSearchParams): BlogRoute {
  const [name, file, ...more] = segments;
  if (name === undefined) return routeOfIndex(query);
  const route = routeOfFile(name);
  if (file === undefined) return route;
  const isCard = file === 'social.png' && more.length === 0 && route.kind === 'post';
  return isCard ? { kind: 'social', slug: route.slug } : { kind: 'none' };
}

function notFound(site: Site | null): MadePage {
  return { status: 404, headers: html, body: renderNotFoundPage(site, { stylesheet: blogStylesheet() }) };
}

async function indexPage(identityId: string, site: Site, { page, tag }: { page: number; tag: string | null }): Promise<MadePage> {
  const index = await getIndexPage(identityId, { page, tag });
  if (!index) return notFound(site);
  return { status: 200, headers: html, body: renderIndexPage(site, index, { stylesheet: blogStylesheet() }) };
}

async function postPage(identityId: string, site: Site, slug: string): Promise<MadePage> {
  const found = await getPublicPost(identityId, slug);
  switch (found.kind) {
    case 'post':
      return { status: 200, headers: html, body: renderPostPage(site, found.post, { stylesheet: blogStylesheet() }) };
    case 'moved':
      return { status: 308, headers: { Location: `/blog/${site.handle}/${found.slug}`, 'Content-Type': 'text/plain' }, body: '' };
    case 'gone':
      return { status: 410, headers: html, body: renderGonePage(site, { stylesheet: blogStylesheet() }) };
    case 'unknown':
      return notFound(site);
  }
}

interface Card {
  title: string;
  siteName: string;
  byline: string;
  hue: number;
}

/** Sets a card; the libraries for it are loaded with the first one. */
async function setCard(card: Card): Promise<Buffer> {
  const { socialImage } = await import('@/server/images/social-image');
  return socialImage(card);
}

/** Cards by what they show: the blog's state says nothing about them, and setting one takes longer than a page. */
function cards(): LRUCache<string, Buffer, Card> {
  return oncePerProcess(
    'blog-cards',
    () =>
      new LRUCache<string, Buffer, Card>({
        maxSize: 16 * 1024 * 1024,
        sizeCalculation: ({ length }) => length,
        fetchMethod: (_key, _stale, { context }) => setCard(context),
      }),
  );
}

async function socialCard(identityId: string, site: Site, slug: string): Promise<MadePage> {
  const card = await getSocialCard(identityId, slug);
  if (!card) return notFound(site);
  const context = { ...card, hue: accentHue(site.handle) };
  const body = await cards().fetch(JSON.stringify(context), { context });
  if (!body) throw new Error('setting a card gave nothing');
  return { status: 200, headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=3600' }, body };
}

async function feed(identityId: string, site: Site, format: keyof typeof feeds): Promise<MadePage> {
  const { type, render } = feeds[format];
  return { status: 200, headers: { 'Content-Type': type }, body: render(site, await getFeedPosts(identityId)) };
}

/** One file with all posts, or, where they are too many for one, the list of the files. */
async function sitemap(identityId: string, site: Site, file: number | null): Promise<MadePage> {
  const files = sitemapFiles(await countPublicPosts(identityId));
  if (file !== null && (files === 1 || file > files)) return notFound(site);
  const headers = { 'Content-Type': 'application/xml; charset=utf-8' };
  if (file === null && files > 1) return { status: 200, headers, body: renderSitemapIndex(site, files) };
  const entries = await getSitemapEntries(identityId, sitemapSlice(file ?? 1));
  return { status: 200, headers, body: renderSitemap(site, entries, file ?? 1) };
}

/** What stands at an address of an identity's blog. */
export async function makeBlogPage(identityId: string, route: BlogRoute): Promise<MadePage> {
  const site = await getSite(identityId);
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
      return notFound(site);
  }
}

/** For a blog that does not exist. */
export function noBlogPage(): MadePage {
  return notFound(null);
}
