import type { ReactNode } from 'react';
import { favicon, initials, markupOf } from '@/server/platform/http/static-page';
import { dark, light } from '../mail/html-style';
import { stylesheet } from './stylesheet';

/** What makes the pages possible; said small, for they are those of the business. */
const product = 'Frontdesk';

interface DocumentProps {
  title: string;
  /** Whose page it is; '' where that is not known. */
  businessName: string;
  /** Said at the foot. */
  foot?: string;
  children: ReactNode;
}

function Document({ title, businessName, foot, children }: DocumentProps) {
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: Next.js has no part in these pages. */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={light.page} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={dark.page} media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href={favicon([...initials(businessName || product, 'en')][0] ?? '')} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own rules; escaped, they would be others. */}
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        {businessName && (
          <header className="business" dir="auto">
            {businessName}
          </header>
        )}
        <main>{children}</main>
        <footer>
          {foot && <p>{foot}</p>}
          <p>Sent with {product}</p>
        </footer>
      </body>
    </html>
  );
}

/** A complete document: no script runs in it, nothing in it has a style of its own, and it loads nothing. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${markupOf(<Document {...props} />)}`;
}
