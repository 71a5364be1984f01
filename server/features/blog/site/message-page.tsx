import { sitePath } from './addresses';
import { renderDocument, SmallMasthead } from './document';
import type { Site } from './site';
import { type SiteLocale, siteLocale } from './site-locale';

function renderMessage(site: Site | null, locale: SiteLocale, title: string, text: string): string {
  const { labels, own } = locale;
  return renderDocument({
    site,
    locale,
    title: site ? `${title} · ${site.title}` : title,
    head: <meta name="robots" content="noindex" />,
    masthead: site && <SmallMasthead site={site} locale={locale} />,
    children: (
      <div className="message" {...own}>
        <h1 dir="auto">{title}</h1>
        <p dir="auto">{text}</p>
        {site && (
          <p>
            <a href={sitePath(site)}>{labels.allPosts}</a>
          </p>
        )}
      </div>
    ),
  });
}

/** The 404 page for an unknown post, or, without a site, for an unknown handle. */
export function renderNotFoundPage(site: Site | null): string {
  const locale = siteLocale(site?.language ?? 'en');
  return renderMessage(site, locale, locale.labels.notFound, locale.labels.notFoundText);
}

/** The page for a post that was public and has been archived (410). */
export function renderGonePage(site: Site): string {
  const locale = siteLocale(site.language);
  return renderMessage(site, locale, locale.labels.gone, locale.labels.goneText);
}
