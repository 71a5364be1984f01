import { indexPath, postPath, sitePath } from './addresses';
import { Paragraphs, WebsiteLink } from './business';
import { renderDocument, SmallMasthead } from './document';
import { postJsonLd } from './json-ld';
import { Avatar, Cover } from './picture';
import type { PostPage, Site } from './site';
import { fill, type SiteLocale, siteLocale } from './site-locale';
import { SocialMeta } from './social-meta';

/** Headings and words from which a post gets a table of contents. */
const CONTENTS_HEADINGS = 4;
const CONTENTS_WORDS = 600;

/** An edit within a day of publishing is treated as a correction, without an update notice. */
const UPDATE_WORTH_TELLING = 24 * 60 * 60 * 1000;

interface ViewProps {
  site: Site;
  post: PostPage;
  locale: SiteLocale;
}

function Byline({ post, locale }: ViewProps) {
  const { labels, own } = locale;
  const updated = Date.parse(post.updatedAt) - Date.parse(post.publishedAt) >= UPDATE_WORTH_TELLING;
  return (
    <div className="byline">
      <Avatar name={post.authorName} url={post.authorAvatarUrl} language={locale.language} />
      <div>
        {post.authorName !== '' && (
          <p className="author" dir="auto">
            {post.authorName}
          </p>
        )}
        <p className="facts">
          <time dateTime={post.publishedAt}>{locale.date(post.publishedAt)}</time>
          <span>
            <bdi {...own}>{locale.count(labels.readingTime, post.readingMinutes)}</bdi>
          </span>
          {updated && (
            <time dateTime={post.updatedAt}>
              <bdi {...own}>{fill(labels.updated, { date: locale.date(post.updatedAt) })}</bdi>
            </time>
          )}
        </p>
      </div>
    </div>
  );
}

function Contents({ post, locale }: ViewProps) {
  if (post.headings.length < CONTENTS_HEADINGS || post.wordCount <= CONTENTS_WORDS) return null;
  const top = Math.min(...post.headings.map(({ level }) => level));
  return (
    <nav className="contents" aria-label={locale.labels.contents} {...locale.own}>
      <details>
        <summary>{locale.labels.contents}</summary>
        <ol {...locale.theirs}>
          {post.headings.map(({ id, text, level }) => (
            <li key={id} className={level > top ? 'deeper' : undefined}>
              <a href={`#${encodeURIComponent(id)}`} dir="auto">
                {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function Tags({ site, post, locale }: ViewProps) {
  if (post.tags.length === 0) return null;
  return (
    <nav className="tags" aria-label={locale.labels.topics} {...locale.own}>
      <ul {...locale.theirs}>
        {post.tags.map((tag) => (
          <li key={tag}>
            <a rel="tag" href={indexPath(site, { tag })} dir="auto">
              {tag}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ site, post, locale }: ViewProps) {
  if (!post.newer && !post.older) return null;
  const { labels, own } = locale;
  const link = (neighbour: PostPage['newer'], rel: 'prev' | 'next', label: string) =>
    neighbour && (
      <a className={rel} rel={rel} href={postPath(site, neighbour.slug)}>
        <span>{label}</span>
        <strong dir="auto" {...locale.theirs}>
          {neighbour.title}
        </strong>
      </a>
    );
  return (
    <nav className="neighbours" aria-label={labels.morePosts} {...own}>
      {link(post.older, 'prev', labels.olderPost)}
      {link(post.newer, 'next', labels.newerPost)}
    </nav>
  );
}

/** The post's business, for readers who came from elsewhere. */
function BusinessCard({ site }: { site: Site }) {
  return (
    <aside className="publisher">
      <h2 dir="auto">
        <a href={sitePath(site)}>{site.title}</a>
      </h2>
      {site.tagline !== '' && (
        <p className="tagline" dir="auto">
          {site.tagline}
        </p>
      )}
      <Paragraphs text={site.about} />
      <WebsiteLink site={site} />
    </aside>
  );
}

function Head({ site, post, locale }: ViewProps) {
  return (
    <>
      {post.authorName !== '' && <meta name="author" content={post.authorName} />}
      <SocialMeta
        site={site}
        locale={locale}
        type="article"
        title={post.title}
        description={post.metaDescription || post.excerpt}
        path={postPath(site, post.slug)}
        image={post.social}
        imageAlt={post.title}
      />
      <meta property="article:published_time" content={post.publishedAt} />
      <meta property="article:modified_time" content={post.updatedAt} />
      {post.tags.map((tag) => (
        <meta key={tag} property="article:tag" content={tag} />
      ))}
    </>
  );
}

/** A post as a complete HTML document. */
export function renderPostPage(site: Site, post: PostPage): string {
  const locale = siteLocale(site.language);
  const view = { site, post, locale };
  return renderDocument({
    site,
    locale,
    title: `${post.title} · ${site.title}`,
    head: <Head {...view} />,
    jsonLd: postJsonLd(site, post),
    masthead: <SmallMasthead site={site} locale={locale} />,
    children: (
      <>
        <article className="post">
          <header>
            <h1 dir="auto">{post.title}</h1>
            {post.standfirst !== '' && (
              <p className="standfirst" dir="auto">
                {post.standfirst}
              </p>
            )}
            <Byline {...view} />
          </header>
          <Cover picture={post.cover} sizes="(min-width: 64rem) 60rem, 100vw" first />
          <Contents {...view} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the Markdown engine. */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: post.html }} />
          <Tags {...view} />
        </article>
        <Neighbours {...view} />
        <BusinessCard site={site} />
      </>
    ),
  });
}
