import { type BlogPostRecord, blogPostAnswerSchema, blogPostListSchema } from '@/server/features/blog/blog-post.schema';
import { type Answer, type Api, expect, test } from '../support/api';

/** The specification's "Blog" and contract section 7, from outside. */

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

function postOf(answer: Answer): BlogPostRecord {
  expect(answer.status).toBe(200);
  return blogPostAnswerSchema.parse(answer.body).data.post;
}

async function listOf(api: Api, query = '') {
  const { status, body } = await api.get(`/blog/posts${query}`);
  expect(status).toBe(200);
  return blogPostListSchema.parse(body).data;
}

test('a post is written, published, taken back and deleted', async ({ api, request }) => {
  const created = await api.post('/blog/posts', { title: 'Ünïcode & Söhne', content: '# Hi', authorName: 'Mara' });
  expect(created.status).toBe(201);
  const { post } = blogPostAnswerSchema.parse(created.body).data;
  expect(post).toMatchObject({
    slug: 'unicode-sohne',
    status: 'draft',
    publishedAt: null,
    tags: [],
    excerpt: '',
    authorAgentId: null,
  });
  const path = `/blog/posts/${post.id}`;
  const page = `/blog/${api.tenant.handle}/${post.slug}`;
  expect((await request.get(page)).status()).toBe(404);

  // Without a body, with whatever content type; and twice is as good as once.
  const published = postOf(await api.call('POST', `${path}/publish`));
  expect(published).toMatchObject({ id: post.id, status: 'published', publishedAt: expect.any(String) });
  expect(postOf(await api.call('POST', `${path}/publish`, { headers: { 'Content-Type': 'text/plain' } }))).toEqual(published);
  const shown = await request.get(page);
  expect([shown.status(), shown.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await shown.text()).toContain('Ünïcode &amp; Söhne');

  const renamed = postOf(await api.patch(path, { title: 'Plain words' }));
  expect(renamed).toMatchObject({ slug: 'plain-words', publishedAt: published.publishedAt });
  const led = await request.get(page, { maxRedirects: 0 });
  expect([led.status(), led.headers().location]).toEqual([308, `/blog/${api.tenant.handle}/plain-words`]);

  expect(postOf(await api.call('POST', `${path}/unpublish`))).toMatchObject({ id: post.id, status: 'draft', publishedAt: null });
  expect((await request.get(page)).status()).toBe(404);
  await api.call('POST', `${path}/publish`);
  const archived = postOf(await api.call('POST', `${path}/archive`));
  expect(archived).toMatchObject({ status: 'archived', publishedAt: expect.any(String) });
  expect((await request.get(`/blog/${api.tenant.handle}/plain-words`)).status()).toBe(410);

  const deleted = await api.delete(path);
  expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.delete(path)).status).toBe(404);
  expect(postOf(await api.call('POST', `${path}/restore`))).toMatchObject({
    id: post.id,
    slug: 'plain-words',
    status: 'archived',
  });
});

test('errors are in the blog’s own words', async ({ api }) => {
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/publish'],
    ['POST', '/unpublish'],
    ['POST', '/archive'],
  ] as const) {
    const data = method === 'PATCH' ? { title: 'x' } : undefined;
    expect(await api.call(method, `/blog/posts/not-a-uuid${path}`, { data })).toMatchObject({
      status: 400,
      body: { error: 'ValidationError', message: 'Invalid postId format. Must be a valid UUID.' },
    });
    expect(await api.call(method, `/blog/posts/${unknownId}${path}`, { data })).toMatchObject({
      status: 404,
      body: { error: 'NotFound', message: 'Blog post not found' },
    });
  }
  await api.createPost({ slug: 'taken' });
  const clash = await api.post('/blog/posts', { title: 'x', content: 'x', authorName: 'x', slug: 'taken' });
  expect(clash).toMatchObject({ status: 409, body: { error: 'Conflict', code: 'slug_taken' } });
});

test('bad fields are named, all of them, and nothing is stored', async ({ api }) => {
  const { status, body } = await api.post('/blog/posts', {
    title: ' ',
    content: 5,
    slug: 'No Good',
    tags: 'a',
    authorAgentId: 'x',
  });
  expect([status, body.error]).toEqual([400, 'ValidationError']);
  expect(Object.keys(body.details.fields).sort()).toEqual(['authorAgentId', 'authorName', 'content', 'slug', 'tags', 'title']);
  for (const bad of [
    { title: null },
    { content: '' },
    { authorName: '' },
    { excerpt: null },
    { tags: [''] },
    { tags: [1] },
    { coverImageUrl: 'javascript:alert(1)' },
    { authorAvatarUrl: '//x.example/y' },
    { authorAgentId: unknownId },
    { ifRevision: '1' },
    { slug: '' },
  ]) {
    const before = await api.createPost();
    const answer = await api.patch(`/blog/posts/${before.id}`, { excerpt: 'applied', ...bad });
    expect([bad, answer.status, answer.body.error]).toEqual([bad, 400, 'ValidationError']);
    expect(postOf(await api.get(`/blog/posts/${before.id}`))).toEqual(before);
  }
});

test('posts are listed without their texts, the newest first', async ({ api }) => {
  const ids: string[] = [];
  for (const title of ['One', 'Two 100%', 'Three_four']) ids.unshift((await api.createPost({ title, tags: [title, 'all'] })).id);
  await api.call('POST', `/blog/posts/${ids[0]}/publish`);
  await api.call('POST', `/blog/posts/${ids[1]}/archive`);

  const all = await listOf(api);
  expect(all).toMatchObject({ total: 3, totalIsExact: true, limit: 20, offset: 0, hasMore: false });
  expect(all.posts.map(({ id }) => id)).toEqual(ids);
  for (const key of ['content', 'createdAt', 'updatedAt']) expect(all.posts[0]).not.toHaveProperty(key);

  expect(await listOf(api, '?limit=1&offset=1')).toMatchObject({
    total: 3,
    limit: 1,
    offset: 1,
    hasMore: true,
    posts: [{ id: ids[1] }],
  });
  expect(await listOf(api, '?offset=5')).toMatchObject({ total: 3, posts: [], hasMore: false });
  for (const [query, found] of [
    ['status=published', [ids[0]]],
    ['status=archived', [ids[1]]],
    ['status=draft', [ids[2]]],
    ['tag=all', ids],
    ['tag=All', []],
    ['tag=One', [ids[2]]],
    ['search=t', [ids[0], ids[1]]],
    ['search=100%25', [ids[1]]],
    ['search=_', [ids[0]]],
    ['search=THREE&status=published', [ids[0]]],
    ['search=three&tag=One', []],
  ] as const) {
    const { posts, total } = await listOf(api, `?${query}`);
    expect([query, posts.map(({ id }) => id), total]).toEqual([query, found, found.length]);
  }
  for (const bad of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'status=gone', 'search=%00', 'limit=1&limit=2']) {
    expect([bad, (await api.get(`/blog/posts?${bad}`)).status]).toEqual([bad, 400]);
  }
});

test('the same title, many times at once, gives each post a slug of its own', async ({ api }) => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => api.post('/blog/posts', { title: 'Same title', content: 'x', authorName: 'x' })),
  );
  const slugs = answers.map(({ body }) => blogPostAnswerSchema.parse(body).data.post.slug);
  expect(new Set(slugs).size).toBe(12);
  for (const slug of slugs) expect(slug).toMatch(/^same-title(-\d+)?$/);
});

test('a text may have five mebibytes, and not more', async ({ api, request }) => {
  const fitting = 'Wörter. '.repeat(40_000) + 'x'.repeat(5 * 1024 * 1024 - 9 * 40_000);
  expect(Buffer.byteLength(fitting)).toBe(5 * 1024 * 1024);
  const fields = { title: 'Long', authorName: 'x' };
  const created = await api.post('/blog/posts', { ...fields, content: fitting });
  expect(created.status).toBe(201);
  const { post } = blogPostAnswerSchema.parse(created.body).data;
  expect(post.content).toBe(fitting);
  for (const content of [`${fitting}x`, 'x'.repeat(12 * 1024 * 1024)]) {
    const refused = await api.post('/blog/posts', { ...fields, content });
    expect(refused).toMatchObject({ status: 413, body: { error: 'PayloadTooLarge', code: 'payload_too_large' } });
    expect((await api.patch(`/blog/posts/${post.id}`, { content })).status).toBe(413);
  }
  expect(postOf(await api.get(`/blog/posts/${post.id}`))).toEqual(post);
  postOf(await api.call('POST', `/blog/posts/${post.id}/publish`));
  expect((await request.get(`/blog/${api.tenant.handle}/long`)).status()).toBe(200);
});

test('what was read can be sent back', async ({ api }) => {
  const before = await api.createPost({ tags: ['a'], slug: 'my-own' });
  const after = postOf(await api.patch(`/blog/posts/${before.id}`, before));
  expect({ ...after, revision: 0, updatedAt: '' }).toEqual({ ...before, revision: 0, updatedAt: '' });
});

test('a change can be bound to the state it was made from', async ({ api }) => {
  const { id, revision } = await api.createPost();
  const path = `/blog/posts/${id}`;
  expect((await api.patch(path, { content: 'Mine', ifRevision: revision })).status).toBe(200);
  const late = await api.patch(path, { content: 'Late', ifRevision: revision });
  expect(late).toMatchObject({
    status: 409,
    body: { error: 'Conflict', code: 'edited_elsewhere', details: { revision: revision + 1 } },
  });
  expect(postOf(await api.get(path)).content).toBe('Mine');
});

test('the language of the blog can be set', async ({ api, request }) => {
  const answer = (language: string) => ({
    status: 200,
    body: { success: true, data: { settings: { language, siteUrl: expect.stringMatching(`/blog/${api.tenant.handle}$`) } } },
  });
  expect(await api.get('/blog/settings')).toMatchObject(answer('en'));
  expect(await api.patch('/blog/settings', { language: 'PT-br' })).toMatchObject(answer('pt-BR'));
  expect(await api.patch('/blog/settings', {})).toMatchObject(answer('pt-BR'));
  expect(await (await request.get(`/blog/${api.tenant.handle}`)).text()).toContain('<html lang="pt-BR"');
  for (const language of ['', 'not a language', 'x'.repeat(40), null, 5]) {
    expect((await api.patch('/blog/settings', { language })).status).toBe(400);
  }
});
