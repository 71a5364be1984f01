/**
 * Where to go after signing in: the page that asked for it, if it is one of ours. Everything else, such as another site's address
 * in any disguise, becomes the start page.
 */
export function safeCallbackUrl(wanted: string | string[] | undefined): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  const base = 'http://frontdesk.invalid';
  if (!URL.canParse(wanted, base)) return '/';
  const url = new URL(wanted, base);
  if (url.origin !== base) return '/';
  if (/^\/(api|sign-in|setup|forgot-password|reset-password)(\/|$)/.test(url.pathname)) return '/';
  // "//evil.example" can come out of normalisation as a path, and would be another site again when used.
  return url.pathname.startsWith('//') ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
