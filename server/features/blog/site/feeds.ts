import { Feed, type FeedOptions, type Item } from 'feed';
import { absoluteUrl, fullUrl, postPath, sitePath } from './addresses';
import { feedContent } from './feed-content';
import type { FeedPost, Site } from './site';
import { siteLocale } from './site-locale';
import { escapeMarkup, xmlText } from './xml-text';

/** Media types of covers by file extension; a feed must name one, and no request is made to find out. */
const imageTypes: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/* The library escapes texts only in part: `&amp;` typed by an author is printed as `&`, `<` in an attribute is kept, and of
   several `]]>` in one CDATA section only the first is split. So they are replaced by characters that XML forbids, and that no
   text contains at this point, and are escaped properly in the library's output. */
const AMPERSAND = '\u0001';
const LESS_THAN = '\u0002';
const CDATA_END = '\u0003';

/** Prepares a text for the content of an element or attribute. */
function plain(text: string): string {
  return xmlText(text).replaceAll('&', AMPERSAND).replaceAll('<', LESS_THAN);
}

/** Prepares a text for a CDATA section. */
function cdata(text: string): string {
  return xmlText(text).replaceAll(']]>', `]]${CDATA_END}`);
}

function finish(xml: string): string {
  return xml.replaceAll(AMPERSAND, '&amp;').replaceAll(LESS_THAN, '&lt;').replaceAll(CDATA_END, ']]><![CDATA[>');
}

/** Time of the last change in the feed; the epoch for a feed without posts. */
function lastUpdate(posts: FeedPost[]): Date {
  return new Date(Math.max(0, ...posts.map((post) => Date.parse(post.updatedAt))));
}

function options(site: Site, posts: FeedPost[]): FeedOptions {
  const home = fullUrl(site, sitePath(site));
  return {
    id: home,
    link: home,
    title: plain(site.title),
    description: plain(site.tagline || site.about || site.title),
    language: siteLocale(site.language).language,
    updated: lastUpdate(posts),
    generator: 'Frontdesk',
    feedLinks: { rss: fullUrl(site, sitePath(site, 'feed.xml')), atom: fullUrl(site, sitePath(site, 'atom.xml')) },
  };
}

/** A permanent id, independent of slug, handle and host (RFC 9562, section 4). */
function postId(post: FeedPost): string {
  return `urn:uuid:${post.id}`;
}

function coverOf(site: Site, post: FeedPost): { url: string; type: string } | null {
  const url = post.cover && absoluteUrl(site, post.cover.url);
  const type = url && imageTypes[/\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''];
  return url && type ? { url, type } : null;
}

/**
 * The article after its cover, which few readers show otherwise; never empty, so that readers do not take the excerpt for the
 * whole content.
 */
function fullContent(site: Site, post: FeedPost): string {
  const url = fullUrl(site, postPath(site, post.slug));
  const cover = post.cover && absoluteUrl(site, post.cover.url);
  const figure = cover ? `<figure><img src="${escapeMarkup(cover)}" alt=""></figure>` : '';
  return figure + feedContent(post.html, url) || `<p>${escapeMarkup(post.excerpt)}</p>`;
}

function item(site: Site, post: FeedPost): Item {
  const cover = coverOf(site, post);
  return {
    id: postId(post),
    link: fullUrl(site, postPath(site, post.slug)),
    title: '',
    date: new Date(post.updatedAt),
    published: new Date(post.publishedAt),
    description: post.excerpt && cdata(escapeMarkup(post.excerpt)),
    content: cdata(fullContent(site, post)),
    ...(cover && { image: { ...cover, length: 0 } }),
  };
}

/** RSS 2.0 with full content, newest first as given. */
export function renderRss(site: Site, posts: FeedPost[]): string {
  // RSS does not say whether a title is text or HTML, and most readers show it as HTML.
  const feed = new Feed({ ...options(site, posts), title: plain(escapeMarkup(site.title)) });
  for (const post of posts) {
    feed.addItem({
      ...item(site, post),
      title: cdata(escapeMarkup(post.title)),
      category: post.tags.map((tag) => ({ name: plain(tag) })),
      // An RSS author is an email address; names belong in Dublin Core's element.
      extensions: post.authorName === '' ? [] : [{ name: 'dc:creator', objects: { _text: plain(post.authorName) } }],
    });
  }
  return finish(feed.rss2());
}

/** Atom (RFC 4287) with full content. */
export function renderAtom(site: Site, posts: FeedPost[]): string {
  // An entry needs an author, its own or the feed's.
  const feed = new Feed({ ...options(site, posts), author: { name: plain(site.title) } });
  for (const post of posts) {
    feed.addItem({
      ...item(site, post),
      title: cdata(escapeMarkup(post.title)),
      category: post.tags.map((tag) => ({ term: plain(tag), name: plain(tag) })),
      ...(post.authorName !== '' && { author: [{ name: plain(post.authorName) }] }),
    });
  }
  const language = escapeMarkup(siteLocale(site.language).language);
  // The library does not support Atom's language, drops sizes it does not know, and guesses a media type from the URL.
  return finish(feed.atom1())
    .replace('<feed xmlns="http://www.w3.org/2005/Atom"', (root) => `${root} xml:lang="${language}"`)
    .replace(/(<link rel="enclosure" [^>]*?type="image\/)jpg"/gi, '$1jpeg"')
    .replace(/(<link rel="enclosure" [^>]*?) length="0"/g, '$1');
}

/**
 * JSON Feed 1.1 with full content; written here because the library writes version 1, which has neither languages nor authors.
 */
export function renderJsonFeed(site: Site, posts: FeedPost[]): string {
  const description = site.tagline || site.about;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: site.title,
    home_page_url: fullUrl(site, sitePath(site)),
    feed_url: fullUrl(site, sitePath(site, 'feed.json')),
    ...(description !== '' && { description }),
    language: siteLocale(site.language).language,
    authors: [{ name: site.title, url: fullUrl(site, sitePath(site)) }],
    items: posts.map((post) => {
      const image = post.cover && absoluteUrl(site, post.cover.url);
      const avatar = absoluteUrl(site, post.authorAvatarUrl);
      return {
        id: postId(post),
        url: fullUrl(site, postPath(site, post.slug)),
        title: post.title,
        content_html: fullContent(site, post),
        ...(post.excerpt !== '' && { summary: post.excerpt }),
        ...(image && { image }),
        date_published: post.publishedAt,
        date_modified: post.updatedAt,
        ...(post.authorName !== '' && { authors: [{ name: post.authorName, ...(avatar && { avatar }) }] }),
        tags: post.tags,
      };
    }),
  });
}
