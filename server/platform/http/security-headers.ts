/** Security response headers. Pure functions, shared by the proxy, the API's transports and tests. */

/** For every response of this service. */
const common = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/** For installations reached over https: browsers must never try http. */
export const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** For resources that only our own pages may embed. */
const ownPagesOnly = { 'Cross-Origin-Resource-Policy': 'same-origin' };

const permissions = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'browsing-topics'];

interface PageOptions {
  /** Random per response; only scripts with this nonce run. */
  nonce: string;
  /** True if browsers reach this installation over https. */
  https: boolean;
  /** True with hot reload, which evaluates code and keeps a socket open. */
  development: boolean;
  /** True if the page's address is a credential: it must not leak through referrers or caches. */
  holdsSecret?: boolean;
}

/** The content security policy of pages: our own scripts by nonce; nothing from other origins except images. */
function contentSecurityPolicy({ nonce, https, development }: PageOptions): string {
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])],
    // Nonces can't cover inline styles that libraries set on elements (positions of popovers, widths of bars).
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
 * Default headers of responses that Next.js makes automatically: files, redirects, unknown addresses, its own errors. Pages
 * replace them with those of proxy.ts. Such a response runs no script and can't be framed.
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
  /** SHA-256 of the stylesheet embedded in every page, in base64. */
  styleHash: string;
  https: boolean;
}

/** For pages rendered by our own process, which run no scripts. */
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

/** Headers of public blogs: posts are untrusted, so no script runs, and only images load. */
export function blogSecurityHeaders(options: StaticPageOptions): Record<string, string> {
  return {
    ...staticPageHeaders(["img-src 'self' data: https: http:", "form-action 'none'"], options),
    // Feed readers show its pictures on their own pages.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/**
 * Headers of rsvp pages: nothing loads, and the address, which is a credential, must not reach linked sites, caches or search
 * engines.
 */
export function rsvpPageSecurityHeaders(options: StaticPageOptions): Record<string, string> {
  return {
    ...staticPageHeaders(['img-src data:', "form-action 'self'"], options),
    ...ownPagesOnly,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

/** Headers of API responses: never run, framed or cached. */
export function apiSecurityHeaders(): Record<string, string> {
  return {
    ...common,
    ...ownPagesOnly,
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
  };
}
