import { describe, expect, it } from 'vitest';
import { all, elements, home, linkedData, meta, post, site } from '@/server/testing/blog-site';
import { renderPostPage } from './post-page';
import type { PostPage } from './site';
import { blogStylesheet } from './stylesheet';

const render = (changes: Partial<PostPage> = {}) => renderPostPage(site, { ...post, ...changes });

describe('head of a post', () => {
  const html = render();

  it('is a whole document in the language of the site', () => {
    expect(html).toMatch(/^<!doctype html><html lang="en"/);
    expect(all(html, 'title')[0]?.text).toBe('Truing a wheel · Harbor Lane Bicycles');
    expect(all(html, 'html')[0]?.attributes).not.toHaveProperty('dir');
    expect(html.indexOf('charSet')).toBeLessThan(1024);
  });

  it('names its address and describes it', () => {
    expect(all(html, 'link', { rel: 'canonical' })[0]?.attributes.href).toBe(`${home}/truing-a-wheel`);
    expect(meta(html, 'description')).toBe('How to true a wheel at home.');
    expect(meta(render({ metaDescription: '' }), 'description')).toBe(post.excerpt);
    expect(meta(html, 'robots')).toBeUndefined();
  });

  it('has a card for other sites', () => {
    expect(meta(html, 'og:type')).toBe('article');
    expect(meta(html, 'og:title')).toBe('Truing a wheel');
    expect(meta(html, 'og:url')).toBe(`${home}/truing-a-wheel`);
    expect(meta(html, 'og:image')).toBe('https://desk.example.com/files/card.png');
    expect([meta(html, 'og:image:width'), meta(html, 'og:image:height')]).toEqual(['1200', '630']);
    expect(meta(html, 'og:image:alt')).toBe('Truing a wheel');
    expect(meta(html, 'og:locale')).toBe('en_US');
    expect(meta(html, 'article:published_time')).toBe(post.publishedAt);
    expect(meta(html, 'article:modified_time')).toBe(post.updatedAt);
    expect(all(html, 'meta', { property: 'article:tag' }).map((tag) => tag.attributes.content)).toEqual(post.tags);
    expect(meta(html, 'twitter:card')).toBe('summary_large_image');
    expect(meta(render({ social: null }), 'twitter:card')).toBe('summary');
  });

  it('announces the feeds', () => {
    const feeds = all(html, 'link', { rel: 'alternate' }).map(({ attributes }) => [attributes.type, attributes.href]);
    expect(feeds).toEqual([
      ['application/rss+xml', '/blog/harbor-lane/feed.xml'],
      ['application/atom+xml', '/blog/harbor-lane/atom.xml'],
      ['application/feed+json', '/blog/harbor-lane/feed.json'],
    ]);
  });

  it('asks for nothing but pictures, and for no favicon of the installation', () => {
    const loaded = elements(html).filter(({ name }) => ['script', 'iframe', 'object', 'embed', 'video'].includes(name));
    expect(loaded.map(({ attributes }) => attributes)).toEqual([{ type: 'application/ld+json' }]);
    expect(all(html, 'link', { rel: 'stylesheet' })).toEqual([]);
    expect(all(html, 'link', { rel: 'icon' })[0]?.attributes.href).toMatch(/^data:image\/svg\+xml,/);
  });

  it('carries the stylesheet unchanged', () => {
    expect(all(render(), 'style').map(({ text }) => text)).toEqual([blogStylesheet]);
  });

  it('says in linked data who published what and when', () => {
    const data = linkedData(html);
    expect(data.BlogPosting).toMatchObject({
      '@id': `${home}/truing-a-wheel`,
      headline: 'Truing a wheel',
      description: 'How to true a wheel at home.',
      datePublished: post.publishedAt,
      dateModified: post.updatedAt,
      author: { '@type': 'Person', name: 'Mara Lindqvist' },
      image: { url: 'https://desk.example.com/files/card.png', width: 1200, height: 630 },
      keywords: ['Wheels', 'Workshop'],
      wordCount: 900,
      timeRequired: 'PT7M',
      inLanguage: 'en',
      publisher: { '@id': data.Organization?.['@id'] },
    });
    expect(data.BreadcrumbList?.itemListElement).toMatchObject([
      { position: 1, name: 'Harbor Lane Bicycles', item: home },
      { position: 2, name: 'Truing a wheel', item: `${home}/truing-a-wheel` },
    ]);
  });
});

describe('body of a post', () => {
  it('shows title, standfirst, author, day and reading time', () => {
    const html = render();
    expect(all(html, 'h1').map(({ text }) => text)).toEqual(['Truing a wheel']);
    expect(all(html, 'p', { class: 'standfirst' })[0]?.text).toBe(post.standfirst);
    expect(all(render({ standfirst: '' }), 'p', { class: 'standfirst' })).toEqual([]);
    expect(all(html, 'time').map(({ text, attributes }) => [text, attributes.datetime])).toEqual([
      ['November 18, 2026', post.publishedAt],
    ]);
    expect(all(html, 'bdi').map(({ text }) => text)).toContain('7 min read');
    expect(all(html, 'span', { class: 'avatar' })[0]?.text).toBe('ML');
  });

  it('tells of an update only when it came a day later or more', () => {
    const html = render({ updatedAt: '2026-11-20T09:00:00.000Z' });
    expect(all(html, 'time').map(({ text }) => text)).toContain('Updated November 20, 2026');
  });

  it('reserves the place of its cover', () => {
    expect(all(render(), 'img', { class: 'cover' })[0]?.attributes).toMatchObject({
      src: '/files/wheel.jpg',
      srcset: '/files/wheel-800.jpg 800w, /files/wheel.jpg 1600w',
      width: '1600',
      height: '1067',
      alt: '',
      fetchPriority: 'high',
    });
    const unsized = render({ cover: { url: 'https://pictures.example/a.png', width: null, height: null } });
    expect(all(unsized, 'img', { class: 'cover boxed' })).toHaveLength(1);
  });

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '//evil.example/a.png',
    'a.png',
    '/\\evil.example',
    'java\nscript:x',
  ])('shows no picture and no link from %j', (url) => {
    const html = renderPostPage(
      { ...site, website: url },
      {
        ...post,
        cover: { url, width: 1, height: 1, srcset: `${url} 800w` },
        authorAvatarUrl: url,
        social: { url, width: 1, height: 1 },
      },
    );
    expect(all(html, 'img')).toEqual([]);
    expect(all(html, 'a', { class: 'website' })).toEqual([]);
    expect(meta(html, 'og:image')).toBeUndefined();
  });

  it('has a table of contents when it is long and has four headings', () => {
    const headings = ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      text: `Part ${id}`,
      level: id === 'b' ? (3 as const) : (2 as const),
    }));
    const links = (html: string) => all(html, 'a').filter(({ text }) => text.startsWith('Part'));
    expect(links(render({ headings })).map(({ attributes }) => attributes.href)).toEqual(['#a', '#b', '#c', '#d']);
    expect(links(render({ headings, wordCount: 600 }))).toEqual([]);
    expect(links(render({ headings: headings.slice(1) }))).toEqual([]);
  });

  it('leads on: topics, neighbours, the business', () => {
    const hrefs = all(render(), 'a').map(({ attributes }) => attributes.href);
    expect(hrefs).toEqual(
      expect.arrayContaining([
        '/blog/harbor-lane?tag=Wheels',
        '/blog/harbor-lane/chains',
        '/blog/harbor-lane/winter',
        '/blog/harbor-lane',
        'https://harborlane.example/',
      ]),
    );
    expect(all(render({ newer: null, older: null }), 'nav', { class: 'neighbours' })).toEqual([]);
  });

  it('prints the article as it is', () => {
    expect(render()).toContain(`<div class="prose">${post.html}</div>`);
  });
});
