import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { maximumTextSource, outlineHtml, textMarkup } from './html-outline';
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
  /** True if the mail refers to external images, shown or not. */
  hasRemoteImages: boolean;
}

/** Class on the page's root by which the dashboard, which can access the frame, switches to dark mode. */
export const darkMailClass = 'frontdesk-dark';

// Mail is designed for a white background. Dark mode inverts lightness, which keeps contrast and hue; pictures are unchanged.
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
 * Increment with every change to the output of `mailPage`: stored pages of another version are rendered again. A test compares.
 */
export const mailPageVersion = 1;

/** Maximum HTML to render on the event loop, which takes up to 50 ms; in characters, where a tag counts as 60. */
const maximumInline = 150_000;

/** True if HTML must be rendered in a worker thread on arrival, because it may take long. */
export function isHeavyHtml(html: string): boolean {
  let weight = html.length;
  for (let at = html.indexOf('<'); at >= 0 && weight <= maximumInline; at = html.indexOf('<', at + 1)) weight += 60;
  return weight > maximumInline;
}

/** Maximum page size in characters. Sanitising can enlarge markup: a mebibyte of invalid images becomes nine. */
const maximumPage = 3 * 1024 * 1024;

/** HTML as plain text, for markup that can't be rendered. */
export function plainTextPage(html: string): string {
  const words = textMarkup(html.slice(0, maximumTextSource)) || 'This message can’t be shown.';
  return document(languageOf(html), `<pre class="frontdesk-words">${words}</pre>`);
}

/**
 * Renders a received mail's HTML as a page for a sandboxed frame; see `sanitizeTree` for what is kept, and `foldQuotes` for
 * quoted mail. `imageUrlOf` maps a Content-ID (without angle brackets) to the attachment's URL, or null. Mail that is nested
 * too deeply, or becomes too long, is shown as plain text. Never throws.
 */
export function mailPage({ html, ...options }: MailPageOptions): MailPage {
  try {
    const { tree, hasRemoteImages } = sanitizeTree(parseHtml(outlineHtml(html)), options);
    foldQuotes(tree);
    const page = document(languageOf(html), writer.stringify(tree));
    if (page.length <= maximumPage) return { page, hasRemoteImages };
  } catch {
    // If the markup fails in any way, show its text.
  }
  return { page: plainTextPage(html), hasRemoteImages: false };
}

/**
 * The headers of a mail page: even markup that escapes the sanitiser can't run or load anything.
 * @param isPrinted lets the dashboard open the browser's dialog for printing it
 */
export function mailPageHeaders({
  remoteImages,
  isPrinted = false,
}: {
  remoteImages: boolean;
  isPrinted?: boolean;
}): Record<string, string> {
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
      `sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox${isPrinted ? ' allow-modals' : ''}`,
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
  };
}
