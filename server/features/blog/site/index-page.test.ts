import { describe, expect, it } from 'vitest';
import { all, home, index, linkedData, meta, post, site } from '@/server/testing/blog-site';
import { renderIndexPage } from './index-page';
import type { IndexPage } from './site';

const render = (changes: Partial<IndexPage> = {}) => renderIndexPage(site, { ...index, ...changes });
const hrefs = (html: string, attributes = {}) => all(html, 'a', attributes).map((link) => link.attributes.href);

describe('list of posts', () => {
  it('is headed by the business and leads with the newest post', () => {
    const html = render();
    expect(all(html, 'h1')[0]?.text).toBe('Harbor Lane Bicycles');
    expect(all(html, 'p', { class: 'tagline' })[0]?.text).toBe('Repairs and restorations');
    expect(all(html, 'article', { class: 'card lead' })[0]?.text).toContain('Truing a wheel');
    expect(all(html, 'article', { class: 'card' })).toHaveLength(1);
    expect(all(html, 'title')[0]?.text).toBe('Harbor Lane Bicycles – Repairs and restorations');
  });

  it('fetches the first cover at once and the others when they come near', () => {
    const html = render({ posts: [post, { ...post, id: 'b' }] });
    expect(all(html, 'img').map(({ attributes }) => [attributes.fetchPriority, attributes.loading])).toEqual([
      ['high', undefined],
      [undefined, 'lazy'],
    ]);
  });

  it('shows what the business offers, with prices in words', () => {
    const html = render();
    expect(all(html, 'p', { class: 'price' }).map(({ text }) => text)).toEqual(['€89 per year']);
    expect(html).toContain('Four mechanics.');
    expect(all(html, 'a', { class: 'website' })[0]).toMatchObject({
      text: 'harborlane.example',
      attributes: { href: 'https://harborlane.example/' },
    });
    expect(hrefs(html, { type: 'application/rss+xml' })).toEqual(['/blog/harbor-lane/feed.xml']);
  });

  it('leaves out what the business has not said', () => {
    const html = renderIndexPage({ ...site, tagline: '', about: '', website: '', services: [] }, index);
    expect(all(html, 'h2').map(({ text }) => text)).toEqual(['Truing a wheel', 'Cheap chains', 'Follow']);
    expect(meta(html, 'description')).toBeUndefined();
  });

  it('has an address per page and topic', () => {
    const html = render({ page: 2, pageCount: 3, tag: 'Zürich & more' });
    expect(all(html, 'link', { rel: 'canonical' })[0]?.attributes.href).toBe(`${home}?tag=Z%C3%BCrich+%26+more&page=2`);
    expect(all(html, 'link', { rel: 'prev' })[0]?.attributes.href).toBe('/blog/harbor-lane?tag=Z%C3%BCrich+%26+more');
    expect(all(html, 'link', { rel: 'next' })[0]?.attributes.href).toBe('/blog/harbor-lane?tag=Z%C3%BCrich+%26+more&page=3');
    expect(hrefs(html, { rel: 'next' })).toEqual(['/blog/harbor-lane?tag=Z%C3%BCrich+%26+more&page=3']);
    expect(all(html, 'title')[0]?.text).toBe('Zürich & more · Page 2 of 3 · Harbor Lane Bicycles');
  });

  it('has no neighbours at either end', () => {
    const html = render();
    expect(all(html, 'link', { rel: 'canonical' })[0]?.attributes.href).toBe(home);
    expect([...all(html, 'link', { rel: 'prev' }), ...all(html, 'link', { rel: 'next' })]).toEqual([]);
    expect(all(html, 'nav', { class: 'pages' })).toEqual([]);
  });

  it('marks the topic shown, and unfolds the rest when it is among them', () => {
    const tags = Array.from({ length: 12 }, (_, place) => ({ tag: `t${place}`, count: 12 - place }));
    const current = (html: string) => all(html, 'a', { ariaCurrent: 'page' }).map(({ text }) => text.trim());
    expect(current(render({ tags }))).toEqual(['All posts']);
    const first = render({ tags, tag: 't0' });
    expect(current(first)).toEqual(['t0 12']);
    expect(all(first, 'details')[0]?.attributes).not.toHaveProperty('open');
    expect(all(render({ tags, tag: 't11' }), 'details')[0]?.attributes).toHaveProperty('open');
  });

  it('stays out of search engines while it is empty', () => {
    const html = render({ posts: [], total: 0, pageCount: 0 });
    expect(meta(html, 'robots')).toBe('noindex');
    expect(all(html, 'p', { class: 'empty' })[0]?.text).toBe('Nothing has been published here yet.');
    expect(meta(render(), 'robots')).toBeUndefined();
  });

  it('says in linked data what the business is and what it publishes', () => {
    const data = linkedData(render({ tag: 'Wheels' }));
    expect(data.Organization).toMatchObject({
      name: 'Harbor Lane Bicycles',
      slogan: 'Repairs and restorations',
      url: 'https://harborlane.example/',
      makesOffer: [
        { itemOffered: { name: 'Yearly service' }, price: 89, priceCurrency: 'EUR' },
        { itemOffered: { name: 'Fitting' } },
      ],
    });
    expect(data.Blog).toMatchObject({ url: home, inLanguage: 'en', publisher: { '@id': `${home}#business` } });
    expect(data.Blog?.blogPost).toMatchObject([{ headline: 'Truing a wheel' }, { headline: 'Cheap chains' }]);
    expect(data.BreadcrumbList?.itemListElement).toMatchObject([{ item: home }, { name: 'Wheels', item: `${home}?tag=Wheels` }]);
  });
});
