import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageMaximumBytes as engineMaximum } from '@/server/platform/images/prepare-upload';
import { publishPost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { imageMaximumBytes } from './blog-image.limits';
import { uploadBlogImageInput } from './blog-image.schema';
import { uploadBlogImage } from './blog-image.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const origin = 'https://desk.example.com';

async function photo(width: number, height: number): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: '#1f6f6b' } });
  return (await image.jpeg().toBuffer()).toString('base64');
}

function pathOf(url: string): string {
  expect(url.startsWith(`${origin}/`)).toBe(true);
  return url.slice(origin.length);
}

test('the document and the engine agree on the largest picture', () => {
  expect(imageMaximumBytes).toBe(engineMaximum);
});

describe('an upload', () => {
  test('is served in the sizes that pages ask for, to anybody and for good', async () => {
    const { actor, handle } = await createTestIdentity();
    const { image } = (await uploadBlogImage(actor, { content: await photo(2000, 1500) })).data;
    expect(image).toMatchObject({ width: 1600, height: 1200 });
    const path = pathOf(image.url);
    expect(path).toBe(`/blog/${handle}/media/${image.id}.webp`);

    const largest = await call('GET', path);
    expect(largest.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(largest.bytes).metadata()).toMatchObject({ format: 'webp', width: 1600, height: 1200 });
    expect((await call('GET', path, { headers: { 'if-none-match': largest.headers.etag } })).status).toBe(304);
    for (const width of [960, 480]) {
      const smaller = await call('GET', path.replace('.webp', `-${width}.webp`));
      expect(await sharp(smaller.bytes).metadata()).toMatchObject({ format: 'webp', width });
    }
    const card = await call('GET', path.replace('.webp', '-1200.jpg'));
    expect(card.headers['content-type']).toBe('image/jpeg');
    expect(await sharp(card.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    expect(await sharp((await call('GET', path.replace('.webp', '-700.webp'))).bytes).metadata()).toMatchObject({ width: 480 });
    for (const other of ['-100.webp', '.png', '-0480.webp', '-960.jpg', '-.webp']) {
      expect([other, (await call('GET', path.replace('.webp', other))).status]).toEqual([other, 404]);
    }
  });

  test('is another blog’s only under its own address', async () => {
    const [one, other] = [await createTestIdentity(), await createTestIdentity()];
    const { image } = (await uploadBlogImage(one.actor, { content: await photo(64, 64) })).data;
    expect((await call('GET', pathOf(image.url).replace(one.handle, other.handle))).status).toBe(404);
  });

  test('has its size on the pages that show it', async () => {
    const { actor, handle } = await createTestIdentity();
    const { image } = (await uploadBlogImage(actor, { content: await photo(1200, 800) })).data;
    const { slug } = await publishPost(actor, {
      coverImageUrl: image.url,
      content: `![A quay](${pathOf(image.url)})\n\n![B](${image.url})`,
    });
    const { text } = await call('GET', `/blog/${handle}/${slug}`);
    const pictures = text.match(/<img[^>]*>/g) ?? [];
    expect(pictures).toHaveLength(3);
    for (const picture of pictures) {
      expect(picture).toMatch(/ width="1200"/);
      expect(picture).toMatch(/ height="800"/);
      expect(picture).toMatch(/ srcset="[^"]+-480\.webp 480w/i);
    }
    expect(text).toContain(`property="og:image" content="${image.url.replace('.webp', '-1200.jpg')}"`);
    const summary = await call('GET', `/blog/${handle}`);
    expect(summary.text).toMatch(/<img[^>]* width="1200"/);
  });

  test.each([
    ['a text', Buffer.from('Hello, I am a text and no picture at all.')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>')],
  ])('of %s is refused', async (_, bytes) => {
    const { actor } = await createTestIdentity();
    await expect(uploadBlogImage(actor, { content: bytes.toString('base64') })).rejects.toMatchObject({
      status: 400,
      details: { fields: { content: expect.any(String) } },
    });
  });

  test.each(['', 'no base64!', 'YQ', 'YQ=', 'Y Q=', 'data:image/png;base64,YQ=='])('of %j is no base64', (content) => {
    expect(uploadBlogImageInput.safeParse({ content }).success).toBe(false);
  });
});
