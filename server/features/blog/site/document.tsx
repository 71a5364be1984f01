import type { ReactNode } from 'react';
import { favicon, initials, markupOf } from '@/server/platform/http/static-page';
import { accentClass } from './accent';
import { type SiteFile, sitePath } from './addresses';
import type { Site } from './site';
import { fill, type SiteLocale } from './site-locale';
import { blogStylesheet } from './stylesheet';

/** The product named in the footer of each page. */
const product = 'Frontdesk';

export const feeds: { file: SiteFile; name: string; type: string }[] = [
  { file: 'feed.xml', name: 'RSS', type: 'application/rss+xml' },
  { file: 'atom.xml', name: 'Atom', type: 'application/atom+xml' },
  { file: 'feed.json', name: 'JSON Feed', type: 'application/feed+json' },
];

interface DocumentProps {
  site: Site | null;
  locale: SiteLocale;
  title: string;
  /** Additions of the page to the head. */
  head?: ReactNode;
  /** Serialized by `scriptJson`. */
  jsonLd?: string;
  /** The header of the page: the masthead of the list, or the small one of every other page. */
  masthead: ReactNode;
  children: ReactNode;
}

function Document({ site, locale, title, head, jsonLd, masthead, children }: DocumentProps) {
  const { labels, own, language, direction } = locale;
  const letter = [...initials(site?.title ?? product, language)][0] ?? '';
  return (
    <html lang={language} dir={direction === 'rtl' ? 'rtl' : undefined} className={accentClass(site?.handle ?? '')}>
      {/* biome-ignore lint/style/noHeadElement: these pages are not rendered by Next.js. */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {head}
        <meta name="generator" content={product} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fdfcfa" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#181715" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={favicon(letter)} />
        {site &&
          feeds.map(({ file, name, type }) => (
            <link key={file} rel="alternate" type={type} title={`${site.title} (${name})`} href={sitePath(site, file)} />
          ))}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, which escaping would change. */}
        <style dangerouslySetInnerHTML={{ __html: blogStylesheet }} />
        {jsonLd && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: scriptJson escapes everything that could end the element.
          <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLd }} />
        )}
      </head>
      <body>
        <a className="skip" href="#content" {...own}>
          {labels.skip}
        </a>
        {masthead}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <footer className="colophon">
          {site && <p>{site.title}</p>}
          <p dir="auto" {...own}>
            {fill(labels.publishedWith, { product })}
          </p>
        </footer>
      </body>
    </html>
  );
}

/** A complete document without scripts and inline styles, which loads nothing but its pictures. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${markupOf(<Document {...props} />)}`;
}

/** The small masthead with the business' name, for pages that are not about the business itself. */
export function SmallMasthead({ site, locale }: { site: Site; locale: SiteLocale }) {
  return (
    <header className="masthead small">
      <p className="name">
        <a href={sitePath(site)} dir="auto">
          {site.title}
        </a>
      </p>
      <nav aria-label={locale.labels.allPosts} {...locale.own}>
        <a href={sitePath(site)}>{locale.labels.allPosts}</a>
      </nav>
    </header>
  );
}
