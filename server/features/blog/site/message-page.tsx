import { sitePath } from './addresses';
import { renderDocument, SmallMasthead } from './document';
import type { PageOptions, Site } from './site';
import { type Speech, speak } from './speech';

function renderMessage(site: Site | null, speech: Speech, title: string, text: string, { stylesheet }: PageOptions): string {
  const { words, own } = speech;
  return renderDocument({
    site,
    speech,
    title: site ? `${title} · ${site.title}` : title,
    head: <meta name="robots" content="noindex" />,
    stylesheet,
    masthead: site && <SmallMasthead site={site} speech={speech} />,
    children: (
      <div className="message" {...own}>
        <h1 dir="auto">{title}</h1>
        <p dir="auto">{text}</p>
        {site && (
          <p>
            <a href={sitePath(site)}>{words.allPosts}</a>
          </p>
        )}
      </div>
    ),
  });
}

/** The 404 page for an unknown post, or, without a site, for an unknown handle. */
export function renderNotFoundPage(site: Site | null, options: PageOptions): string {
  const speech = speak(site?.language ?? 'en');
  return renderMessage(site, speech, speech.words.notFound, speech.words.notFoundText, options);
}

/** The page for a post that was public and has been archived (410). */
export function renderGonePage(site: Site, options: PageOptions): string {
  const speech = speak(site.language);
  return renderMessage(site, speech, speech.words.gone, speech.words.goneText, options);
}
