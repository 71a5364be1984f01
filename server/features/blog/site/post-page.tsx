import { indexPath, postPath, sitePath } from './addresses';
import { Paragraphs, WebsiteLink } from './business';
import { renderDocument, SmallMasthead } from './document';
import { postJsonLd } from './json-ld';
import { Avatar, Cover } from './picture';
import type { PageOptions, PostPage, Site } from './site';
import { SocialMeta } from './social-meta';
import { fill, type Speech, speak } from './speech';

/** Headings and words from which a post gets a table of contents. */
const CONTENTS_HEADINGS = 4;
const CONTENTS_WORDS = 600;

/** An edit within a day of publishing is treated as a correction, without an update notice. */
const UPDATE_WORTH_TELLING = 24 * 60 * 60 * 1000;

interface ViewProps {
  site: Site;
  post: PostPage;
  speech: Speech;
}

function Byline({ post, speech }: ViewProps) {
  const { words, own } = speech;
  const updated = Date.parse(post.updatedAt) - Date.parse(post.publishedAt) >= UPDATE_WORTH_TELLING;
  return (
    <div className="byline">
      <Avatar name={post.authorName} url={post.authorAvatarUrl} language={speech.language} />
      <div>
        {post.authorName !== '' && (
          <p className="author" dir="auto">
            {post.authorName}
          </p>
        )}
        <p className="facts">
          <time dateTime={post.publishedAt}>{speech.date(post.publishedAt)}</time>
          <span>
            <bdi {...own}>{speech.count(words.readingTime, post.readingMinutes)}</bdi>
          </span>
          {updated && (
            <time dateTime={post.updatedAt}>
              <bdi {...own}>{fill(words.updated, { date: speech.date(post.updatedAt) })}</bdi>
            </time>
          )}
        </p>
      </div>
    </div>
  );
}

function Contents({ post, speech }: ViewProps) {
  if (post.headings.length < CONTENTS_HEADINGS || post.wordCount <= CONTENTS_WORDS) return null;
  const top = Math.min(...post.headings.map(({ level }) => level));
  return (
    <nav className="contents" aria-label={speech.words.contents} {...speech.own}>
      <details>
        <summary>{speech.words.contents}</summary>
        <ol {...speech.theirs}>
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

function Tags({ site, post, speech }: ViewProps) {
  if (post.tags.length === 0) return null;
  return (
    <nav className="tags" aria-label={speech.words.topics} {...speech.own}>
      <ul {...speech.theirs}>
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

function Neighbours({ site, post, speech }: ViewProps) {
  if (!post.newer && !post.older) return null;
  const { words, own } = speech;
  const link = (neighbour: PostPage['newer'], rel: 'prev' | 'next', label: string) =>
    neighbour && (
      <a className={rel} rel={rel} href={postPath(site, neighbour.slug)}>
        <span>{label}</span>
        <strong dir="auto" {...speech.theirs}>
          {neighbour.title}
        </strong>
      </a>
    );
  return (
    <nav className="neighbours" aria-label={words.morePosts} {...own}>
      {link(post.older, 'prev', words.olderPost)}
      {link(post.newer, 'next', words.newerPost)}
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

function Head({ site, post, speech }: ViewProps) {
  return (
    <>
      {post.authorName !== '' && <meta name="author" content={post.authorName} />}
      <SocialMeta
        site={site}
        speech={speech}
        type="article"
        title={post.title}
        description={post.metaDescription || post.excerpt}
        path={postPath(site, post.slug)}
        image={post.social}
        imageAlt={post.cover?.alt || post.title}
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
export function renderPostPage(site: Site, post: PostPage, { stylesheet }: PageOptions): string {
  const speech = speak(site.language);
  const view = { site, post, speech };
  return renderDocument({
    site,
    speech,
    title: `${post.title} · ${site.title}`,
    head: <Head {...view} />,
    stylesheet,
    jsonLd: postJsonLd(site, post),
    masthead: <SmallMasthead site={site} speech={speech} />,
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
