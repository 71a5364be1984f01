import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { changePost, publishPost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

/** The public blog over HTTP: conditional requests, encodings, methods, and invalid URLs. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers });

describe('every answer', () => {
  test('asks for nothing twice that has not changed (304)', async () => {
    const { actor, handle } = await createTestIdentity();
    const { id, slug } = await publishPost(actor);
    const path = `/blog/${handle}/${slug}`;
    const { etag = '' } = (await get(path)).headers;
    const again = await get(path, { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.etag).toBe(etag);
    expect((await get(path, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
    await changePost(actor, id, { content: 'Other' });
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  test('comes in the form the reader takes', async () => {
    const { actor, handle } = await createTestIdentity();
    const { slug } = await publishPost(actor, { content: 'Text. '.repeat(500) });
    const path = `/blog/${handle}/${slug}`;
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.text);
    const gzip = await get(path, { 'accept-encoding': 'br;q=0, gzip' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text);
    expect((await get(path, { 'accept-encoding': 'identity' })).headers['content-encoding']).toBeUndefined();
  });

  test('to HEAD is as to GET, without the body', async () => {
    const { actor, handle } = await createTestIdentity();
    const { slug } = await publishPost(actor);
    const full = await get(`/blog/${handle}/${slug}`);
    const head = await call('HEAD', `/blog/${handle}/${slug}`);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(String(full.bytes.length));
    expect(head.headers.etag).toBe(full.headers.etag);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('to %s says what it takes', async (method) => {
    const { handle } = await createTestIdentity();
    const { status, headers } = await call(method, `/blog/${handle}`, { body: 'x' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test.each([
    '/blog',
    '/blog/',
    '/blog/nobody-has-this',
    '/blog/nobody-has-this/post',
    '/blog/UPPER',
    '/blog/%ff',
    '/blog/%00',
    '/blog/..%2f..%2fetc',
    '/blog/a%2fb',
    '/blog/x/y/z/more',
    `/blog/${'x'.repeat(5000)}`,
  ])('at %s is a page that is not there', async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toMatch(/^<!doctype html>/);
  });

  test('below a blog that is there, at an address that is none, is not there either', async () => {
    const { handle } = await createTestIdentity();
    const unknown = [
      'x.html',
      'post/more',
      'sitemap-0.xml',
      'sitemap-1.xml',
      'media',
      'media/x',
      'feed',
      'UPPER',
      '%ff',
      'a%00b',
      'social.png',
    ];
    for (const path of unknown) expect([path, (await get(`/blog/${handle}/${path}`)).status]).toEqual([path, 404]);
    expect(await get(`/blog/${handle}/?page=2`)).toMatchObject({ status: 308, headers: { location: `/blog/${handle}?page=2` } });
  });

  test('while the database is gone asks to come back', async () => {
    const { handle } = await createTestIdentity();
    const query = vi.spyOn(pool(), 'query').mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    try {
      const { status, headers, text } = await get(`/blog/${handle}`);
      expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store']);
      expect(text).not.toContain('gone');
    } finally {
      query.mockRestore();
    }
    expect((await get(`/blog/${handle}`)).status).toBe(200);
  });
});
