import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { addTestMember } from '@/server/testing/team';
import { getBlogPost, moveBlogPost } from './blog-post.service';
import { deleteBlogPost, restoreBlogPost } from './blog-post-deletion.service';

withFreshDatabase();

const notFound = { code: 'not_found', status: 404 };

/** The row of a post, without what every write raises, and its former slugs. */
async function rowsOf(postId: string) {
  const [post] = await rows<{ row: Record<string, unknown> }>(pool(), {
    text: 'SELECT to_json(p) AS row FROM blog_posts p WHERE id = $1',
    values: [postId],
  });
  const slugs = await rows(pool(), {
    text: 'SELECT slug FROM blog_post_former_addresses WHERE post_id = $1 ORDER BY slug',
    values: [postId],
  });
  const { updated_at: _updated, revision: _revision, ...row } = post?.row ?? {};
  return { row, slugs };
}

test('a deleted post comes back as it was, published, and readers of its former addresses are led on', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const content = `# Brakes\n\n${'A long text. '.repeat(5_000)}`;
  const { id } = await publishPost(actor, { title: 'Wet brakes', content, tags: ['bike'], metaDescription: 'How to' });
  await changePost(actor, id, { slug: 'dry-brakes' });
  const before = await rowsOf(id);
  expect(before.slugs).toEqual([{ slug: 'wet-brakes' }]);
  const post = (await getBlogPost(actor, id)).data.post;
  await deleteBlogPost(actor, id);
  await expect(getBlogPost(actor, id)).rejects.toMatchObject(notFound);
  expect((await rowsOf(id)).slugs).toEqual([]);

  const events = await eventsOf(identity, () => restoreBlogPost(actor, id));
  expect(events).toMatchObject([{ type: 'blog.post.created', object: { id, version: 5 } }]);
  expect(await rowsOf(id)).toEqual(before);
  const restored = (await getBlogPost(actor, id)).data.post;
  expect(restored).toEqual({ ...post, revision: post.revision + 1, updatedAt: restored.updatedAt });
  expect(await eventsOf(identity, () => restoreBlogPost(actor, id))).toEqual([]);
});

test('a slug that another post has now stays there', async () => {
  const { actor } = await createTestIdentity();
  const { id } = await publishPost(actor, { title: 'Wet brakes' });
  await changePost(actor, id, { slug: 'dry-brakes' });
  await deleteBlogPost(actor, id);
  const former = await publishPost(actor, { title: 'Wet brakes' });
  const own = await publishPost(actor, { title: 'Dry brakes' });
  expect([former.slug, own.slug]).toEqual(['wet-brakes', 'dry-brakes']);
  const { post } = (await restoreBlogPost(actor, id)).data;
  expect(post).toMatchObject({ slug: 'dry-brakes-2', status: 'published' });
  expect((await rowsOf(id)).slugs).toEqual([]);
  expect((await getBlogPost(actor, own.id)).data.post).toEqual(own);
});

test('members restore their own drafts only', async () => {
  const identity = await createTestIdentity();
  const { actor: member } = await addTestMember(identity, 'member');
  const { id } = await writePost(member, { title: 'Mine' });
  const { id: theirs } = await writePost(identity.actor, { title: 'Theirs' });
  await deleteBlogPost(member, id);
  await deleteBlogPost(identity.actor, theirs);
  await expect(restoreBlogPost(member, theirs)).rejects.toMatchObject({ code: 'insufficient_role' });
  expect((await restoreBlogPost(member, id)).data.post.title).toBe('Mine');
  // It is still theirs.
  await changePost(member, id, { title: 'Still mine' });
  await moveBlogPost(identity.actor, id, 'published');
  await deleteBlogPost(identity.actor, id);
  await expect(restoreBlogPost(member, id)).rejects.toMatchObject({ code: 'insufficient_role' });
  await restoreBlogPost(identity.actor, theirs);
});

test('another business and an unknown id are not found', async () => {
  const [identity, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const { id } = await writePost(identity.actor);
  await deleteBlogPost(identity.actor, id);
  await expect(restoreBlogPost(stranger.actor, id)).rejects.toMatchObject(notFound);
  await expect(restoreBlogPost(identity.actor, identity.identityId)).rejects.toMatchObject(notFound);
});
