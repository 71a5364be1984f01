import type pg from 'pg';
import { keepDeleted, takeDeleted } from '@/server/features/deletions/deletion.service';
import type { IdentityActor } from '@/server/platform/actor';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { logPost } from './blog-post.log';
import { type BlogPostRow, blogPostColumns, findBlogPost, lockPost, requireOwnDraft, writtenColumns } from './blog-post.queries';
import type { BlogPostAnswer } from './blog-post.schema';
import { answerOf, refusal } from './blog-post.service';
import { freeSlug } from './blog-post.slug';
import { measureRemotePictures } from './remote-picture.service';

/** A post with what only the blog itself knows of it. */
interface DeletedPost {
  post: BlogPostRow;
  has_been_public: boolean;
  created_by: string | null;
  formerSlugs: string[];
}

/** `DELETE /blog/posts/{postId}`, including its former URLs. It can be restored for 30 days. @throws AppError not_found */
export async function deleteBlogPost(actor: IdentityActor, id: string): Promise<{ success: true }> {
  const { identityId } = actor;
  await transaction(actor, async (client) => {
    const { has_been_public, created_by, ...post } = await lockPost(client, identityId, id, { content: true });
    requireOwnDraft(actor, { ...post, has_been_public, created_by });
    const former = await rows<{ slug: string }>(client, {
      name: 'blog-post-former-slugs',
      text: 'SELECT slug FROM blog_post_former_addresses WHERE identity_id = $1 AND post_id = $2',
      values: [identityId, id],
    });
    await client.query({
      name: 'blog-post-delete',
      text: 'DELETE FROM blog_posts WHERE identity_id = $1 AND id = $2',
      values: [identityId, id],
    });
    const row = { ...post, content: post.content ?? '' };
    const deleted: DeletedPost = { post: row, has_been_public, created_by, formerSlugs: former.map(({ slug }) => slug) };
    await keepDeleted(client, { identityId, kind: 'post', id }, deleted);
    await logPost(client, actor, 'blog.post.deleted', row);
  });
  return { success: true };
}

/**
 * `POST /blog/posts/{postId}/restore`: restores the post under its id, published if it was. If another post has its slug now, it gets a
 * number. A post that is not deleted stays as it is.
 *
 * @throws AppError not_found if it is unknown or was deleted more than 30 days ago, insufficient_role for what the member may not change
 */
export async function restoreBlogPost(actor: IdentityActor, id: string): Promise<BlogPostAnswer> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const deleted = await takeDeleted<DeletedPost>(client, { identityId, kind: 'post', id });
    if (!deleted) return answerOf(await findBlogPost(client, identityId, id));
    requireOwnDraft(actor, { ...deleted, status: deleted.post.status });
    const row = await writeDeleted(client, identityId, deleted);
    await measureRemotePictures(client, identityId, row);
    await logPost(client, actor, 'blog.post.created', row, { isRestored: true });
    return answerOf(row);
  });
}

async function writeDeleted(client: pg.PoolClient, identityId: string, deleted: DeletedPost): Promise<BlogPostRow> {
  const { post, has_been_public, created_by, formerSlugs } = deleted;
  const slug = await freeSlug(client, { identityId, postId: post.id }, post.slug);
  const written = Object.entries(writtenColumns).map(([field, column]) => [column, post[field as keyof typeof writtenColumns]]);
  const values = new Map<string, unknown>([
    ...(written as [string, unknown][]),
    ['slug', slug],
    ['status', post.status],
    ['published_at', post.publishedAt],
    ['revision', post.revision + 1],
    ['created_at', post.createdAt],
    ['has_been_public', has_been_public],
    ['created_by', created_by],
  ]);
  const [row] = await rows<BlogPostRow>(client, {
    name: 'blog-post-restore',
    isoTimes: true,
    text: `INSERT INTO blog_posts AS p (identity_id, id, ${[...values.keys()].join(', ')})
      VALUES ($1, $2, ${[...values.keys()].map((_column, index) => `$${index + 3}`).join(', ')}) RETURNING ${blogPostColumns}`,
    values: [identityId, post.id, ...values.values()],
  }).catch((error: unknown) => {
    throw refusal(error, { given: false });
  });
  if (!row) throw new Error('the insert gave no row');
  // Its former URLs redirect again, unless another post has them now.
  const former = has_been_public && slug !== post.slug ? [...formerSlugs, post.slug] : formerSlugs;
  await client.query({
    name: 'blog-post-restore-slugs',
    text: `INSERT INTO blog_post_former_addresses (identity_id, slug, post_id)
      SELECT $1, slug, $2 FROM unnest($3::text[]) slug
      WHERE NOT EXISTS (SELECT 1 FROM blog_posts p WHERE p.identity_id = $1 AND p.slug = slug.slug AND p.status <> 'draft')
      ON CONFLICT DO NOTHING`,
    values: [identityId, post.id, former],
  });
  return row;
}
