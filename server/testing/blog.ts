import { type BlogPostRecord, createBlogPostInput, updateBlogPostInput } from '@/server/features/blog/blog-post.schema';
import { createBlogPost, moveBlogPost, updateBlogPost } from '@/server/features/blog/blog-post.service';
import type { IdentityActor } from '@/server/platform/actor';

/** Writes a draft with the required fields and those of the test. */
export async function writePost(actor: IdentityActor, fields: Record<string, unknown> = {}): Promise<BlogPostRecord> {
  const input = createBlogPostInput.parse({ title: 'Wet brakes', content: 'Clean the *rims*.', authorName: 'Mara', ...fields });
  return (await createBlogPost(actor, input)).data.post;
}

/** Like `writePost`, and publishes it. */
export async function publishPost(actor: IdentityActor, fields: Record<string, unknown> = {}): Promise<BlogPostRecord> {
  const { id } = await writePost(actor, fields);
  return (await moveBlogPost(actor, id, 'published')).data.post;
}

export async function changePost(
  actor: IdentityActor,
  postId: string,
  changes: Record<string, unknown>,
): Promise<BlogPostRecord> {
  return (await updateBlogPost(actor, updateBlogPostInput.parse({ postId, ...changes }))).data.post;
}
