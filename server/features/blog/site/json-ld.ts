import { absoluteUrl, fullUrl, indexPath, postPath, sitePath } from './addresses';
import type { IndexPage, PostPage, PostSummary, Site } from './site';

type Node = Record<string, unknown>;

/**
 * JSON for a `<script type="application/ld+json">`. `<`, `>` and `&` are escaped, so no text in it can end the element or open
 * a comment (HTML, "Restrictions for contents of script elements").
 */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Drops unset properties: validators of structured data report empty ones as errors. */
function node(type: string, properties: Node): Node {
  const set = Object.entries(properties).filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { '@type': type, ...Object.fromEntries(set) };
}

const business = (site: Site) => `${fullUrl(site, sitePath(site))}#business`;
const blog = (site: Site) => `${fullUrl(site, sitePath(site))}#blog`;

function organization(site: Site): Node {
  const own = absoluteUrl(site, site.website);
  const offers = site.services.map((service) =>
    node('Offer', {
      itemOffered: node('Service', { name: service.name, description: service.description }),
      ...(service.price !== null && { price: service.price, priceCurrency: service.currency.toUpperCase() }),
    }),
  );
  return node('Organization', {
    '@id': business(site),
    name: site.title,
    url: own ?? fullUrl(site, sitePath(site)),
    slogan: site.tagline,
    description: site.about,
    makesOffer: offers,
  });
}

function breadcrumbs(items: { name: string; url: string }[]): Node {
  return node('BreadcrumbList', {
    itemListElement: items.map(({ name, url }, index) => node('ListItem', { position: index + 1, name, item: url })),
  });
}

function posting(site: Site, post: PostSummary): Node {
  const url = fullUrl(site, postPath(site, post.slug));
  return node('BlogPosting', {
    '@id': url,
    url,
    headline: post.title,
    datePublished: post.publishedAt,
    dateModified: post.updatedAt,
    author: node('Person', { name: post.authorName, image: absoluteUrl(site, post.authorAvatarUrl) }),
    image: post.cover && absoluteUrl(site, post.cover.url),
  });
}

const graph = (...nodes: Node[]) => scriptJson({ '@context': 'https://schema.org', '@graph': nodes });

/** BlogPosting, its publisher and its position in the site (schema.org), serialized. */
export function postJsonLd(site: Site, post: PostPage): string {
  const home = fullUrl(site, sitePath(site));
  const { url: social, width, height } = post.social ?? {};
  const image = social === undefined ? null : absoluteUrl(site, social);
  const article = {
    ...posting(site, post),
    ...node('BlogPosting', {
      mainEntityOfPage: fullUrl(site, postPath(site, post.slug)),
      description: post.metaDescription || post.excerpt,
      image: image === null ? undefined : node('ImageObject', { url: image, width, height }),
      keywords: post.tags,
      wordCount: post.wordCount,
      timeRequired: `PT${Math.max(1, Math.round(post.readingMinutes))}M`,
      inLanguage: site.language,
      publisher: { '@id': business(site) },
      isPartOf: { '@id': blog(site) },
    }),
  };
  const crumbs = breadcrumbs([
    { name: site.title, url: home },
    { name: post.title, url: fullUrl(site, postPath(site, post.slug)) },
  ]);
  return graph(article, node('Blog', { '@id': blog(site), url: home, name: site.title }), organization(site), crumbs);
}

/** The business, its blog with the posts of this page, and the page's position in the site, serialized. */
export function indexJsonLd(site: Site, index: IndexPage): string {
  const home = fullUrl(site, sitePath(site));
  const list = node('Blog', {
    '@id': blog(site),
    url: home,
    name: site.title,
    description: site.tagline || site.about,
    inLanguage: site.language,
    publisher: { '@id': business(site) },
    blogPost: index.posts.map((post) => posting(site, post)),
  });
  const { tag } = index;
  const topic = tag === null ? [] : [{ name: tag, url: fullUrl(site, indexPath(site, { tag })) }];
  return graph(organization(site), list, breadcrumbs([{ name: site.title, url: home }, ...topic]));
}
