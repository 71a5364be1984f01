import { XMLParser, XMLValidator } from 'fast-xml-parser';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { moveBlogPost } from '@/server/features/blog/blog-post.service';
import { deleteBlogPost } from '@/server/features/blog/blog-post-deletion.service';
import { updateBlogSettings } from '@/server/features/blog/blog-site.service';
import { updateIdentity } from '@/server/features/identity/identity.service';
import { pool } from '@/server/platform/db/pool';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

/** Contract section 7, "Public", over HTTP. The tests in server/features/blog/site cover the pages in detail. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

/** Everything a browser would execute in a page: scripts, handlers, and URLs with code. */
function executableOf(html: string): string[] {
  const found: string[] = [];
  visit(unified().use(rehypeParse).parse(html), 'element', ({ tagName, properties }) => {
    if (tagName === 'script' && properties.type !== 'application/ld+json') found.push('script');
    if (['iframe', 'object', 'embed', 'form', 'base'].includes(tagName)) found.push(tagName);
    for (const [name, value] of Object.entries(properties)) {
      if (/^on/i.test(name) || /^\s*(?:javascript|vbscript):/i.test(String(value))) found.push(`${tagName} ${name}`);
    }
  });
  return found;
}

const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers });

describe('a post', () => {
  test('is there as soon as it is published, changed or taken back', async () => {
    const { actor, handle } = await createTestIdentity();
    const { id, slug } = await writePost(actor, { content: 'First text.' });
    const path = `/blog/${handle}/${slug}`;
    expect((await get(path)).status).toBe(404);

    await moveBlogPost(actor, id, 'published');
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<p>First text.</p>');
    expect((await get(`/blog/${handle}`)).text).toContain('Wet brakes');

    await changePost(actor, id, { content: 'Second text.' });
    expect((await get(path)).text).toContain('<p>Second text.</p>');

    await moveBlogPost(actor, id, 'draft');
    expect((await get(path)).status).toBe(404);
    expect((await get(`/blog/${handle}`)).text).not.toContain('Wet brakes');

    await moveBlogPost(actor, id, 'published');
    expect((await get(path)).status).toBe(200);
    await moveBlogPost(actor, id, 'archived');
    expect((await get(path)).status).toBe(410);
    await moveBlogPost(actor, id, 'published');
    await deleteBlogPost(actor, id);
    expect((await get(path)).status).toBe(404);
  });

  test('is led to from where it was (308), as long as it is public', async () => {
    const { actor, handle } = await createTestIdentity();
    const { id } = await publishPost(actor, { slug: 'before' });
    await changePost(actor, id, { slug: 'after' });
    expect(await get(`/blog/${handle}/before`)).toMatchObject({ status: 308, headers: { location: `/blog/${handle}/after` } });
    const withQuery = await get(`/blog/${handle}/before?utm_source=x`);
    expect(withQuery.headers.location).toBe(`/blog/${handle}/after?utm_source=x`);
    await moveBlogPost(actor, id, 'archived');
    expect((await get(`/blog/${handle}/before`)).status).toBe(410);
    await moveBlogPost(actor, id, 'draft');
    expect((await get(`/blog/${handle}/before`)).status).toBe(404);
  });

  test('is another identity’s only under its own handle', async () => {
    const [one, other] = [await createTestIdentity(), await createTestIdentity()];
    const { slug } = await publishPost(one.actor);
    expect((await get(`/blog/${other.handle}/${slug}`)).status).toBe(404);
    expect((await get(`/blog/${other.handle}`)).text).not.toContain('Wet brakes');
  });

  test('runs nothing, whatever was written in it', async () => {
    const { actor, handle } = await createTestIdentity();
    const { slug } = await publishPost(actor, {
      title: '</title><script>alert(1)</script>',
      slug: 'hostile',
      content:
        '<script>alert(2)</script><img src=x onerror=alert(3)>\n\n[x](javascript:alert(4))\n\n<style>*{display:none}</style>',
      excerpt: '"><script>alert(5)</script>',
      authorName: '<img src=x onerror=alert(6)>',
      tags: ['"><svg onload=alert(7)>'],
      metaDescription: '"/><script>alert(8)</script>',
    });
    for (const path of [`/blog/${handle}/${slug}`, `/blog/${handle}`]) {
      const { text, headers } = await get(path);
      expect(executableOf(text)).toEqual([]);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src /);
      expect(headers['content-security-policy']).not.toContain('unsafe');
    }
  });
});

test('control characters of a title stay out of the page', async () => {
  const { actor, handle } = await createTestIdentity();
  const { slug } = await publishPost(actor, { title: 'Wet\u0001 \u0008brakes\r\n', authorName: 'Ma\u001fra' });
  const { text } = await get(`/blog/${handle}/${slug}`);
  expect(text).toContain('>Wet brakes</h1>');
  expect(text).not.toMatch(/(?![\t\n\f\r])\p{Cc}/u);
});

test('a business may be called anything', async () => {
  const { actor, handle } = await createTestIdentity();
  const { slug } = await publishPost(actor);
  for (const displayName of ['𠮷野家', '🚲', '   ', '\u202eevil', 'a\u0301', '<b>']) {
    await updateIdentity(actor, { displayName }, 'merge');
    for (const path of ['', `/${slug}`, '/nothing', '/feed.xml', `/${slug}/social.png`]) {
      const { status } = await get(`/blog/${handle}${path}`);
      expect([displayName, path, status]).toEqual([displayName, path, path === '/nothing' ? 404 : 200]);
    }
  }
});

test('a text that is too heavy for pages is in them as it was written, and only the beginning of it in lists and feeds', async () => {
  const { actor, handle } = await createTestIdentity();
  const { slug } = await publishPost(actor, { content: `**Bold** beginning.\n\n${'<i>plain</i> '.repeat(120_000)}` });
  expect((await get(`/blog/${handle}/${slug}`)).text).toContain('<p>**Bold** beginning.</p>');
  expect((await get(`/blog/${handle}`)).text).toContain('Bold beginning. plain plain');
  const feed = await get(`/blog/${handle}/feed.xml`);
  expect(feed.bytes.length).toBeLessThan(10_000);
  expect(feed.text).toContain('Bold beginning. plain plain');
});

describe('the pages', () => {
  test('show a dozen posts each, the newest first', async () => {
    const { actor, handle, identityId } = await createTestIdentity();
    await publishPost(actor, { title: 'Oldest' });
    await pool().query(
      `INSERT INTO blog_posts (id, identity_id, title, slug, content, author_name, status, published_at, has_been_public)
        SELECT gen_random_uuid(), $1, 'Post ' || n, 'post-' || n, 'x', 'A', 'published', now() + n * interval '1 minute', true
        FROM generate_series(1, 12) n`,
      [identityId],
    );
    const first = (await get(`/blog/${handle}`)).text;
    expect(first.match(/href="\/blog\/[^/"]+\/post-\d+"/g)?.[0]).toContain('post-12');
    expect(first).not.toContain('Oldest');
    const second = (await get(`/blog/${handle}?page=2`)).text;
    expect(second).toContain('Oldest');
    expect(second).toContain(`<link rel="canonical" href="https://desk.example.com/blog/${handle}?page=2"`);
    for (const page of ['3', '0', '-1', 'x', '1e3', '99999999999'])
      expect((await get(`/blog/${handle}?page=${page}`)).status).toBe(404);
  });

  test('can be narrowed to a tag', async () => {
    const { actor, handle } = await createTestIdentity();
    await publishPost(actor, { title: 'About tyres', tags: ['tyres & tubes'] });
    await publishPost(actor, { title: 'About locks', tags: ['locks'] });
    await writePost(actor, { title: 'Hidden', tags: ['secret'] });
    const { text } = await get(`/blog/${handle}?tag=${encodeURIComponent('tyres & tubes')}`);
    expect(text).toContain('About tyres');
    expect(text).not.toContain('About locks');
    for (const tag of ['secret', '%00', 'x'.repeat(5000)]) expect((await get(`/blog/${handle}?tag=${tag}`)).status).toBe(404);
    expect((await get(`/blog/${handle}`)).text).not.toContain('secret');
  });

  test('follow the business and the language at once', async () => {
    const { actor, handle } = await createTestIdentity();
    await publishPost(actor);
    const service = { name: 'Tune-up', price: 80, currency: 'EUR', billingInterval: 'one-time', active: true } as const;
    await updateIdentity(
      actor,
      {
        displayName: 'Harbor Lane',
        profile: { tagline: 'Bikes that last', services: [service, { ...service, name: 'Old', active: false }] },
      },
      'merge',
    );
    const { text } = await get(`/blog/${handle}`);
    for (const part of ['Harbor Lane', 'Bikes that last', 'Tune-up']) expect(text).toContain(part);
    expect(text).not.toContain('>Old<');
    expect(text).toContain('<html lang="en"');
    await updateBlogSettings(actor, { language: 'de' });
    expect((await get(`/blog/${handle}`)).text).toContain('<html lang="de"');
  });

  test('of a blog without posts are there, and not for search engines', async () => {
    const { handle } = await createTestIdentity();
    const { status, text } = await get(`/blog/${handle}`);
    expect(status).toBe(200);
    expect(text).toContain('noindex');
  });
});

describe('feeds and files', () => {
  test('carry what is published', async () => {
    const { actor, handle } = await createTestIdentity();
    await publishPost(actor, { title: 'Salt & <wind>', content: 'See [the shop](/shop) ]]> and **more**.', tags: ['sea'] });
    await writePost(actor, { title: 'Draft' });
    const url = `https://desk.example.com/blog/${handle}`;

    const rss = await get(`/blog/${handle}/feed.xml`);
    expect(rss.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(XMLValidator.validate(rss.text)).toBe(true);
    const { item } = new XMLParser().parse(rss.text).rss.channel;
    expect(item).toMatchObject({ title: 'Salt &amp; &lt;wind&gt;', link: `${url}/salt-wind`, category: 'sea' });
    expect(item['content:encoded']).toContain('<strong>more</strong>');
    expect(rss.text).not.toContain('Draft');

    const atom = await get(`/blog/${handle}/atom.xml`);
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(XMLValidator.validate(atom.text)).toBe(true);

    const json = await get(`/blog/${handle}/feed.json`);
    expect(json.headers['content-type']).toBe('application/feed+json; charset=utf-8');
    expect(JSON.parse(json.text)).toMatchObject({
      feed_url: `${url}/feed.json`,
      items: [{ url: `${url}/salt-wind`, title: 'Salt & <wind>' }],
    });

    const sitemap = await get(`/blog/${handle}/sitemap.xml`);
    expect(XMLValidator.validate(sitemap.text)).toBe(true);
    expect(new XMLParser().parse(sitemap.text).urlset.url.map(({ loc }: { loc: string }) => loc)).toEqual([
      url,
      `${url}/salt-wind`,
    ]);

    const robots = await get(`/blog/${handle}/robots.txt`);
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(robots.text).toContain(`Sitemap: ${url}/sitemap.xml`);
  });

  test('the card of a post without a cover is a picture of its title', async () => {
    const { actor, handle } = await createTestIdentity();
    const { slug, id } = await publishPost(actor);
    const page = await get(`/blog/${handle}/${slug}`);
    const [, card = ''] = /property="og:image" content="https:\/\/desk\.example\.com([^"]+)"/.exec(page.text) ?? [];
    expect(card).toMatch(new RegExp(`^/blog/${handle}/${slug}/social\\.png\\?v=\\d+$`));
    const image = await get(card);
    expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
    expect([...image.bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect([image.bytes.readUInt32BE(16), image.bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    await changePost(actor, id, { slug: 'elsewhere' });
    const moved = await get(card);
    expect(moved.status).toBe(308);
    expect(moved.headers.location).toContain(`/blog/${handle}/elsewhere/social.png`);
    expect((await get(String(moved.headers.location))).status).toBe(200);
    await moveBlogPost(actor, id, 'draft');
    expect((await get(card)).status).toBe(404);
  });
});

test('a page is right again however often it is asked for while it changes', async () => {
  const { actor, handle } = await createTestIdentity();
  const { id, slug } = await publishPost(actor, { content: 'State 0.' });
  let stop = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!stop) await get(`/blog/${handle}/${slug}`);
  });
  for (let state = 1; state <= 15; state++) {
    await changePost(actor, id, { content: `State ${state}.` });
    expect((await get(`/blog/${handle}/${slug}`)).text).toContain(`State ${state}.`);
  }
  stop = true;
  await Promise.all(readers);
});
