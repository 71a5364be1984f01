import type { ReactNode } from 'react';
import { favicon, initials, markupOf } from '@/server/platform/http/static-page';
import { dark, light } from '@/server/platform/mail/layout/html-style';
import { stylesheet } from './stylesheet';

/** The product named in the footer, in small print. */
const product = 'Frontdesk';

interface DocumentProps {
  title: string;
  /** The business that sent the invitation; '' if it is unknown. */
  businessName: string;
  /** Text of the footer. */
  foot?: string;
  children: ReactNode;
}

function Document({ title, businessName, foot, children }: DocumentProps) {
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: these pages are not rendered by Next.js. */}
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
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, which escaping would change. */}
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

/** A complete document without scripts and inline styles, which loads nothing. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${markupOf(<Document {...props} />)}`;
}
