import { describe, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { countByStatus } from './blog-post.list';
import { blogPostItemSchema, listBlogPostsInput } from './blog-post.schema';
import { getBlogOverview, listBlogPosts, moveBlogPost } from './blog-post.service';
import { deleteBlogPost } from './blog-post-deletion.service';

withFreshDatabase();

async function list(actor: IdentityActor, query: Record<string, unknown> = {}) {
  return (await listBlogPosts(actor, listBlogPostsInput.parse(query))).data;
}

async function titles(actor: IdentityActor, query: Record<string, unknown> = {}): Promise<string[]> {
  return (await list(actor, query)).posts.map(({ title }) => title);
}

test('shows posts without their texts', async () => {
  const { actor } = await createTestIdentity();
  const post = await publishPost(actor, { tags: ['a'] });
  const { content: _, revision: __, createdAt: ___, updatedAt, ...listed } = post;
  const { posts } = await list(actor);
  expect(posts).toEqual([{ ...listed, editedAt: updatedAt }]);
  expect(blogPostItemSchema.parse(posts[0])).toEqual(posts[0]);
});

test('is ordered by creation, whatever happened since, and ends where it ends', async () => {
  const { actor } = await createTestIdentity();
  const first = await writePost(actor, { title: 'First' });
  for (const title of ['Second', 'Third']) await writePost(actor, { title });
  await moveBlogPost(actor, first.id, 'published');
  expect(await titles(actor)).toEqual(['Third', 'Second', 'First']);
  expect(await list(actor, { limit: 2 })).toMatchObject({ total: 3, hasMore: true });
  expect(await list(actor, { limit: 2, offset: 2 })).toMatchObject({ total: 3, hasMore: false });
  expect(await list(actor, { offset: 9 })).toMatchObject({ posts: [], total: 3, hasMore: false });
  expect(await list(actor, { offset: 9, search: 'd' })).toMatchObject({ posts: [], total: 2, hasMore: false });
});

describe('search', () => {
  test.each(['100%', 'a_b', 'back\\slash', "O'Neil", 'ÄRGER', '😀', '"; DROP TABLE', '{a,b}'])(
    'takes %j literally',
    async (part) => {
      const { actor } = await createTestIdentity();
      await writePost(actor, { title: `Before ${part} after` });
      await writePost(actor, { title: 'aXb 1000 backslash' });
      expect(await titles(actor, { search: part })).toEqual([`Before ${part} after`]);
      expect(await titles(actor, { search: part.toLowerCase() })).toEqual([`Before ${part} after`]);
    },
  );

  test('of nothing finds all', async () => {
    const { actor } = await createTestIdentity();
    await writePost(actor);
    expect(await list(actor, { search: '' })).toMatchObject({ total: 1, totalIsExact: true });
  });

  test('stops counting at a thousand, and says so', async () => {
    const { actor, identityId } = await createTestIdentity();
    await pool().query(
      `INSERT INTO blog_posts (id, identity_id, title, slug, content, author_name)
        SELECT gen_random_uuid(), $1, 'Post ' || n, 'post-' || n, 'x', 'A' FROM generate_series(1, 1100) n`,
      [identityId],
    );
    expect(await list(actor, { search: 'post', limit: 1 })).toMatchObject({ total: 1000, totalIsExact: false, hasMore: true });
    expect(await list(actor, { search: 'post', limit: 1, offset: 1050 })).toMatchObject({
      total: 1052,
      totalIsExact: false,
      hasMore: true,
    });
    expect(await list(actor, { search: 'post 10', limit: 1 })).toMatchObject({ total: 111, totalIsExact: true });
    expect(await list(actor, { limit: 1 })).toMatchObject({ total: 1100, totalIsExact: true });
  });
});

test('never shows another identity’s', async () => {
  const [one, other] = [await createTestIdentity(), await createTestIdentity()];
  await publishPost(other.actor, { title: 'Theirs', tags: ['theirs'] });
  for (const query of [{}, { search: 'Theirs' }, { tag: 'theirs' }, { status: 'published' }]) {
    expect(await list(one.actor, query)).toMatchObject({ posts: [], total: 0 });
  }
  expect(await getBlogOverview(one.actor)).toMatchObject({ counts: { draft: 0, published: 0, archived: 0 }, tags: [] });
});

test('counts stay exact through everything that happens at once', async () => {
  const { actor, identityId } = await createTestIdentity();
  const posts = await Promise.all(Array.from({ length: 20 }, (_, index) => writePost(actor, { title: `Post ${index % 3}` })));
  await Promise.all(
    posts
      .flatMap(({ id }, index) => [
        moveBlogPost(actor, id, 'published'),
        ...(index % 2 ? [moveBlogPost(actor, id, 'archived')] : []),
        ...(index % 3 ? [] : [moveBlogPost(actor, id, 'draft')]),
        ...(index % 5 ? [] : [deleteBlogPost(actor, id).catch(() => undefined)]),
      ])
      .map((work) => work.catch(() => undefined)),
  );
  const counted = await rows<{ status: string; posts: number }>(pool(), {
    text: 'SELECT status, count(*)::float8 AS posts FROM blog_posts WHERE identity_id = $1 GROUP BY status',
    values: [identityId],
  });
  const expected = {
    draft: 0,
    published: 0,
    archived: 0,
    ...Object.fromEntries(counted.map(({ status, posts }) => [status, posts])),
  };
  expect(await countByStatus(identityId)).toEqual(expected);
  expect((await list(actor)).total).toBe(16);
});

test('the overview suggests the tags in use, the most frequent first', async () => {
  const { actor, handle } = await createTestIdentity();
  await writePost(actor, { tags: ['b', 'a'] });
  await publishPost(actor, { tags: ['a', 'c'] });
  expect(await getBlogOverview(actor)).toEqual({
    counts: { draft: 1, published: 1, archived: 0 },
    tags: ['a', 'b', 'c'],
    siteUrl: `http://localhost:3000/blog/${handle}`,
  });
});
