import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { labelLanguages } from '@/server/platform/markdown/labels';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { jobsOfKind, running } from '@/server/testing/jobs';
import { labelledLanguages, previewBlogPostInput } from './blog-site.schema';
import { previewBlogPost } from './blog-site.service';
import { getBlogVersion, getIndexPage, getPublicPost } from './public-blog.service';
import { pictureMeasurement } from './remote-picture.service';
import { dictionary } from './site/labels';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

test('the settings know which languages the pages speak', () => {
  expect(Object.keys(dictionary).sort()).toEqual(labelledLanguages);
  expect([...labelLanguages].sort()).toEqual(labelledLanguages);
});

describe('the preview', () => {
  test('is the page that readers will get', async () => {
    const { actor, identityId } = await createTestIdentity();
    const fields = {
      title: 'Wet brakes',
      content: '## Rims\n\n```js\nconst a = 1;\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |',
      authorName: 'Mara',
    };
    const { page, wordCount, readingMinutes } = await previewBlogPost(actor, previewBlogPostInput.parse(fields));
    await publishPost(actor, fields);
    const found = await getPublicPost(identityId, 'wet-brakes');
    if (found.kind !== 'post') throw new Error('it is not public');
    expect(page).toContain(found.post.html);
    expect([wordCount, readingMinutes]).toEqual([found.post.wordCount, found.post.readingMinutes]);
  });

  test('takes what is not finished yet, stores nothing and runs nothing', async () => {
    const { actor, identityId } = await createTestIdentity();
    const input = {
      title: '',
      content: '<script>alert(1)</script>',
      coverImageUrl: 'javascript:alert(2)',
      authorAvatarUrl: 'half a',
    };
    const { page } = await previewBlogPost(actor, previewBlogPostInput.parse(input));
    expect(page).not.toContain('alert(');
    expect(await getBlogVersion((await identity(identityId)).handle)).toMatchObject({ version: '0' });
  });
});

async function identity(id: string): Promise<{ handle: string }> {
  const [found] = await rows<{ handle: string }>(pool(), { text: 'SELECT handle FROM identities WHERE id = $1', values: [id] });
  if (!found) throw new Error('there is no such identity');
  return found;
}

test('drafts leave the public blog as it is; what readers see renews it', async () => {
  const { actor, handle } = await createTestIdentity();
  const version = async () => Number((await getBlogVersion(handle))?.version);
  const draft = await writePost(actor);
  await changePost(actor, draft.id, { content: 'Other' });
  expect(await version()).toBe(0);
  const post = await publishPost(actor);
  const published = await version();
  expect(published).toBeGreaterThan(0);
  await changePost(actor, post.id, { content: 'Other' });
  expect(await version()).toBeGreaterThan(published);
});

test('an unknown handle has no blog', async () => {
  expect(await getBlogVersion('nobody')).toBeNull();
});

describe('pictures of other servers', () => {
  let server: Server;
  let origin: string;
  let requests: string[] = [];
  let isDown = false;

  beforeAll(async () => {
    const image = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#a33' } })
      .png()
      .toBuffer();
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (request.url?.endsWith('.png') && !isDown) response.writeHead(200, { 'Content-Type': 'image/png' }).end(image);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  async function waiting(): Promise<{ postId: string }[]> {
    return (await jobsOfKind<{ postId: string }>(pictureMeasurement)).map(({ payload }) => payload);
  }

  const work = (payload: object) => pictureMeasurement.run(running(payload));

  test('are measured once a post that shows them is public, and have room from then on', async () => {
    const { actor, identityId, handle } = await createTestIdentity();
    const cover = `${origin}/cover.png`;
    const fields = { coverImageUrl: cover, content: `![In the text](${origin}/text.png) ![Gone](${origin}/gone.gif)` };
    const draft = await writePost(actor, fields);
    expect((await waiting()).filter(({ postId }) => postId === draft.id)).toEqual([]);
    const { id, slug } = await publishPost(actor, { ...fields, title: 'Public' });
    expect((await waiting()).filter(({ postId }) => postId === id)).toEqual([{ postId: id }]);

    const before = await getBlogVersion(handle);
    await work({ postId: id });
    expect(requests.sort()).toEqual(['/cover.png', '/gone.gif', '/text.png']);
    expect(await getBlogVersion(handle)).not.toEqual(before);
    const found = await getPublicPost(identityId, slug);
    if (found.kind !== 'post') throw new Error('it is not public');
    expect(found.post.cover).toMatchObject({ url: cover, width: 320, height: 200 });
    expect(found.post.html).toMatch(/<img width="320" height="200"[^>]*\/text\.png"/);
    expect(found.post.social).toEqual({ url: cover, width: 320, height: 200 });
    expect((await getIndexPage(identityId, { page: 1, tag: null }))?.posts[0]?.cover).toMatchObject({ width: 320 });

    requests = [];
    await work({ postId: id });
    expect(requests).toEqual([]);

    // If a later measurement fails because their server is down, they keep their known sizes.
    await pool().query(`UPDATE remote_pictures SET checked_at = now() - interval '100 days'`);
    isDown = true;
    await work({ postId: id });
    isDown = false;
    expect(requests).toContain('/cover.png');
    const later = await getPublicPost(identityId, slug);
    if (later.kind !== 'post') throw new Error('it is not public');
    expect(later.post.cover).toMatchObject({ width: 320, height: 200 });

    // So are those measured while the clock was ahead.
    requests = [];
    await pool().query(`UPDATE remote_pictures SET checked_at = now() + interval '1 year'`);
    await work({ postId: id });
    expect(requests).toContain('/cover.png');
  });

  test('of a post that is gone are nobody’s business', async () => {
    requests = [];
    await work({ postId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' });
    expect(requests).toEqual([]);
  });
});
