/**
 * Returns the path to open after signing in: the requested page if it is one of ours. Anything else, such as another site's
 * address in any disguise, becomes the start page.
 */
export function safeReturnPath(wanted: string | string[] | undefined): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  const base = 'http://frontdesk.invalid';
  if (!URL.canParse(wanted, base)) return '/';
  const url = new URL(wanted, base);
  if (url.origin !== base) return '/';
  if (/^\/(api|sign-in|setup|forgot-password|reset-password)(\/|$)/.test(url.pathname)) return '/';
  // Normalisation can turn a path into "//evil.example", which a browser reads as another host.
  return url.pathname.startsWith('//') ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
