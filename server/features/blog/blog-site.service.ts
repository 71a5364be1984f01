import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { highlightCss } from '@/server/platform/markdown/highlight-style';
import { readingMinutes } from '@/server/platform/markdown/reading-time';
import { oncePerProcess } from '@/server/platform/process-globals';
import { renderPool } from '@/server/platform/rendering/render-pool';
import { siteUrlOf, storedPictureUrl } from './blog-post.queries';
import type { BlogPostPreview, BlogSettings, PreviewBlogPostInput, UpdateBlogSettingsInput } from './blog-site.schema';
import { knownPictures } from './pictures';
import { getSite } from './public-blog.service';
import { beginningOf, line, toSummary, withPictures } from './public-post';
import { renderPostPage } from './site/post-page';
import { siteStylesheet } from './site/stylesheet';

interface SettingsAnswer {
  success: true;
  data: { settings: BlogSettings };
}

/** The stylesheet of every page of the public blog; generated once. */
export function blogStylesheet(): string {
  return oncePerProcess('blog-stylesheet', () => siteStylesheet(highlightCss));
}

/** `GET /blog/settings`. */
export async function getBlogSettings({ identityId }: IdentityActor): Promise<SettingsAnswer> {
  const { handle, language } = await getSite(identityId);
  return { success: true, data: { settings: { language, siteUrl: siteUrlOf(handle) } } };
}

/** `PATCH /blog/settings`: only supplied settings change; public pages show it immediately. */
export async function updateBlogSettings(actor: IdentityActor, { language }: UpdateBlogSettingsInput): Promise<SettingsAnswer> {
  if (language !== undefined) {
    await transaction(actor, (client) =>
      client.query({
        name: 'blog-settings-update',
        text: `INSERT INTO blog_sites AS site (identity_id, language) VALUES ($1, $2)
          ON CONFLICT (identity_id) DO UPDATE SET language = excluded.language, version = site.version + 1`,
        values: [actor.identityId, language],
      }),
    );
  }
  return getBlogSettings(actor);
}

/** A post as readers would see it, from the editor's state; rendered exactly like a published one, and nothing is stored. */
export async function previewBlogPost({ identityId }: IdentityActor, input: PreviewBlogPostInput): Promise<BlogPostPreview> {
  const coverImageUrl = storedPictureUrl(input.coverImageUrl);
  const site = await getSite(identityId);
  const rendered = await renderPool().markdown(input.content, { owner: identityId, language: site.language });
  const pictures = await knownPictures(pool(), [...(coverImageUrl === '' ? [] : [coverImageUrl]), ...rendered.images]);
  const now = new Date().toISOString();
  const summary = toSummary(
    {
      id: '00000000-0000-0000-0000-000000000000',
      slug: 'preview',
      title: input.title,
      excerpt: input.excerpt,
      cover_image_url: coverImageUrl,
      author_name: input.authorName,
      author_avatar_url: storedPictureUrl(input.authorAvatarUrl),
      tags: input.tags,
      published_at: input.publishedAt ?? now,
      updated_at: input.updatedAt ?? now,
    },
    rendered,
    pictures,
  );
  const page = renderPostPage(
    site,
    {
      ...summary,
      html: withPictures(rendered, pictures),
      headings: rendered.headings,
      standfirst: line(input.excerpt),
      metaDescription: '',
      wordCount: rendered.wordCount,
      social: null,
      newer: null,
      older: null,
    },
    { stylesheet: blogStylesheet() },
  );
  return {
    page,
    wordCount: rendered.wordCount,
    readingMinutes: readingMinutes(rendered.wordCount),
    description: beginningOf(rendered.text),
    isPlain: rendered.fallback === true,
  };
}
