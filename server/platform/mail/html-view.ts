import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { htmlWords, outlineHtml } from './html-outline';
import { foldQuotes } from './html-quotes';
import { type SanitizerOptions, sanitizeTree } from './html-sanitizer';
import { parseHtml } from './html-tree';

const writer = unified().use(rehypeStringify, { allowDangerousHtml: false, closeSelfClosing: false }).freeze();

interface MailPageOptions extends SanitizerOptions {
  html: string;
}

interface MailPage {
  /** A complete HTML document. */
  page: string;
  /** Whether the mail refers to images elsewhere, whether they are shown or not. */
  hasRemoteImages: boolean;
}

/** The class of the page's root with which the dashboard, which may look into the frame, asks for the dark. */
export const darkMailClass = 'frontdesk-dark';

// Mail is written for white paper. In the dark its lightness is turned round, which keeps every contrast and hue; pictures stay as they are.
const pageStyle = `
html { background: #fff; }
body { margin: 0; padding: 16px; overflow-x: auto; background: #fff; color: #18181b; overflow-wrap: break-word;
  font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
img { max-width: 100%; }
pre { white-space: pre-wrap; }
.frontdesk-words { margin: 0; font: inherit; }
.frontdesk-missing-image { color: #52525b; font-size: 13px; }
.frontdesk-quote { margin-top: 16px; }
.frontdesk-quote > summary { width: fit-content; padding: 4px 8px; border-radius: 6px; color: #52525b; font-size: 13px; line-height: 18px;
  cursor: pointer; }
.frontdesk-quote > summary:hover { background: #f4f4f5; }
.frontdesk-quote > summary:focus-visible { outline: 2px solid #2563eb; outline-offset: 2px; }
html.${darkMailClass} { background: #191817; }
html.${darkMailClass} body { background: #e8e7e6; filter: invert(1) hue-rotate(180deg); }
html.${darkMailClass} :is(img, [background], [style*="url"]) { filter: invert(1) hue-rotate(180deg); }
html.${darkMailClass} :is([background], [style*="url"]) img { filter: none; }
html.${darkMailClass} .frontdesk-quote > summary:hover { background: #d9d7d6; }
`;

function languageOf(html: string): string {
  const language = /<html\b[^<>]{0,500}?\slang\s*=\s*["']?([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3})["'\s>]/i.exec(html.slice(0, 4000));
  return language?.[1] ?? 'en';
}

function document(language: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Mail</title>
<base target="_blank">
<style>${pageStyle}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/**
 * The HTML of a received mail as a page for a sandboxed frame: see `sanitizeTree` for what is left of it, and `foldQuotes` for the
 * earlier mail in it. `imageUrlOf` gives the URL of the attachment with a Content-ID (without angle brackets), or null.
 * Mail that is nested too deeply to be read as HTML is shown as its bare text. Throws nothing.
 */
export function mailPage({ html, ...options }: MailPageOptions): MailPage {
  const language = languageOf(html);
  try {
    const { tree, hasRemoteImages } = sanitizeTree(parseHtml(outlineHtml(html)), options);
    foldQuotes(tree);
    return { page: document(language, writer.stringify(tree)), hasRemoteImages };
  } catch {
    // Whatever went wrong with the markup, the words can still be read.
    return { page: document(language, `<pre class="frontdesk-words">${htmlWords(html)}</pre>`), hasRemoteImages: false };
  }
}

/** The headers a mail page is served with: even what slipped through the sanitiser could run nothing and load nothing. */
export function mailPageHeaders({ remoteImages }: { remoteImages: boolean }): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `img-src 'self' data:${remoteImages ? ' https: http:' : ''}`,
      "style-src 'unsafe-inline'",
      "font-src 'none'",
      "frame-ancestors 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
  };
}
