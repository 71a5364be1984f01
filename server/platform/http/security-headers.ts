/**
 * The response headers that keep a browser from being used against its owner. Pure functions: the proxy, the API's transports
 * and tests share them.
 */

/** For everything this service answers, whatever it is. */
const common = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/** For where browsers reach this installation by https: to never try it without. */
export const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** For what only our own pages may embed. */
const ownPagesOnly = { 'Cross-Origin-Resource-Policy': 'same-origin' };

const permissions = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

interface PageOptions {
  /** Fresh for each response; only scripts that carry it run. */
  nonce: string;
  /** True where browsers reach this installation by https. */
  https: boolean;
  /** True under hot reload, which evaluates code and keeps a socket open. */
  development: boolean;
  /** True where the address of the page is a right by itself: it goes to no other page and into no cache. */
  holdsSecret?: boolean;
}

/** The content security policy of pages: our own scripts by nonce, and nothing from anywhere else but images. */
function contentSecurityPolicy({ nonce, https, development }: PageOptions): string {
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])],
    // Inline styles can't be told apart by nonce where libraries set them on elements (positions of popovers, widths of bars).
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'https:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...(development ? ['ws:'] : [])],
    'worker-src': ["'self'"],
    'frame-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/** Headers of every page, including redirects and error pages. */
export function pageSecurityHeaders(options: PageOptions): Record<string, string> {
  return {
    ...common,
    'Content-Security-Policy': contentSecurityPolicy(options),
    'Permissions-Policy': permissions.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...ownPagesOnly,
    'X-Frame-Options': 'DENY',
    ...(options.holdsSecret ? { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' } : {}),
    ...(options.https ? strictTransport : {}),
  };
}

/**
 * What Next.js answers by itself starts with these: files, redirects, addresses that nothing is at, its own errors. Pages replace them by
 * those of proxy.ts. Nothing runs in such an answer, and no one frames it.
 */
export function fallbackSecurityHeaders(): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    ...common,
    ...ownPagesOnly,
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': permissions.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

interface StaticPageOptions {
  /** SHA-256 of the stylesheet that stands in every page, in base64. */
  styleHash: string;
  https: boolean;
}

/** For pages that our own process makes, in which nothing runs. */
function staticPageHeaders(sources: string[], { styleHash, https }: StaticPageOptions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...sources,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    ...common,
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': permissions.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(https ? strictTransport : {}),
  };
}

/** Headers of public blogs: what anybody writes in a post, nothing of it runs, and nothing is loaded but pictures. */
export function blogSecurityHeaders(options: StaticPageOptions): Record<string, string> {
  return {
    ...staticPageHeaders(["img-src 'self' data: https: http:", "form-action 'none'"], options),
    // Readers of its feeds show its pictures on pages of their own.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/**
 * Headers of the personal pages of those who are invited: nothing is loaded, and their address, which is the right to answer, goes nowhere:
 * not to where a link leads, into no cache, and into no search engine.
 */
export function answerPageSecurityHeaders(options: StaticPageOptions): Record<string, string> {
  return {
    ...staticPageHeaders(['img-src data:', "form-action 'self'"], options),
    ...ownPagesOnly,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

/** Headers of answers meant for programs: nothing in them may ever run, be framed or be kept by a cache. */
export function apiSecurityHeaders(): Record<string, string> {
  return {
    ...common,
    ...ownPagesOnly,
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
  };
}
