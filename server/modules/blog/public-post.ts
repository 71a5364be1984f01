import type { FeedPost, PostPage, PostSummary, SocialImage } from '@/server/blog-site/site';
import { pool } from '@/server/db/pool';
import { rows } from '@/server/db/sql';
import { placeImages } from '@/server/markdown/place-images';
import { readingMinutes } from '@/server/markdown/reading-time';
import type { RenderedMarkdown } from '@/server/markdown/rendered-markdown';
import { type KnownPicture, knownPictures } from './pictures';
import { renderedPost } from './rendered-post';

/** Published posts as the public blog shows them. */

export interface PublicPostRow {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  cover_image_url: string;
  author_name: string;
  author_avatar_url: string;
  tags: string[];
  meta_description: string;
  revision: number;
  /** ISO 8601: see Statement.isoTimes. */
  published_at: string;
  updated_at: string;
  handle: string;
}

/** As `blogPostItemColumns`; the text is read only where it has not been rendered yet. */
export const publicPostColumns = `p.id, p.slug, p.title, p.excerpt, p.cover_image_url, p.author_name, p.author_avatar_url, p.tags,
  p.meta_description, p.revision, p.published_at, p.updated_at, (SELECT handle FROM identities WHERE id = $1) AS handle`;

async function contentOf({ id }: { id: string }): Promise<string> {
  const [found] = await rows<{ content: string }>(pool(), {
    name: 'blog-post-content',
    text: 'SELECT content FROM blog_posts WHERE id = $1',
    values: [id],
  });
  return found?.content ?? '';
}

/** About as many characters as search engines show. */
const descriptionLength = 200;

/** The beginning of a text, ended at a word. */
export function beginningOf(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= descriptionLength) return plain;
  const end = plain.lastIndexOf(' ', descriptionLength);
  return `${plain
    .slice(0, end > descriptionLength / 2 ? end : descriptionLength)
    .toWellFormed()
    .replace(/[\s,;:.–—-]+$/u, '')}…`;
}

type SummaryFields = Omit<PublicPostRow, 'meta_description' | 'revision' | 'handle'>;

/** @param pictures what is known of the cover, at least */
export function toSummary(
  row: SummaryFields,
  rendered: Pick<RenderedMarkdown, 'text' | 'wordCount'>,
  pictures: ReadonlyMap<string, KnownPicture>,
): PostSummary {
  const cover = row.cover_image_url === '' ? null : pictures.get(row.cover_image_url);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt.trim() || beginningOf(rendered.text),
    authorName: row.author_name,
    authorAvatarUrl: row.author_avatar_url,
    tags: [...new Set(row.tags)],
    publishedAt: row.published_at,
    updatedAt: row.updated_at,
    readingMinutes: readingMinutes(rendered.wordCount),
    cover: cover
      ? {
          url: cover.url,
          width: cover.width,
          height: cover.height,
          ...(cover.srcset === undefined ? {} : { srcset: cover.srcset }),
          alt: '',
        }
      : null,
  };
}

/** Posts of a list; those that were rendered before cost nothing but their rows. */
export async function toSummaries(found: PublicPostRow[]): Promise<PostSummary[]> {
  const [rendered, pictures] = await Promise.all([
    Promise.all(found.map((row) => renderedPost(row, contentOf))),
    knownPictures(pool(), coversOf(found)),
  ]);
  return found.map((row, index) => toSummary(row, rendered[index] as RenderedMarkdown, pictures));
}

function coversOf(found: Pick<PublicPostRow, 'cover_image_url'>[]): string[] {
  return found.map((row) => row.cover_image_url).filter((url) => url !== '');
}

/** A column of text is this wide at most, in CSS pixels; pictures in it are no wider. */
const textWidth = 544;

/** Leaves room for the pictures in a text. */
export function withPictures(rendered: RenderedMarkdown, pictures: ReadonlyMap<string, KnownPicture>): string {
  return placeImages(rendered.html, (index) => {
    const picture = pictures.get(rendered.images[index] ?? '');
    if (!picture?.width || !picture.height) return null;
    const { width, height, srcset } = picture;
    const attributes: Record<string, string | number> = { width, height };
    return srcset ? { ...attributes, srcset, sizes: `(min-width: ${textWidth}px) ${textWidth}px, 100vw` } : attributes;
  });
}

/** The size the generated image has, as cards on other sites want it. */
const socialImageSize = { width: 1200, height: 630 } as const;

function socialImageOf(row: PublicPostRow, cover: KnownPicture | undefined): SocialImage {
  if (cover?.social) return cover.social;
  if (cover?.width && cover.height) return { url: cover.url, width: cover.width, height: cover.height };
  // Cards are kept for long; another revision is another picture.
  return { url: `/blog/${row.handle}/${row.slug}/social.png?v=${row.revision}`, ...socialImageSize };
}

/** A post with its text. Its neighbours are not its own business. */
export async function toPostPage(row: PublicPostRow): Promise<Omit<PostPage, 'newer' | 'older'>> {
  const rendered = await renderedPost(row, contentOf);
  const pictures = await knownPictures(pool(), [...coversOf([row]), ...rendered.images]);
  return {
    ...toSummary(row, rendered, pictures),
    html: withPictures(rendered, pictures),
    headings: rendered.headings,
    standfirst: row.excerpt.trim(),
    metaDescription: row.meta_description.trim(),
    wordCount: rendered.wordCount,
    social: socialImageOf(row, pictures.get(row.cover_image_url)),
  };
}

/** A post as feeds carry it. */
export async function toFeedPost(row: PublicPostRow): Promise<FeedPost> {
  const { readingMinutes: _, ...post } = await toPostPage(row);
  return post;
}
