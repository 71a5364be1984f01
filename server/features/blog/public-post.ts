import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { placeImages } from '@/server/platform/markdown/place-images';
import { readingMinutes } from '@/server/platform/markdown/reading-time';
import type { RenderedMarkdown } from '@/server/platform/markdown/rendered-markdown';
import { cutText } from '@/server/platform/text';
import { postColumns } from './blog-post.queries';
import type { BlogPostStatus } from './blog-post.schema';
import { type KnownPicture, knownPictures } from './pictures';
import { renderedText } from './rendered-post';
import type { FeedPost, PostPage, PostSummary, SocialImage } from './site/site';

/** Published posts as shown on the public blog. */

/** The parts of a post that its author wrote, without the content, and its dates. */
type PostFields = Omit<PostSummary, 'readingMinutes' | 'cover'> & { coverImageUrl: string; metaDescription: string };

export interface PublicPostRow extends PostFields {
  identityId: string;
  status: BlogPostStatus;
  revision: number;
  handle: string;
  /** Language of the blog, BCP 47. */
  language: string;
  /** SHA-256 of the content in hexadecimal, and its length in characters. */
  contentHash: string;
  contentLength: number;
}

const contentHash = `encode(sha256(convert_to(p.content, 'UTF8')), 'hex')`;

/** Like `blogPostItemColumns`; the content is read only if it has not been rendered yet. */
export const publicPostColumns = `${postColumns}, p.identity_id AS "identityId", p.revision, p.updated_at AS "updatedAt",
  coalesce((SELECT language FROM blog_sites WHERE identity_id = $1), 'en') AS language,
  ${contentHash} AS "contentHash", length(p.content) AS "contentLength"`;

/** The first `length` characters of a post's content; null if it has changed meanwhile. */
async function contentOf(row: PublicPostRow, length: number): Promise<string | null> {
  const [found] = await rows<{ content: string }>(pool(), {
    name: 'blog-post-content',
    text: `SELECT left(p.content, $3) AS content FROM blog_posts p WHERE p.identity_id = $4 AND p.id = $1 AND ${contentHash} = $2`,
    values: [row.id, row.contentHash, length, row.identityId],
  });
  return found?.content ?? null;
}

function wholeText(row: PublicPostRow): Promise<RenderedMarkdown> {
  return renderedText({ ...row, key: row.contentHash, load: () => contentOf(row, row.contentLength) });
}

/** For longer content, lists render only its beginning. In characters. */
const listedMaximum = 50_000;
const listedBeginning = 4_000;

/** The rendered data that lists need; for very long content its beginning and an estimated word count. */
async function summaryText(row: PublicPostRow): Promise<Pick<RenderedMarkdown, 'text' | 'wordCount'>> {
  if (row.contentLength <= listedMaximum) return wholeText(row);
  const key = `${row.contentHash} beginning`;
  const { text, wordCount } = await renderedText({ ...row, key, load: () => contentOf(row, listedBeginning) });
  return { text, wordCount: Math.round((wordCount * row.contentLength) / listedBeginning) };
}

/** About as many characters as search engines show. */
const descriptionLength = 200;

/** The beginning of a text, cut at a word boundary. */
export function beginningOf(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= descriptionLength) return plain;
  const end = plain.lastIndexOf(' ', descriptionLength);
  const beginning = cutText(plain, end > descriptionLength / 2 ? end : descriptionLength);
  return `${beginning.toWellFormed().replace(/[\s,;:.–—-]+$/u, '')}…`;
}

/** A line without control characters, which HTML forbids. */
export function line(text: string): string {
  return text.replace(/\s*\p{Cc}[\p{Cc}\s]*/gu, ' ').trim();
}

/** @param pictures known sizes, at least of the cover */
function toSummary(
  post: PostFields,
  rendered: Pick<RenderedMarkdown, 'text' | 'wordCount'>,
  pictures: ReadonlyMap<string, KnownPicture>,
): PostSummary {
  const { id, slug, authorAvatarUrl, publishedAt, updatedAt } = post;
  return {
    id,
    slug,
    authorAvatarUrl,
    publishedAt,
    updatedAt,
    title: line(post.title),
    excerpt: line(post.excerpt) || beginningOf(rendered.text),
    authorName: line(post.authorName),
    tags: [...new Set(post.tags)],
    readingMinutes: readingMinutes(rendered.wordCount),
    cover: pictures.get(post.coverImageUrl) ?? null,
  };
}

/** A post with its content, without what depends on other posts and on the blog. */
export function toPost(post: PostFields, rendered: RenderedMarkdown, pictures: ReadonlyMap<string, KnownPicture>) {
  return {
    ...toSummary(post, rendered, pictures),
    html: withPictures(rendered, pictures),
    headings: rendered.headings,
    standfirst: line(post.excerpt),
    metaDescription: line(post.metaDescription),
    wordCount: rendered.wordCount,
    isPlain: rendered.fallback === true,
  };
}

/** Posts of a list; those rendered before need no further query. */
export async function toSummaries(found: PublicPostRow[]): Promise<PostSummary[]> {
  const [rendered, pictures] = await Promise.all([Promise.all(found.map(summaryText)), knownPictures(pool(), coversOf(found))]);
  return found.map((row, index) => toSummary(row, rendered[index] as RenderedMarkdown, pictures));
}

export function coversOf(found: Pick<PostFields, 'coverImageUrl'>[]): string[] {
  return found.map(({ coverImageUrl }) => coverImageUrl).filter((url) => url !== '');
}

/** Maximum width of the text column, and so of its pictures, in CSS pixels. */
const textWidth = 544;

/** Adds sizes to the pictures in a text, so that pages reserve space for them. */
function withPictures(rendered: RenderedMarkdown, pictures: ReadonlyMap<string, KnownPicture>): string {
  return placeImages(rendered.html, (index) => {
    const picture = pictures.get(rendered.images[index] ?? '');
    if (!picture?.width || !picture.height) return null;
    const { width, height, srcset } = picture;
    const attributes: Record<string, string | number> = { width, height };
    return srcset ? { ...attributes, srcset, sizes: `(min-width: ${textWidth}px) ${textWidth}px, 100vw` } : attributes;
  });
}

/** Size of the generated image, as recommended for cards on other sites. */
const socialImageSize = { width: 1200, height: 630 } as const;

function socialImageOf(row: PublicPostRow, cover: KnownPicture | undefined): SocialImage {
  if (cover?.social) return cover.social;
  if (cover?.width && cover.height) return { url: cover.url, width: cover.width, height: cover.height };
  // Other sites cache cards for long; a new revision gets a new URL.
  return { url: `/blog/${row.handle}/${row.slug}/social.png?v=${row.revision}`, ...socialImageSize };
}

/** The card of the first post, for a page that lists several. */
export async function socialImageOfFirst([first]: PublicPostRow[]): Promise<SocialImage | null> {
  if (!first) return null;
  return socialImageOf(first, (await knownPictures(pool(), coversOf([first]))).get(first.coverImageUrl));
}

/** A post with its content, without its neighbours; `isPlain` if rendering was too expensive and the source text is shown. */
export async function toPostPage(row: PublicPostRow): Promise<Omit<PostPage, 'newer' | 'older'> & { isPlain: boolean }> {
  const rendered = await wholeText(row);
  const pictures = await knownPictures(pool(), [...coversOf([row]), ...rendered.images]);
  return { ...toPost(row, rendered, pictures), social: socialImageOf(row, pictures.get(row.coverImageUrl)) };
}

/**
 * Maximum characters of a post's content in a feed, for each and in total; beyond it, feeds carry the excerpt. Feed readers
 * poll often.
 */
const feedTextMaximum = 60_000;
const feedMaximum = 500_000;

/** The content of a post for a feed; null if it is too long. */
async function feedText(row: PublicPostRow): Promise<RenderedMarkdown | null> {
  if (row.contentLength > feedTextMaximum) return null;
  const rendered = await wholeText(row);
  return rendered.html.length <= feedTextMaximum && !rendered.fallback ? rendered : null;
}

/** Posts in the feeds' form, newest first. */
export async function toFeedPosts(found: PublicPostRow[]): Promise<FeedPost[]> {
  const [summaries, texts] = await Promise.all([toSummaries(found), Promise.all(found.map(feedText))]);
  const pictures = await knownPictures(
    pool(),
    texts.flatMap((text) => text?.images ?? []),
  );
  let size = 0;
  return summaries.map(({ readingMinutes: _, ...summary }, index) => {
    const text = texts[index];
    size += text?.html.length ?? 0;
    return { ...summary, html: text && size <= feedMaximum ? withPictures(text, pictures) : '' };
  });
}
