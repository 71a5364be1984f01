import { createHash } from 'node:crypto';
import { findBlogImageFile } from '@/server/features/blog/blog-image.service';
import { type BlogVersion, getBlogVersion, getSite } from '@/server/features/blog/public-blog.service';
import type { Site } from '@/server/features/blog/site/site';
import { blogStylesheet } from '@/server/features/blog/site/stylesheet';
import { withRetry } from '@/server/platform/db/transaction';
import { isReachedByHttps } from '@/server/platform/env';
import { openStored } from '@/server/platform/files/content-store';
import { chooseBody } from '@/server/platform/http/encodings';
import type { ErrorForm } from '@/server/platform/http/error-answer';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { isUnchanged } from '@/server/platform/http/if-none-match';
import { blogSecurityHeaders } from '@/server/platform/http/security-headers';
import { log } from '@/server/platform/log';
import { oncePerProcess } from '@/server/platform/process-globals';
import { type BlogRoute, isFeed, makeBlogPage, notFoundPage, routeOf } from './blog-pages';
import { coalesceLoads } from './coalesce';
import { cachedPage, type MadePage, NoPage, type ReadyPage } from './page-cache';

/** Path prefix of public blogs: `/blog/{handle}` (contract section 7). */
const blogPrefix = '/blog';

/**
 * Caches revalidate every time, so that published, changed and withdrawn posts show immediately; the response is mostly a 304.
 */
const revalidate = 'public, max-age=0, must-revalidate';

/** The version of a blog by handle: queried for every request, but never twice concurrently. */
function currentVersion(handle: string) {
  return oncePerProcess('blog-versions', () => coalesceLoads(getBlogVersion))(handle);
}

/** Headers of every page, feed and picture; they contain the stylesheet's hash, so they are built once. */
function commonHeaders(): Record<string, string> {
  return oncePerProcess('blog-headers', () => ({
    ...blogSecurityHeaders({
      styleHash: createHash('sha256').update(blogStylesheet).digest('base64'),
      https: isReachedByHttps(),
    }),
    'Cache-Control': revalidate,
    Vary: 'Accept-Encoding',
  }));
}

function answerWith(page: ReadyPage, request: HttpRequest): HttpAnswer {
  const headers: Record<string, string> = { ...commonHeaders(), ...page.headers };
  // Redirects keep the query string, such as campaign parameters.
  if (page.status === 308 && request.query !== '') headers.Location += `?${request.query}`;
  if (page.status === 200 && isUnchanged(request.headers.get('if-none-match'), page.etag)) {
    delete headers['Content-Type'];
    return { status: 304, headers, body: null };
  }
  const chosen = chooseBody(page.bodies, request.headers.get('accept-encoding'));
  return { status: page.status, headers: { ...headers, ...chosen.headers }, body: chosen.body };
}

interface PictureFile {
  id: string;
  format: 'webp' | 'jpeg';
  width: number | null;
}

/** `{id}.webp`, `{id}-{width}.webp` or `{id}-{width}.jpg`; null for other names. */
function pictureFileOf(name: string): PictureFile | null {
  const [, id, width, extension] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-([1-9]\d{0,4}))?\.(webp|jpg)$/.exec(name) ?? [];
  if (id === undefined) return null;
  return { id, format: extension === 'jpg' ? 'jpeg' : 'webp', width: width === undefined ? null : Number(width) };
}

/** The content of a file name never changes, so it is cached permanently. */
async function pictureAnswer(identityId: string, wanted: PictureFile, request: HttpRequest): Promise<HttpAnswer | null> {
  const file = await findBlogImageFile({ identityId, ...wanted });
  if (!file) return null;
  const etag = `"${file.sha256.slice(0, 32)}"`;
  const headers = {
    ...commonHeaders(),
    'Content-Type': `image/${wanted.format}`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
  };
  if (isUnchanged(request.headers.get('if-none-match'), etag)) return { status: 304, headers, body: null };
  const stored = await openStored(file.sha256);
  if (!stored) {
    log().error({ sha256: file.sha256 }, 'a stored file is missing');
    return null;
  }
  return { status: 200, headers: { ...headers, 'Content-Length': String(stored.size) }, body: stored.stream };
}

function segmentsOf(pathname: string): string[] | null {
  try {
    return pathname
      .slice(blogPrefix.length + 1)
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

async function answer(request: HttpRequest): Promise<HttpAnswer> {
  const segments = segmentsOf(request.pathname);
  const [handle = '', ...below] = segments ?? [];
  if (below.length > 0 && below.at(-1) === '') return withoutSlash(request);
  // No query for a name that can't be a handle.
  const blog = /^[a-z0-9-]{1,63}$/.test(handle) ? await currentVersion(handle) : null;
  if (!blog) return answerWith(await cachedPage('no blog', async () => notFoundPage(null)), request);
  const { identityId } = blog;
  if (below[0] === 'media' && below[1] !== undefined && below.length === 2) {
    const file = pictureFileOf(below[1]);
    const picture = file && (await pictureAnswer(identityId, file, request));
    if (picture) return picture;
  }
  const route = routeOf(below, new URLSearchParams(request.query));
  return answerWith(await pageAt(blog, route), request);
}

/** The page of a route at this version of the blog, or the 404 page. */
async function pageAt({ identityId, version }: BlogVersion, route: BlogRoute): Promise<ReadyPage> {
  const cached = (wanted: BlogRoute, make: (site: Site) => Promise<MadePage | null>) =>
    cachedPage(JSON.stringify([identityId, version, wanted]), async () => make(await getSite(identityId)));
  const notFound = () => cached({ kind: 'none' }, async (site) => notFoundPage(site));
  if (route.kind === 'none') return notFound();
  try {
    return await withRetry(() => cached(route, (site) => makeBlogPage(identityId, site, route)));
  } catch (error) {
    if (error instanceof NoPage) return notFound();
    throw error;
  }
}

/** Redirects `/blog/x/` to `/blog/x`. */
function withoutSlash({ pathname, query }: HttpRequest): HttpAnswer {
  const path = pathname.replace(/\/+$/, '').replace(/^\/+/, '/');
  const headers = { ...commonHeaders(), Location: query === '' ? path : `${path}?${query}` };
  return { status: 308, headers, body: '' };
}

const renderError: ErrorForm = (error, requestId) => {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  if (error.code === 'method_not_allowed') return { headers: type, body: 'This page can only be read.\n' };
  return {
    headers: { ...type, 'Cache-Control': 'no-store', 'Retry-After': '5' },
    body: `This page can't be shown right now. Please try again in a moment. (${requestId})\n`,
  };
};

/** Feeds may be read by scripts of other sites. */
function isFeedRequest({ pathname }: HttpRequest): boolean {
  const [, , , name = '', ...below] = pathname.split('/');
  return isFeed(name) && below.length === 0;
}

/** `/blog/{handle}` and everything below it, public. See docs/adr/0009. */
export const blogRoute: HttpRoute = {
  prefix: blogPrefix,
  methods: 'GET, HEAD, OPTIONS',
  crossOrigin: (request) => (isFeedRequest(request) ? ['If-None-Match'] : null),
  headers: commonHeaders,
  errors: renderError,
  answer,
};
