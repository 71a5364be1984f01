import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { env, isReachedByHttps } from '@/server/platform/env';
import { pageSecurityHeaders } from '@/server/platform/http/security-headers';

/** Pages whose address is a right by itself: where the links lead that are mailed to people or printed for the operator. */
const secretPages = new Set(['/setup', '/reset-password', '/confirm-email', '/invitation']);

/** Gives every page a nonce of its own and the security headers; Next.js puts the nonce on its scripts by itself. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(18).toString('base64');
  const security = pageSecurityHeaders({
    nonce,
    https: isReachedByHttps(),
    development: env().NODE_ENV === 'development',
    holdsSecret: secretPages.has(request.nextUrl.pathname),
  });
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set('x-nonce', nonce);
  // Layouts can't see the address they are rendered for; sign-in has to lead back to it.
  requestHeaders.set('x-frontdesk-path', `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next.js looks for the nonce in the request's policy.
  requestHeaders.set('Content-Security-Policy', security['Content-Security-Policy'] ?? '');
  const response = NextResponse.next({ request: { headers: requestHeaders } });
  for (const [name, value] of Object.entries(security)) response.headers.set(name, value);
  return response;
}

export const config = {
  /** Static files and the API have fixed headers of their own. */
  matcher: [
    '/((?!_next/static/|_next/image|vendor/|api/v1/|api/trpc/|api/mail/|api/inbound/|api/calendar/|rsvp/|icon\\.svg$|notifications\\.js$|favicon\\.ico$).*)',
  ],
};
