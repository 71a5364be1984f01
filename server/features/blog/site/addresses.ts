import type { Picture, Site } from './site';

const hidden = /[\p{Cc}\s]/u;

/**
 * A URL that a page may link to: absolute http(s), or root-relative. Null for all others (`javascript:`, `data:`,
 * protocol-relative, relative, not a URL), even if they are disguised by characters that browsers ignore.
 */
export function safeUrl(url: string): string | null {
  const wanted = url.trim();
  if (wanted === '' || hidden.test(wanted)) return null;
  if (/^https?:\/\//i.test(wanted)) return URL.canParse(wanted) ? new URL(wanted).href : null;
  if (!/^\/(?![/\\])/.test(wanted) || !URL.canParse(wanted, 'http://root.invalid')) return null;
  const { host, pathname, search, hash } = new URL(wanted, 'http://root.invalid');
  // A path such as /.//host resolves to one that browsers would treat as a host.
  return host === 'root.invalid' && !pathname.startsWith('//') ? pathname + search + hash : null;
}

/** Like `safeUrl`, with root-relative URLs made absolute, for use outside the page. */
export function absoluteUrl(site: Site, url: string): string | null {
  const safe = safeUrl(url);
  return safe === null ? null : new URL(safe, site.baseUrl).href;
}

/** The safe candidates of a `srcset`; undefined if there are none. */
export function safeSrcset(picture: Picture): string | undefined {
  const candidates = (picture.srcset ?? '').split(/,\s+/).flatMap((candidate) => {
    const [, url = '', descriptor = ''] = /^\s*(\S+?)(\s+\d+(?:\.\d+)?[wx])?\s*$/.exec(candidate) ?? [];
    const safe = safeUrl(url);
    return safe === null ? [] : [safe.replaceAll(',', '%2C') + descriptor.replace(/\s+/, ' ')];
  });
  return candidates.length === 0 ? undefined : candidates.join(', ');
}

export type SiteFile = 'feed.xml' | 'atom.xml' | 'feed.json' | 'sitemap.xml' | 'robots.txt';

/** Root-relative URL of the blog itself, or of a file below it. */
export function sitePath(site: Site, file?: SiteFile): string {
  const path = `/blog/${encodeURIComponent(site.handle)}`;
  return file === undefined ? path : `${path}/${file}`;
}

/** Root-relative URL of a page of the list; the first page and "no tag" add no parameter. */
export function indexPath(site: Site, { page = 1, tag = null }: { page?: number; tag?: string | null } = {}): string {
  const query = new URLSearchParams();
  if (tag !== null) query.set('tag', tag);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? sitePath(site) : `${sitePath(site)}?${query}`;
}

export function postPath(site: Site, slug: string): string {
  return `${sitePath(site)}/${encodeURIComponent(slug)}`;
}

/** The absolute URL of a path on this blog. */
export function fullUrl(site: Site, path: string): string {
  return site.baseUrl + path;
}
