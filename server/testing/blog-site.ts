import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { IndexPage, PostPage, Site } from '@/server/features/blog/site/site';

/* A site, its posts, and a parser of rendered pages, for the tests of the public blog. */

export const site: Site = {
  handle: 'harbor-lane',
  title: 'Harbor Lane Bicycles',
  tagline: 'Repairs and restorations',
  about: 'Since 1987.\n\nFour mechanics.',
  website: 'https://harborlane.example/',
  language: 'en',
  services: [
    { name: 'Yearly service', description: 'Parts extra.', price: 89, currency: 'EUR', billingInterval: 'yearly' },
    { name: 'Fitting', description: '', price: null, currency: 'EUR', billingInterval: null },
  ],
  baseUrl: 'https://desk.example.com',
};

export const home = 'https://desk.example.com/blog/harbor-lane';

export const post: PostPage = {
  id: '019a0000-0000-7000-8000-000000000001',
  slug: 'truing-a-wheel',
  title: 'Truing a wheel',
  excerpt: 'Straight again in half an hour.',
  standfirst: 'Straight again in half an hour.',
  authorName: 'Mara Lindqvist',
  authorAvatarUrl: '',
  tags: ['Wheels', 'Workshop'],
  publishedAt: '2026-11-18T08:30:00.000Z',
  updatedAt: '2026-11-18T09:00:00.000Z',
  readingMinutes: 7,
  cover: {
    url: '/files/wheel.jpg',
    width: 1600,
    height: 1067,
    srcset: '/files/wheel-800.jpg 800w, /files/wheel.jpg 1600w',
  },
  html: '<p>Find the <em>worst</em> place first.</p>',
  headings: [],
  metaDescription: 'How to true a wheel at home.',
  wordCount: 900,
  social: { url: '/files/card.png', width: 1200, height: 630 },
  newer: { slug: 'chains', title: 'Cheap chains' },
  older: { slug: 'winter', title: 'Winter commuting' },
};

export const index: IndexPage = {
  posts: [post, { ...post, id: '019a0000-0000-7000-8000-000000000002', slug: 'chains', title: 'Cheap chains', cover: null }],
  page: 1,
  pageCount: 1,
  tag: null,
  tags: [
    { tag: 'Wheels', count: 2 },
    { tag: 'Workshop', count: 1 },
  ],
  total: 2,
};

/** Breaks out of every context without escaping. */
export const hostile = `</script></style></title>]]>&amp;<img src=x onerror="alert(1)">"'\u0000\uFFFE x`;

export interface PageElement {
  name: string;
  attributes: Record<string, string>;
  /** The element's whole text, as parsed. */
  text: string;
}

type Root = ReturnType<ReturnType<typeof parser>['parse']>;

function parser(fragment = false) {
  return unified().use(rehypeParse, { fragment });
}

const attributeNames: Record<string, string> = {
  className: 'class',
  dateTime: 'datetime',
  hrefLang: 'hreflang',
  srcSet: 'srcset',
};

function textOf(node: Root | Root['children'][number]): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** Every element of a document or fragment in order, parsed as in a browser. */
export function elements(html: string, fragment = false): PageElement[] {
  const found: PageElement[] = [];
  visit(parser(fragment).parse(html), 'element', (node) => {
    const attributes = Object.entries(node.properties).map(([name, value]) => [
      attributeNames[name] ?? name,
      Array.isArray(value) ? value.join(' ') : String(value),
    ]);
    found.push({ name: node.tagName, attributes: Object.fromEntries(attributes), text: textOf(node) });
  });
  return found;
}

/** Elements of that name whose attributes include the given ones. */
export function all(html: string, name: string, attributes: Record<string, string> = {}): PageElement[] {
  return elements(html).filter(
    (element) => element.name === name && Object.entries(attributes).every(([key, value]) => element.attributes[key] === value),
  );
}

/** The content of `<meta name>` or `<meta property>`. */
export function meta(html: string, name: string): string | undefined {
  const found = elements(html).find(
    (element) => element.name === 'meta' && [element.attributes.name, element.attributes.property].includes(name),
  );
  return found?.attributes.content;
}

/** The only block of linked data of a page, by type. */
export function linkedData(html: string): Record<string, Record<string, unknown>> {
  const [block, ...others] = all(html, 'script');
  if (!block || others.length > 0 || block.attributes.type !== 'application/ld+json') throw new Error('not one block of data');
  const { '@graph': graph } = JSON.parse(block.text) as { '@graph': Record<string, unknown>[] };
  return Object.fromEntries(graph.map((node) => [String(node['@type']), node]));
}
