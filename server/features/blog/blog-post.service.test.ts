import { describe, expect, test } from 'vitest';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { createAgent } from '../agents/agent.service';
import { blogPostSchema } from './blog-post.schema';
import { getBlogPost, moveBlogPost } from './blog-post.service';
import { deleteBlogPost } from './blog-post-deletion.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const notFound = { code: 'not_found', status: 404, message: 'Blog post not found' };
const picture = '/blog/harbor/media/0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50.webp';

describe('creating', () => {
  test('makes a draft and fills in the rest', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor, { title: 'Wet brakes', content: 'Clean the *rims*.', authorName: 'Mara' });
    expect(post).toEqual({
      id: expect.any(String),
      title: 'Wet brakes',
      slug: 'wet-brakes',
      content: 'Clean the *rims*.',
      excerpt: '',
      coverImageUrl: '',
      authorName: 'Mara',
      authorAvatarUrl: '',
      authorAgentId: null,
      status: 'draft',
      publishedAt: null,
      tags: [],
      metaDescription: '',
      url: null,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: post.createdAt,
    });
    expect(blogPostSchema.parse(post)).toEqual(post);
    expect(await getBlogPost(actor, post.id)).toEqual({ success: true, data: { post } });
  });

  test('keeps what was sent, to the letter', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id: authorAgentId } = await createAgent(
      { ...actor, identityId },
      { name: 'Writer', roleId: 'writer', kind: 'writer' },
    );
    const fields = {
      title: "  Robert'); DROP TABLE blog_posts;-- 😀 ",
      content: '# Größe\r\n\n<script>alert(1)</script>\n\\%_',
      authorName: ' “Mara” ',
      slug: 'my-own-2',
      excerpt: 'Ein Satz.\nNoch einer.',
      coverImageUrl: 'https://cdn.example.com/a b.png?x=1&y="2"'.replaceAll(/[ "]/g, ''),
      authorAvatarUrl: 'http://cdn.example.com/mara.png',
      authorAgentId,
      tags: ['a,b', '{x}', ' spaced ', 'NULL', 'a,b'],
      metaDescription: '<b>&amp;',
    };
    expect(await writePost(actor, fields)).toMatchObject(fields);
  });

  test('stores pictures of its own by their path, and shows where they are', async () => {
    const { actor } = await createTestIdentity();
    for (const coverImageUrl of [picture, `https://desk.example.com${picture}`]) {
      const post = await writePost(actor, { coverImageUrl });
      expect(post.coverImageUrl).toBe(`https://desk.example.com${picture}`);
      expect((await changePost(actor, post.id, { coverImageUrl: post.coverImageUrl })).coverImageUrl).toBe(post.coverImageUrl);
    }
  });

  test.each([
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'ftp://x.example/a.png',
    '//x.example/a.png',
    '/other/a.png',
    'a.png',
  ])('refuses %s as a picture', async (url) => {
    const { actor } = await createTestIdentity();
    await expect(writePost(actor, { coverImageUrl: url })).rejects.toThrow('must be a URL');
    await expect(writePost(actor, { authorAvatarUrl: url })).rejects.toThrow('must be a URL');
  });

  test('refuses an agent of somebody else, and one that does not exist', async () => {
    const { actor } = await createTestIdentity();
    const other = await createTestIdentity();
    const { id: foreign } = await createAgent(other.actor, { name: 'Theirs', roleId: 'theirs', kind: 'writer' });
    const post = await writePost(actor);
    const refused = {
      status: 400,
      code: 'invalid_request',
      details: { fields: { authorAgentId: 'is not an agent of this identity' } },
    };
    for (const authorAgentId of [foreign, unknownId]) {
      await expect(writePost(actor, { authorAgentId })).rejects.toMatchObject(refused);
      await expect(changePost(actor, post.id, { title: 'Other', authorAgentId })).rejects.toMatchObject(refused);
    }
    expect((await getBlogPost(actor, post.id)).data.post).toEqual(post);
  });
});

describe('a text', () => {
  test('may have five mebibytes, whatever its letters, and not a byte more', async () => {
    const { actor } = await createTestIdentity();
    const fitting = '字'.repeat(Math.floor((5 * 1024 * 1024) / 3));
    const post = await writePost(actor, { content: fitting });
    expect(post.content).toBe(fitting);
    const refused = { status: 413, code: 'payload_too_large' };
    await expect(writePost(actor, { content: `${fitting}字` })).rejects.toMatchObject(refused);
    await expect(changePost(actor, post.id, { content: 'x'.repeat(5 * 1024 * 1024 + 1) })).rejects.toMatchObject(refused);
    expect((await getBlogPost(actor, post.id)).data.post.revision).toBe(1);
  });
});

describe('updating', () => {
  test('changes what is supplied and nothing else', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor, { tags: ['a'], excerpt: 'Short' });
    const changed = await changePost(actor, post.id, { excerpt: '', tags: ['b', 'c'] });
    expect(changed).toEqual({ ...post, excerpt: '', tags: ['b', 'c'], revision: 2, updatedAt: changed.updatedAt });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(post.updatedAt));
  });

  test('takes back what it gave, and ignores status and publishedAt', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor);
    const changed = await changePost(actor, post.id, { ...post, status: 'published', publishedAt: '2026-01-01T00:00:00.000Z' });
    expect(changed).toMatchObject({ slug: post.slug, status: 'draft', publishedAt: null });
  });

  test('with nothing supplied changes nothing', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor);
    expect(await changePost(actor, post.id, {})).toEqual(post);
  });

  test('is refused where the post was changed since the revision it names', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor);
    const changed = await changePost(actor, post.id, { content: 'Mine', ifRevision: 1 });
    expect(changed.revision).toBe(2);
    await expect(changePost(actor, post.id, { content: 'Too late', ifRevision: 1 })).rejects.toMatchObject({
      status: 409,
      code: 'edited_elsewhere',
      details: { revision: 2 },
    });
    expect((await getBlogPost(actor, post.id)).data.post).toEqual(changed);
  });

  test('of many at one revision lets one through', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => changePost(actor, post.id, { content: `Text ${index}`, ifRevision: 1 })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('of different fields at once loses none', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor);
    const changes = { excerpt: 'E', metaDescription: 'M', authorName: 'A', tags: ['t'], content: 'C', title: 'T' };
    await Promise.all(Object.entries(changes).map(([field, value]) => changePost(actor, post.id, { [field]: value })));
    expect((await getBlogPost(actor, post.id)).data.post).toMatchObject({ ...changes, revision: 7 });
  });
});

/** The specification's "States and transitions", and contract section 7. */
describe('moving between statuses', () => {
  const moves = { publish: 'published', unpublish: 'draft', archive: 'archived' } as const;

  test('publishing sets the time, unpublishing clears it', async () => {
    const { actor, handle } = await createTestIdentity();
    const draft = await writePost(actor);
    const before = Date.now() - 1;
    const published = (await moveBlogPost(actor, draft.id, 'published')).data.post;
    expect(published).toMatchObject({
      id: draft.id,
      status: 'published',
      url: `https://desk.example.com/blog/${handle}/wet-brakes`,
    });
    expect(Date.parse(published.publishedAt ?? '')).toBeGreaterThanOrEqual(before);
    expect((await moveBlogPost(actor, draft.id, 'draft')).data.post).toMatchObject({
      status: 'draft',
      publishedAt: null,
      url: null,
    });
  });

  test('archiving keeps the time, and publishing again brings it back', async () => {
    const { actor } = await createTestIdentity();
    const { id, publishedAt } = await publishPost(actor);
    expect((await moveBlogPost(actor, id, 'archived')).data.post).toMatchObject({ status: 'archived', publishedAt, url: null });
    expect((await moveBlogPost(actor, id, 'published')).data.post).toMatchObject({ status: 'published', publishedAt });
    await moveBlogPost(actor, id, 'archived');
    expect((await moveBlogPost(actor, id, 'draft')).data.post).toMatchObject({ status: 'draft', publishedAt: null });
  });

  test('an archived draft has no time until it is published', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor);
    expect((await moveBlogPost(actor, id, 'archived')).data.post).toMatchObject({ status: 'archived', publishedAt: null });
    expect((await moveBlogPost(actor, id, 'published')).data.post.publishedAt).not.toBeNull();
  });

  test.each([
    ['publish', ['publish']],
    ['unpublish', []],
    ['archive', ['archive']],
    ['archive', ['publish', 'archive']],
  ] as const)('%s where it is done already (after %j) changes nothing', async (name, path) => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor);
    for (const step of path) await moveBlogPost(actor, id, moves[step]);
    const before = await getBlogPost(actor, id);
    expect(await moveBlogPost(actor, id, moves[name])).toEqual(before);
    expect(await getBlogPost(actor, id)).toEqual(before);
  });

  test('many publications at once give one time', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor);
    const answers = await Promise.all(Array.from({ length: 8 }, () => moveBlogPost(actor, id, 'published')));
    expect(new Set(answers.map(({ data }) => data.post.publishedAt)).size).toBe(1);
    expect((await getBlogPost(actor, id)).data.post.revision).toBe(2);
  });
});

test('deleting is for good', async () => {
  const { actor } = await createTestIdentity();
  const { id, slug } = await publishPost(actor);
  expect(await deleteBlogPost(actor, id)).toEqual({ success: true });
  await expect(getBlogPost(actor, id)).rejects.toMatchObject(notFound);
  await expect(deleteBlogPost(actor, id)).rejects.toMatchObject(notFound);
  expect((await writePost(actor)).slug).toBe(slug);
});

test('nobody reaches another identity’s posts', async () => {
  const { actor } = await createTestIdentity();
  const other = await createTestIdentity();
  const theirs = await publishPost(other.actor);
  for (const id of [theirs.id, unknownId]) {
    await expect(getBlogPost(actor, id)).rejects.toMatchObject(notFound);
    await expect(changePost(actor, id, { title: 'Mine now' })).rejects.toMatchObject(notFound);
    await expect(moveBlogPost(actor, id, 'published')).rejects.toMatchObject(notFound);
    await expect(moveBlogPost(actor, id, 'draft')).rejects.toMatchObject(notFound);
    await expect(moveBlogPost(actor, id, 'archived')).rejects.toMatchObject(notFound);
    await expect(deleteBlogPost(actor, id)).rejects.toMatchObject(notFound);
  }
  expect((await getBlogPost(other.actor, theirs.id)).data.post).toEqual(theirs);
});
