import { CopyButton } from '@/app/_kit/copy-button';

const feeds = [
  { label: 'RSS', file: 'feed.xml' },
  { label: 'Atom', file: 'atom.xml' },
  { label: 'JSON Feed', file: 'feed.json' },
  { label: 'Sitemap', file: 'sitemap.xml' },
] as const;

/** Where programs read the blog. */
export function FeedAddresses({ siteUrl }: { siteUrl: string }) {
  const { pathname } = new URL(siteUrl);
  return (
    <section aria-labelledby="feed-addresses">
      <h3 id="feed-addresses" className="text-label font-medium">
        Feeds and sitemap
      </h3>
      <p className="mt-0.5 mb-2 text-label text-muted">
        For those who follow the blog in a reader app or a newsletter, and for search engines. Most programs find them by
        themselves.
      </p>
      <ul className="rounded-md border border-border">
        {feeds.map(({ label, file }) => {
          const address = `${siteUrl}/${file}`;
          return (
            <li key={file} className="flex items-center gap-3 border-b border-separator py-0.5 pr-0.5 pl-3 last:border-b-0">
              <span className="w-18 shrink-0 text-label">{label}</span>
              <code title={address} className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
                {/* On a phone there is room for what tells them apart. */}
                <span className="max-sm:hidden">{pathname}/</span>
                {file}
              </code>
              <CopyButton value={address} label={`Copy ${label} address`} size="sm" />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
