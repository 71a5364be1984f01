import { indexPath, postPath, sitePath } from './addresses';
import { Business } from './business';
import { renderDocument } from './document';
import { indexJsonLd } from './json-ld';
import { Cover } from './picture';
import type { IndexPage, PostSummary, Site } from './site';
import { fill, type SiteLocale, siteLocale } from './site-locale';
import { SocialMeta } from './social-meta';

/** Topics shown initially; the others are collapsed. */
const TOPICS_SHOWN = 8;

interface ViewProps {
  site: Site;
  index: IndexPage;
  locale: SiteLocale;
}

function Topics({ site, index, locale }: ViewProps) {
  if (index.tags.length === 0) return null;
  const { labels, own } = locale;
  const topic = ({ tag, count }: { tag: string; count: number }) => (
    <li key={tag}>
      <a href={indexPath(site, { tag })} aria-current={tag === index.tag ? 'page' : undefined}>
        <bdi {...locale.theirs}>{tag}</bdi> <span className="count">{locale.number(count)}</span>
      </a>
    </li>
  );
  const [shown, folded] = [index.tags.slice(0, TOPICS_SHOWN), index.tags.slice(TOPICS_SHOWN)];
  return (
    <nav className="topics" aria-label={labels.topics} {...own}>
      <ul>
        <li>
          <a href={sitePath(site)} aria-current={index.tag === null && index.page === 1 ? 'page' : undefined}>
            {labels.allPosts}
          </a>
        </li>
        {shown.map(topic)}
      </ul>
      {folded.length > 0 && (
        <details open={folded.some(({ tag }) => tag === index.tag)}>
          <summary>{labels.moreTopics}</summary>
          <ul>{folded.map(topic)}</ul>
        </details>
      )}
    </nav>
  );
}

/** Author, day and length of a post in one line. */
function Facts({ post, locale }: { post: PostSummary; locale: SiteLocale }) {
  return (
    <p className="facts">
      {post.authorName !== '' && (
        <span>
          <bdi>{post.authorName}</bdi>
        </span>
      )}
      <time dateTime={post.publishedAt}>{locale.date(post.publishedAt)}</time>
      <span>
        <bdi {...locale.own}>{locale.count(locale.labels.readingTime, post.readingMinutes)}</bdi>
      </span>
    </p>
  );
}

function Card({ site, post, locale, lead = false }: { site: Site; post: PostSummary; locale: SiteLocale; lead?: boolean }) {
  const sizes = lead ? '(min-width: 64rem) 42rem, 100vw' : '(min-width: 64rem) 22rem, (min-width: 40rem) 50vw, 100vw';
  return (
    <article className={lead ? 'card lead' : 'card'}>
      <Cover picture={post.cover} sizes={sizes} first={lead} />
      <div>
        <h2>
          <a href={postPath(site, post.slug)} dir="auto">
            {post.title}
          </a>
        </h2>
        {post.excerpt !== '' && (
          <p className="excerpt" dir="auto">
            {post.excerpt}
          </p>
        )}
        <Facts post={post} locale={locale} />
      </div>
    </article>
  );
}

function Pages({ site, index, locale }: ViewProps) {
  const { page, pageCount, tag } = index;
  if (pageCount < 2) return null;
  const { labels, own } = locale;
  return (
    <nav className="pages" aria-label={labels.pages} {...own}>
      {page > 1 && (
        <a rel="prev" href={indexPath(site, { page: page - 1, tag })}>
          {labels.newerPosts}
        </a>
      )}
      <span>{fill(labels.pageOf, { page: locale.number(page), count: locale.number(pageCount) })}</span>
      {page < pageCount && (
        <a rel="next" href={indexPath(site, { page: page + 1, tag })}>
          {labels.olderPosts}
        </a>
      )}
    </nav>
  );
}

function Masthead({ site, index, locale }: ViewProps) {
  return (
    <header className="masthead">
      <h1 className="name">
        <a href={sitePath(site)} dir="auto">
          {site.title}
        </a>
      </h1>
      {site.tagline !== '' && (
        <p className="tagline" dir="auto">
          {site.tagline}
        </p>
      )}
      <Topics site={site} index={index} locale={locale} />
    </header>
  );
}

function pageTitle({ site, index, locale }: ViewProps): string {
  const page = index.page > 1 ? fill(locale.labels.pageOf, { page: index.page, count: index.pageCount }) : '';
  const parts = [index.tag ?? '', page, site.title].filter(Boolean);
  return parts.length === 1 && site.tagline !== '' ? `${site.title} – ${site.tagline}` : parts.join(' · ');
}

/**
 * One page of a site's list of posts, newest first, optionally of one topic, as a complete HTML document. The first page
 * without a topic features its first post.
 */
export function renderIndexPage(site: Site, index: IndexPage): string {
  const locale = siteLocale(site.language);
  const { labels, own } = locale;
  const { posts, page, pageCount, tag } = index;
  const title = pageTitle({ site, index, locale });
  const leads = page === 1 && tag === null;
  const head = (
    <>
      {posts.length === 0 && <meta name="robots" content="noindex" />}
      {page > 1 && <link rel="prev" href={indexPath(site, { page: page - 1, tag })} />}
      {page < pageCount && <link rel="next" href={indexPath(site, { page: page + 1, tag })} />}
      <SocialMeta
        site={site}
        locale={locale}
        type="website"
        title={title}
        description={site.tagline || site.about}
        path={indexPath(site, { page, tag })}
        image={index.social ?? null}
        imageAlt={site.title}
      />
    </>
  );
  return renderDocument({
    site,
    locale,
    title,
    head,
    jsonLd: indexJsonLd(site, index),
    masthead: <Masthead site={site} index={index} locale={locale} />,
    children: (
      <>
        {tag !== null && (
          <p className="topic">
            <strong dir="auto">{tag}</strong> <span {...own}>{locale.count(labels.posts, index.total)}</span>
          </p>
        )}
        {posts.length === 0 && (
          <p className="empty" dir="auto" {...own}>
            {tag === null ? labels.empty : labels.emptyTopic}
          </p>
        )}
        {leads && posts[0] && <Card site={site} post={posts[0]} locale={locale} lead />}
        <div className="cards">
          {posts.slice(leads ? 1 : 0).map((post) => (
            <Card key={post.id} site={site} post={post} locale={locale} />
          ))}
        </div>
        <Pages site={site} index={index} locale={locale} />
        <Business site={site} locale={locale} />
      </>
    ),
  });
}
