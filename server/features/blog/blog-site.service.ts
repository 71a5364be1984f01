import type { IdentityActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { serialize } from '@/server/platform/db/serialize';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import type { RecordVersion } from '@/server/platform/operations/operation';
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

/** Of settings that were never changed. */
const defaults = { language: 'en', revision: 0 };

const versionQuery = 'SELECT revision, NULL AS "updatedAt", language AS others FROM blog_sites WHERE identity_id = $1::uuid';

export const blogSettingsVersion: RecordVersion<unknown, SettingsAnswer> = {
  lock: async (db, { identityId }) => {
    // Before the first change there is no row to lock.
    await serialize(db, 'blog-settings', identityId);
    return (
      (await lockRevision(db, { name: 'blog-settings-revision', text: versionQuery, values: [identityId] })) ?? defaults.revision
    );
  },
  others: ({ data }) => data.settings.language,
  read: async ({ identityId }) =>
    (await readVersion({ name: 'blog-settings-version', text: versionQuery, values: [identityId] })) ?? {
      revision: defaults.revision,
      updatedAt: null,
      others: defaults.language,
    },
};

/** `GET /blog/settings`. */
export async function getBlogSettings({ identityId }: IdentityActor): Promise<SettingsAnswer> {
  const [found] = await rows<Omit<BlogSettings, 'siteUrl'> & { handle: string }>(pool(), {
    name: 'blog-settings',
    text: `SELECT i.handle, coalesce(s.language, '${defaults.language}') AS language, coalesce(s.revision, ${defaults.revision}) AS revision
      FROM ${identities} i LEFT JOIN blog_sites s ON s.identity_id = i.id WHERE i.id = $1`,
    values: [identityId],
  });
  if (!found) throw new Error('the identity of a blog is gone');
  const { handle, language, revision } = found;
  return { success: true, data: { settings: { language, siteUrl: siteUrlOf(handle), revision } } };
}

/** `PATCH /blog/settings`: only supplied settings change; public pages show it immediately. */
export async function updateBlogSettings(actor: IdentityActor, { language }: UpdateBlogSettingsInput): Promise<SettingsAnswer> {
  if (language !== undefined) {
    await transaction(actor, async (client) => {
      await serialize(client, 'blog-settings', actor.identityId);
      await client.query({
        name: 'blog-settings-update',
        text: `INSERT INTO blog_sites AS site (identity_id, language) VALUES ($1, $2)
          ON CONFLICT (identity_id) DO UPDATE SET language = excluded.language, version = site.version + 1`,
        values: [actor.identityId, language],
      });
    });
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
