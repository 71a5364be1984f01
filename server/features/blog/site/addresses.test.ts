import { describe, expect, it } from 'vitest';
import { site } from '@/server/testing/blog-site';
import { absoluteUrl, indexPath, postPath, safeSrcset, safeUrl, sitePath } from './addresses';

describe('safeUrl', () => {
  it.each([
    ['https://a.example', 'https://a.example/'],
    [' HTTP://A.example/b?c#d ', 'http://a.example/b?c#d'],
    ['/files/a b.png', null],
    ['/files/a"b.png', '/files/a%22b.png'],
    ['/a/../b', '/b'],
    ['', null],
    ['a.png', null],
    ['#a', null],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['/.//evil.example', null],
    ['/\t/evil.example', null],
    ['https://', null],
    ['javascript:alert(1)', null],
    ['JaVaScRiPt:alert(1)', null],
    ['java\tscript:alert(1)', null],
    ['data:text/html,x', null],
    ['blob:https://a.example/x', null],
    ['ftp://a.example', null],
  ])('makes %j %j', (url, safe) => {
    expect(safeUrl(url)).toBe(safe);
  });
});

it('makes addresses absolute for readers elsewhere', () => {
  expect(absoluteUrl(site, '/a')).toBe('https://desk.example.com/a');
  expect(absoluteUrl(site, 'javascript:x')).toBeNull();
});

it('keeps only the safe candidates of a srcset', () => {
  const picture = { url: '/a', width: null, height: null };
  expect(safeSrcset({ ...picture, srcset: '/a,b.png 800w, javascript:x 2w, https://c.example/d 1.5x' })).toBe(
    '/a%2Cb.png 800w, https://c.example/d 1.5x',
  );
  expect(safeSrcset({ ...picture, srcset: 'javascript:x' })).toBeUndefined();
  expect(safeSrcset(picture)).toBeUndefined();
});

it('addresses blog, pages, topics and posts', () => {
  expect(sitePath({ ...site, handle: 'a b' }, 'feed.xml')).toBe('/blog/a%20b/feed.xml');
  expect(indexPath(site)).toBe('/blog/harbor-lane');
  expect(indexPath(site, { page: 2 })).toBe('/blog/harbor-lane?page=2');
  expect(indexPath(site, { page: 1, tag: 'a&b' })).toBe('/blog/harbor-lane?tag=a%26b');
  expect(postPath(site, 'a/b')).toBe('/blog/harbor-lane/a%2Fb');
});
