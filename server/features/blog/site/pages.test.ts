import { describe, expect, it } from 'vitest';
import { all, elements, hostile, index, linkedData, meta, post, site } from '@/server/testing/blog-site';
import { renderIndexPage } from './index-page';
import { renderGonePage, renderNotFoundPage } from './message-page';
import { renderPostPage } from './post-page';
import type { Site } from './site';
import { blogStylesheet } from './stylesheet';

const hostileSite: Site = {
  ...site,
  handle: hostile,
  title: hostile,
  tagline: hostile,
  about: hostile,
  website: `https://x.example/${hostile}`,
  language: hostile,
  services: [{ name: hostile, description: hostile, price: 1, currency: hostile, billingInterval: 'monthly' }],
};
const hostilePost = {
  ...post,
  slug: hostile,
  title: hostile,
  excerpt: hostile,
  standfirst: hostile,
  metaDescription: hostile,
  authorName: hostile,
  authorAvatarUrl: `/${hostile}`,
  tags: [hostile],
  cover: { url: `/${hostile}`, width: null, height: null, srcset: `/${hostile} 1w` },
  headings: ['1', '2', '3', '4'].map((id) => ({ id: id + hostile, text: hostile, level: 2 as const })),
  newer: { slug: hostile, title: hostile },
  older: { slug: hostile, title: hostile },
};
const hostileIndex = { ...index, posts: [hostilePost], tag: hostile, tags: [{ tag: hostile, count: 1 }], page: 2, pageCount: 3 };

describe.each([
  ['a post', renderPostPage(site, post), renderPostPage(hostileSite, hostilePost)],
  ['a list', renderIndexPage(site, index), renderIndexPage(hostileSite, hostileIndex)],
  ['a missing page', renderNotFoundPage(site), renderNotFoundPage(hostileSite)],
  ['a page that is gone', renderGonePage(site), renderGonePage(hostileSite)],
])('%s', (_, friendly, attacked) => {
  it('holds no script, handler or style but its stylesheet', () => {
    for (const { name, attributes } of [...elements(friendly), ...elements(attacked)]) {
      if (name === 'script') expect(attributes).toEqual({ type: 'application/ld+json' });
      expect(Object.keys(attributes).filter((attribute) => /^(on|style$|srcdoc$)/i.test(attribute))).toEqual([]);
      for (const value of [attributes.href, attributes.src]) expect(value ?? '').not.toMatch(/^\s*(javascript|vbscript):/i);
    }
    expect(all(attacked, 'style').map(({ text }) => text)).toEqual([blogStylesheet]);
  });

  it('shows hostile words as words', () => {
    expect(all(attacked, 'img').filter(({ attributes }) => attributes.src === 'x')).toEqual([]);
    const kinds = (html: string) => new Set(elements(html).map(({ name }) => name));
    const known = new Set([
      ...kinds(friendly),
      'nav',
      'ol',
      'details',
      'summary',
      'strong',
      'link',
      'img',
      'span',
      'h3',
      'h4',
      'ul',
      'li',
    ]);
    for (const kind of kinds(attacked)) expect(known).toContain(kind);
    expect(all(attacked, 'title')[0]?.text).toContain('</script></style></title>]]>&amp;<img src=x onerror="alert(1)">');
  });

  it('can be reached and read without a pointer or a picture', () => {
    expect(all(friendly, 'main')).toHaveLength(1);
    expect(all(friendly, 'h1')).toHaveLength(1);
    expect(all(friendly, 'a')[0]?.attributes.href).toBe('#content');
    for (const image of all(friendly, 'img')) expect(image.attributes).toHaveProperty('alt');
    for (const nav of all(friendly, 'nav')) expect(nav.attributes.ariaLabel).toBeTruthy();
  });

  it('names the product at its foot only', () => {
    expect(all(friendly, 'footer')[0]?.text).toBe('Harbor Lane BicyclesPublished with Frontdesk');
  });
});

describe('linked data', () => {
  it('carries hostile words through', () => {
    expect(linkedData(renderPostPage(hostileSite, hostilePost)).BlogPosting?.headline).toBe(hostile);
    expect(linkedData(renderIndexPage(hostileSite, hostileIndex)).Organization?.name).toBe(hostile);
  });
});

describe('pages that are not there', () => {
  it('stay out of search engines and name no address', () => {
    for (const html of [renderNotFoundPage(site), renderNotFoundPage(null), renderGonePage(site)]) {
      expect(meta(html, 'robots')).toBe('noindex');
      expect(all(html, 'link', { rel: 'canonical' })).toEqual([]);
    }
  });

  it('lead back where there is a site', () => {
    expect(all(renderGonePage(site), 'a').map(({ attributes }) => attributes.href)).toContain('/blog/harbor-lane');
    const page = renderNotFoundPage(null);
    expect(all(page, 'a').map(({ attributes }) => attributes.href)).toEqual(['#content']);
    expect(all(page, 'title')[0]?.text).toBe('Page not found');
  });
});

describe('languages', () => {
  it('speaks the language of the site', () => {
    const html = renderPostPage({ ...site, language: 'de-AT' }, post);
    expect(all(html, 'html')[0]?.attributes.lang).toBe('de-AT');
    expect(meta(html, 'og:locale')).toBe('de_AT');
    expect(all(html, 'time')[0]?.text).toBe('18. November 2026');
    expect(html).toContain('7 Min. Lesezeit');
    expect(all(html, 'bdi', { lang: 'en' })).toEqual([]);
  });

  it('turns the page around for scripts from right to left, and marks words it only has in English', () => {
    const html = renderPostPage({ ...site, language: 'ar' }, post);
    expect(all(html, 'html')[0]?.attributes).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(all(html, 'bdi', { lang: 'en' }).map(({ text }) => text)).toContain('7 min read');
    expect(all(html, 'time')[0]?.text).toContain('نوفمبر');
    expect(all(renderPostPage({ ...site, language: 'az-Arab' }, post), 'html')[0]?.attributes.dir).toBe('rtl');
  });

  it('takes what is no language for English', () => {
    const html = renderIndexPage({ ...site, language: 'not a language' }, index);
    expect(all(html, 'html')[0]?.attributes.lang).toBe('en');
  });
});
