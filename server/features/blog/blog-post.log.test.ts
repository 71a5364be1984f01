import { expect, test } from 'vitest';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { type BlogPostStatus, blogPostSchema } from './blog-post.schema';
import { getBlogPost, moveBlogPost } from './blog-post.service';
import { deleteBlogPost } from './blog-post-deletion.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const typesOf = async (identity: { identityId: string }) => (await committedEvents(identity)).map(({ type }) => type);

test('each change of a post is an event with the post as GET answers it, and what was before', async () => {
  const identity = await createTestIdentity();
  const { actor, apiKeyActor, key } = identity;
  const created = await writePost(actor, { tags: ['a'] });
  const { id } = created;
  const get = async () => {
    const { body } = await call('GET', `/api/v1/blog/posts/${id}`, { key });
    return (body as { data: { post: Record<string, unknown> } }).data.post;
  };
  const states = [await get()];
  const steps: (() => Promise<unknown>)[] = [
    () => changePost(actor, id, { title: 'Dry brakes', tags: ['b'] }),
    ...(['published', 'archived', 'draft'] satisfies BlogPostStatus[]).map((status) => () => moveBlogPost(actor, id, status)),
    () => changePost(apiKeyActor, id, { content: 'Another text' }),
    () => changePost(actor, id, { slug: 'elsewhere' }),
  ];
  for (const step of steps) {
    await step();
    states.push(await get());
  }
  await deleteBlogPost(actor, id);
  const events = await committedEvents(identity);
  expect(events.map(({ type, object }) => [type, object.version])).toEqual([
    ['blog.post.created', 1],
    ['blog.post.updated', 2],
    ['blog.post.published', 3],
    ['blog.post.archived', 4],
    ['blog.post.unpublished', 5],
    ['blog.post.updated', 6],
    ['blog.post.updated', 7],
    ['blog.post.deleted', 8],
  ]);
  for (const [index, { data, object }] of events.entries()) {
    expect(object).toMatchObject({ type: 'blog.post', id });
    const [before, after] = [states[index - 1], states[index] ?? states.at(-1)];
    if (before === undefined || index === states.length) {
      expect(data).toEqual({ object: after });
      continue;
    }
    const changed = Object.entries(before).filter(([name, value]) => JSON.stringify(after?.[name]) !== JSON.stringify(value));
    expect(data).toEqual({ object: after, previousAttributes: Object.fromEntries(changed) });
    expect(JSON.stringify(data)).toContain(JSON.stringify(after));
  }
  const names = (index: number) => {
    const data = events[index]?.data;
    return Object.keys((data && 'previousAttributes' in data && data.previousAttributes) || {}).sort();
  };
  expect(names(1)).toEqual(['revision', 'slug', 'tags', 'title', 'updatedAt']);
  expect(names(2)).toEqual(['publishedAt', 'revision', 'status', 'updatedAt', 'url']);
  expect(names(5)).toEqual(['content', 'revision', 'updatedAt']);
  expect(events[4]?.actor).toEqual({ type: 'user', id: identity.owner.userId, name: null });
  expect(events[5]?.actor).toMatchObject({ type: 'api_key', id: apiKeyActor.apiKeyId });
});

test('what changes nothing is no event, nor is what is refused', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const { id, title, content } = await publishPost(actor, { slug: 'taken' });
  await changePost(actor, id, { title, content });
  await changePost(actor, id, {});
  await moveBlogPost(actor, id, 'published');
  const other = await writePost(actor);
  await expect(changePost(actor, other.id, { slug: 'taken' })).rejects.toMatchObject({ code: 'slug_taken' });
  await expect(writePost(actor, { slug: 'taken' })).rejects.toMatchObject({ code: 'slug_taken' });
  await expect(deleteBlogPost(actor, crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  expect(await typesOf(identity)).toEqual(['blog.post.created', 'blog.post.published', 'blog.post.created']);
});

test('a post above 20 kB is linked, and its change of another field is one, too', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const { id } = await writePost(actor, { content: '字'.repeat(1_000_000) });
  await changePost(actor, id, { excerpt: 'Short' });
  await changePost(actor, id, { content: '字'.repeat(1_000_000) });
  await changePost(actor, id, { content: 'Short' });
  await deleteBlogPost(actor, id);
  const linked = { truncated: true, url: `https://desk.example.com/api/v1/blog/posts/${id}` };
  const events = await committedEvents(identity);
  // The fourth has the text that was before.
  expect(events.slice(0, 3).map(({ data }) => data)).toEqual([linked, linked, linked]);
  expect(events.map(({ type }) => type)).toEqual([
    'blog.post.created',
    'blog.post.updated',
    'blog.post.updated',
    'blog.post.deleted',
  ]);
});

test('simultaneous changes of one post get versions without gaps', async () => {
  const identity = await createTestIdentity();
  const { actor } = identity;
  const { id } = await writePost(actor);
  await Promise.all(
    Array.from({ length: 10 }, (_each, index) =>
      index % 2 ? changePost(actor, id, { title: `Title ${index}` }) : moveBlogPost(actor, id, index % 4 ? 'published' : 'draft'),
    ),
  );
  const events = await committedEvents(identity);
  expect(events.map(({ object }) => object.version)).toEqual(events.map((_event, index) => index + 1));
  expect(events.at(-1)?.data).toMatchObject({ object: blogPostSchema.parse((await getBlogPost(actor, id)).data.post) });
});
