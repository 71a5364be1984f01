import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { home, site } from '@/server/testing/blog-site';
import { renderRobots, renderSitemap, renderSitemapIndex, SITEMAP_MAXIMUM, sitemapFiles, sitemapSlice } from './sitemap';

const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' });

function parse(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true);
  return parser.parse(xml);
}

describe('sitemap', () => {
  it('lists the blog and its posts with their last change', () => {
    const { urlset } = parse(
      renderSitemap(site, [
        { slug: 'a', updatedAt: '2026-11-20T10:00:00.000Z' },
        { slug: 'b', updatedAt: '2026-11-21T10:00:00.000Z' },
      ]),
    );
    expect(urlset.url).toEqual([
      { loc: home, lastmod: '2026-11-21T10:00:00.000Z' },
      { loc: `${home}/a`, lastmod: '2026-11-20T10:00:00.000Z' },
      { loc: `${home}/b`, lastmod: '2026-11-21T10:00:00.000Z' },
    ]);
  });

  it('lists the blog alone while there is no post', () => {
    expect(parse(renderSitemap(site, [])).urlset.url).toEqual([{ loc: home }]);
  });

  it('escapes slugs', () => {
    const { urlset } = parse(renderSitemap(site, [{ slug: `a&b<c>'/"`, updatedAt: '2026-11-20T10:00:00.000Z' }]));
    expect(urlset.url[1].loc).toBe(`${home}/a%26b%3Cc%3E'%2F%22`);
  });

  it.each([
    [0, 1],
    [SITEMAP_MAXIMUM - 1, 1],
    [SITEMAP_MAXIMUM, 2],
    [3 * SITEMAP_MAXIMUM, 4],
  ])('spreads %i posts over %i files, none of them too long and none of the posts left out', (posts, files) => {
    expect(sitemapFiles(posts)).toBe(files);
    let listed = 0;
    for (let file = 1; file <= files; file++) {
      const { offset, limit } = sitemapSlice(file);
      expect(offset).toBe(listed);
      expect(limit + (file === 1 ? 1 : 0)).toBeLessThanOrEqual(SITEMAP_MAXIMUM);
      listed += Math.min(limit, posts - offset);
    }
    expect(listed).toBe(posts);
  });

  it('names its files in an index, and the blog itself in one of them only', () => {
    expect(parse(renderSitemapIndex(site, 2)).sitemapindex.sitemap).toEqual([
      { loc: `${home}/sitemap-1.xml` },
      { loc: `${home}/sitemap-2.xml` },
    ]);
    const second = renderSitemap(site, [{ slug: 'a', updatedAt: '2026-11-20T10:00:00.000Z' }], 2);
    expect(parse(second).urlset.url).toHaveLength(1);
  });
});

describe('robots.txt', () => {
  it('lets everyone read and names the sitemap', () => {
    expect(renderRobots(site)).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${home}/sitemap.xml\n`);
  });
});
