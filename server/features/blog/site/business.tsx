import { safeUrl, sitePath } from './addresses';
import { feeds } from './document';
import type { Site } from './site';
import type { SiteLocale } from './site-locale';

/** Text with the paragraphs its author typed. */
export function Paragraphs({ text }: { text: string }) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => (
    <p key={paragraph} dir="auto">
      {paragraph.trim()}
    </p>
  ));
}

/** The website's address without scheme and `www`, for display. */
function displayUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

export function WebsiteLink({ site }: { site: Site }) {
  const url = safeUrl(site.website);
  if (!url) return null;
  return (
    <a className="website" href={url}>
      {displayUrl(url)}
    </a>
  );
}

function Services({ site, locale }: { site: Site; locale: SiteLocale }) {
  if (site.services.length === 0) return null;
  return (
    <section className="services">
      <h2 {...locale.own}>{locale.labels.services}</h2>
      <ul>
        {site.services.map((service, place) => {
          const price = locale.price(service);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: printed once; two services may share a name.
            <li key={place}>
              <h3 dir="auto">{service.name}</h3>
              {price !== null && <p className="price">{price}</p>}
              {service.description !== '' && <p dir="auto">{service.description}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The business' description, services and feeds; below the list of posts. */
export function Business({ site, locale }: { site: Site; locale: SiteLocale }) {
  const { labels, own } = locale;
  const url = safeUrl(site.website);
  return (
    <div className="business">
      {(site.about.trim() !== '' || url) && (
        <section>
          <h2 {...own}>{labels.about}</h2>
          <Paragraphs text={site.about} />
          {url && (
            <p>
              <WebsiteLink site={site} />
            </p>
          )}
        </section>
      )}
      <Services site={site} locale={locale} />
      <section>
        <h2 {...own}>{labels.follow}</h2>
        <ul className="feeds">
          {feeds.map(({ file, name, type }) => (
            <li key={file}>
              <a href={sitePath(site, file)} type={type}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
