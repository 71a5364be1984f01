import { fullUrl, postPath, sitePath } from './addresses';
import type { PostSummary, Site } from './site';
import { escapeMarkup } from './xml-text';

/** Maximum URLs per file (sitemaps.org). */
export const SITEMAP_MAXIMUM = 50_000;

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export type SitemapEntry = Pick<PostSummary, 'slug' | 'updatedAt'>;

function latest(entries: SitemapEntry[]): string | null {
  return entries.reduce<string | null>((last, { updatedAt }) => (last === null || updatedAt > last ? updatedAt : last), null);
}

function element(name: string, url: string, modified: string | null): string {
  const changed = modified === null ? '' : `<lastmod>${escapeMarkup(modified)}</lastmod>`;
  return `<${name}><loc>${escapeMarkup(url)}</loc>${changed}</${name}>\n`;
}

/** Number of sitemap files of a site, including its own page; with more than one, `sitemap.xml` is a sitemap index. */
export function sitemapFiles(posts: number): number {
  return Math.max(1, Math.ceil((posts + 1) / SITEMAP_MAXIMUM));
}

/**
 * A sitemap: the blog itself, on the first file only, and the given posts. Pass all posts of a small site, or for file `n` of
 * several those of `sitemapSlice(n)`, oldest first; then no file has the blog's own modification time.
 */
export function renderSitemap(site: Site, entries: SitemapEntry[], file?: number): string {
  const changed = file === undefined ? latest(entries) : null;
  const home = (file ?? 1) === 1 ? element('url', fullUrl(site, sitePath(site)), changed) : '';
  const posts = entries.map(({ slug, updatedAt }) => element('url', fullUrl(site, postPath(site, slug)), updatedAt));
  return `${declaration}<urlset xmlns="${namespace}">\n${home}${posts.join('')}</urlset>\n`;
}

/** The posts of file `n` (from 1) in a fixed order. */
export function sitemapSlice(file: number): { offset: number; limit: number } {
  // The blog's own page takes one entry of the first file.
  return file === 1
    ? { offset: 0, limit: SITEMAP_MAXIMUM - 1 }
    : { offset: (file - 1) * SITEMAP_MAXIMUM - 1, limit: SITEMAP_MAXIMUM };
}

/** The `sitemap.xml` of a site with several files: it lists `sitemap-1.xml` to `sitemap-{files}.xml`. */
export function renderSitemapIndex(site: Site, files: number): string {
  const maps = Array.from({ length: files }, (_, index) =>
    element('sitemap', fullUrl(site, `${sitePath(site)}/sitemap-${index + 1}.xml`), null),
  );
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${maps.join('')}</sitemapindex>\n`;
}

/**
 * Allows everything. Crawlers request robots.txt at the root of a host, so this one applies only to a blog with its own host.
 */
export function renderRobots(site: Site): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${fullUrl(site, sitePath(site, 'sitemap.xml'))}\n`;
}
