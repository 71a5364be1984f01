import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { renderPool } from '@/server/platform/rendering/render-pool';
import { siteUrlOf, storedPictureUrl } from './blog-post.queries';
import type { BlogPostPreview, BlogSettings, PreviewBlogPostInput, UpdateBlogSettingsInput } from './blog-site.schema';
import { knownPictures } from './pictures';
import { getSite } from './public-blog.service';
import { beginningOf, coversOf, toPost } from './public-post';
import { renderPostPage } from './site/post-page';

interface SettingsAnswer {
  success: true;
  data: { settings: BlogSettings };
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
  const pictures = await knownPictures(pool(), [...coversOf([{ coverImageUrl }]), ...rendered.images]);
  const now = new Date().toISOString();
  const { isPlain, ...post } = toPost(
    {
      ...input,
      id: '00000000-0000-0000-0000-000000000000',
      slug: 'preview',
      coverImageUrl,
      authorAvatarUrl: storedPictureUrl(input.authorAvatarUrl),
      metaDescription: '',
      publishedAt: input.publishedAt ?? now,
      updatedAt: input.updatedAt ?? now,
    },
    rendered,
    pictures,
  );
  const { wordCount, readingMinutes } = post;
  const page = renderPostPage(site, { ...post, social: null, newer: null, older: null });
  return { page, wordCount, readingMinutes, description: beginningOf(rendered.text), isPlain };
}
