import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { elements, home, hostile, post, site } from '@/server/testing/blog-site';
import { feedContent } from './feed-content';
import { renderAtom, renderJsonFeed, renderRss } from './feeds';
import type { FeedPost, Site } from './site';

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => ['item', 'entry', 'category', 'link'].includes(name),
});

/** The content of a well-formed document: the parser is lenient, so well-formedness is checked first. */
function parse(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true);
  const markup = xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '');
  expect(markup).not.toMatch(/="[^"]*<|&(?!(amp|lt|gt|quot|apos);)/);
  expect(markup.replace(/="[^"]*"/g, '')).not.toContain(']]>');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones XML forbids.
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  return parser.parse(xml);
}

/** What remains of `hostile` in XML. */
const visible = (text: string) => text.replaceAll('\u0000', '').replaceAll('\uFFFE', '');
const htmlText = (html: string) => elements(`<div>${html}</div>`, true)[0]?.text;

const url = `${home}/truing-a-wheel`;
const article = '<p>See <a href="/blog/harbor-lane/chains">chains</a> and <a href="#fn">below</a>. ]]> then ]]>.</p>';
const posts: FeedPost[] = [
  { ...post, html: article, updatedAt: '2026-11-20T10:00:00.000Z' },
  {
    ...post,
    id: '019a0000-0000-7000-8000-000000000002',
    slug: 'chains',
    title: 'Chains',
    cover: null,
    tags: [],
    authorName: '',
    html: '',
  },
];
const attacker: Site = { ...site, title: hostile, tagline: hostile, language: 'de' };
const attacked: FeedPost[] = [{ ...post, title: hostile, excerpt: hostile, authorName: hostile, tags: [hostile], html: hostile }];

describe('RSS', () => {
  const { channel } = parse(renderRss(site, posts)).rss;

  it('describes the blog and knows its own address', () => {
    expect(channel).toMatchObject({
      title: 'Harbor Lane Bicycles',
      link: [home],
      description: 'Repairs and restorations',
      language: 'en',
      lastBuildDate: 'Fri, 20 Nov 2026 10:00:00 GMT',
      'atom:link': { '@_rel': 'self', '@_type': 'application/rss+xml', '@_href': `${home}/feed.xml` },
    });
  });

  it('carries each post whole', () => {
    expect(channel.item).toHaveLength(2);
    expect(channel.item[0]).toMatchObject({
      title: 'Truing a wheel',
      link: [url],
      guid: { '#text': 'urn:uuid:019a0000-0000-7000-8000-000000000001', '@_isPermaLink': 'false' },
      pubDate: 'Wed, 18 Nov 2026 08:30:00 GMT',
      'dc:creator': 'Mara Lindqvist',
      category: ['Wheels', 'Workshop'],
      enclosure: { '@_url': 'https://desk.example.com/files/wheel.jpg', '@_type': 'image/jpeg', '@_length': '0' },
    });
    expect(channel.item[0]['content:encoded']).toContain(`<a href="${home}/chains">chains</a>`);
    expect(channel.item[0]['content:encoded']).toContain('<img src="https://desk.example.com/files/wheel.jpg" alt="">');
    expect(channel.item[1]).not.toHaveProperty('enclosure');
  });

  it('is well-formed whatever a post says', () => {
    const { channel: hurt } = parse(renderRss(attacker, attacked)).rss;
    // Readers show titles as HTML.
    expect(htmlText(hurt.title)).toBe(visible(hostile).trim());
    expect(htmlText(hurt.item[0].title)).toBe(visible(hostile));
    expect(hurt.item[0]['dc:creator']).toBe(visible(hostile));
    expect(hurt.item[0].category).toEqual([visible(hostile)]);
    expect(htmlText(hurt.item[0].description)).toBe(visible(hostile));
  });

  it('may be empty', () => {
    expect(parse(renderRss(site, [])).rss.channel.title).toBe('Harbor Lane Bicycles');
  });
});

describe('Atom', () => {
  const { feed } = parse(renderAtom(site, posts));

  it('describes the blog and knows its own address', () => {
    expect(feed).toMatchObject({
      '@_xml:lang': 'en',
      id: home,
      title: 'Harbor Lane Bicycles',
      subtitle: 'Repairs and restorations',
      updated: '2026-11-20T10:00:00.000Z',
      author: { name: 'Harbor Lane Bicycles' },
    });
    expect(feed.link).toEqual([
      { '@_rel': 'alternate', '@_href': home },
      { '@_rel': 'self', '@_href': `${home}/atom.xml` },
    ]);
  });

  it('carries each post whole', () => {
    expect(feed.entry).toHaveLength(2);
    expect(feed.entry[0]).toMatchObject({
      id: 'urn:uuid:019a0000-0000-7000-8000-000000000001',
      title: { '#text': 'Truing a wheel', '@_type': 'html' },
      published: '2026-11-18T08:30:00.000Z',
      updated: '2026-11-20T10:00:00.000Z',
      author: { name: 'Mara Lindqvist' },
      category: [
        { '@_term': 'Wheels', '@_label': 'Wheels' },
        { '@_term': 'Workshop', '@_label': 'Workshop' },
      ],
      link: [
        { '@_href': url },
        { '@_rel': 'enclosure', '@_href': 'https://desk.example.com/files/wheel.jpg', '@_type': 'image/jpeg' },
      ],
    });
    expect(feed.entry[0].link[1]).not.toHaveProperty('@_length');
    expect(htmlText(feed.entry[0].content['#text'])).toContain(']]> then ]]>.');
  });

  it('is well-formed whatever a post says', () => {
    const { feed: hurt } = parse(renderAtom(attacker, attacked));
    expect(hurt.title).toBe(visible(hostile).trim());
    expect(htmlText(hurt.entry[0].title['#text'])).toBe(visible(hostile));
    expect(hurt.entry[0].author.name).toBe(visible(hostile));
    expect(hurt.entry[0].category[0]['@_term']).toBe(visible(hostile));
  });

  it('does not take the time of day for the last change of an empty blog', () => {
    expect(parse(renderAtom(site, [])).feed.updated).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('JSON Feed', () => {
  it('is version 1.1 with everything the others have', () => {
    const feed = JSON.parse(renderJsonFeed(site, posts));
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Harbor Lane Bicycles',
      home_page_url: home,
      feed_url: `${home}/feed.json`,
      language: 'en',
    });
    expect(feed.items[0]).toMatchObject({
      id: 'urn:uuid:019a0000-0000-7000-8000-000000000001',
      url,
      title: 'Truing a wheel',
      summary: post.excerpt,
      image: 'https://desk.example.com/files/wheel.jpg',
      date_published: post.publishedAt,
      date_modified: '2026-11-20T10:00:00.000Z',
      authors: [{ name: 'Mara Lindqvist' }],
      tags: ['Wheels', 'Workshop'],
    });
    expect(feed.items[1].content_html).toBe('<p>Straight again in half an hour.</p>');
  });
});

describe('content of a feed', () => {
  const content = (html: string) => feedContent(html, url);

  it('leads out of the feed by absolute addresses', () => {
    expect(
      content('<a href="/x">a</a><a href="#md-b">b</a><a href="mailto:a@b.example">c</a><a href="https://d.example/">d</a>'),
    ).toBe(
      `<a href="https://desk.example.com/x">a</a><a href="${url}#md-b">b</a><a href="mailto:a@b.example">c</a><a href="https://d.example/">d</a>`,
    );
    expect(content('<img src="/a.png" srcset="/a.png 1x, /b.png 2x" alt="">')).toBe(
      '<img src="https://desk.example.com/a.png" srcset="https://desk.example.com/a.png 1x, https://desk.example.com/b.png 2x" alt="">',
    );
  });

  it('leaves behind what only the page can show', () => {
    expect(
      content(
        '<div class="heading"><h2 id="md-a">A</h2><a class="anchor" href="#md-a"></a></div><pre class="shiki" tabindex="0"><code><span class="tok-keyword">let</span> a &lt; b</code></pre>',
      ),
    ).toBe('<h2 id="md-a">A</h2><pre><code>let a &#x3C; b</code></pre>');
  });
});
