import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { htmlWords, maximumWords, outlineHtml } from './html-outline';
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

/** Stored pages of another version are rendered again: raise it with every change of what `mailPage` returns. A test compares. */
export const mailPageVersion = 1;

/** Up to here HTML is rendered on the event loop, which takes up to 50 ms; in characters, where a tag counts for 60. */
const maximumInline = 150_000;

/** Whether HTML is rendered in a thread, when it arrives, because it may take long. */
export function isHeavyHtml(html: string): boolean {
  let weight = html.length;
  for (let at = html.indexOf('<'); at >= 0 && weight <= maximumInline; at = html.indexOf('<', at + 1)) weight += 60;
  return weight > maximumInline;
}

/** A page may have so many characters. Markup grows when it is made safe, a mebibyte of bad images to nine. */
const maximumPage = 3 * 1024 * 1024;

/** HTML as the bare words in it, for markup that can't be rendered. */
export function wordsPage(html: string): string {
  const words = htmlWords(html.slice(0, maximumWords)) || 'This message can’t be shown.';
  return document(languageOf(html), `<pre class="frontdesk-words">${words}</pre>`);
}

/**
 * The HTML of a received mail as a page for a sandboxed frame: see `sanitizeTree` for what is left of it, and `foldQuotes` for the
 * earlier mail in it. `imageUrlOf` gives the URL of the attachment with a Content-ID (without angle brackets), or null.
 * Mail that is nested too deeply, or becomes too long, is shown as its words. Throws nothing.
 */
export function mailPage({ html, ...options }: MailPageOptions): MailPage {
  try {
    const { tree, hasRemoteImages } = sanitizeTree(parseHtml(outlineHtml(html)), options);
    foldQuotes(tree);
    const page = document(languageOf(html), writer.stringify(tree));
    if (page.length <= maximumPage) return { page, hasRemoteImages };
  } catch {
    // Whatever went wrong with the markup, the words can still be read.
  }
  return { page: wordsPage(html), hasRemoteImages: false };
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
