import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { logOutage } from '@/server/platform/outage-log';

interface IncomingRequest {
  method: string;
  headers: { get(name: string): string | null };
}

/**
 * True for a request that may come from a page of this installation. Browsers send the origin; SameSite cookies would stop most
 * other requests, but not those from another site on the same domain.
 */
function isSameOrigin({ method, headers }: IncomingRequest): boolean {
  const fetchSite = headers.get('sec-fetch-site');
  if (fetchSite !== null && fetchSite !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return fetchSite !== null || method === 'GET';
  const expected = env().PUBLIC_URL;
  if (expected && origin === new URL(expected).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

/** Describes a likely misconfiguration if the browser does not report a cross-site request: a wrong public host name. */
function misconfiguration({ headers }: IncomingRequest): string | null {
  const fetchSite = headers.get('sec-fetch-site');
  const origin = headers.get('origin') ?? '';
  if ((fetchSite !== null && fetchSite !== 'same-origin') || !URL.canParse(origin)) return null;
  const { PUBLIC_URL } = env();
  const own = PUBLIC_URL ? `PUBLIC_URL is ${PUBLIC_URL}` : 'PUBLIC_URL is not set';
  const host = `the Host header is ${headers.get('host') ?? 'missing'}`;
  return `The page is at ${origin}, but ${own} and ${host}. If this is the dashboard, set PUBLIC_URL=${origin}, or let the reverse proxy pass on the Host header.`;
}

/** The error for a cross-origin request; null for a same-origin one. */
export function crossOriginProblem(request: IncomingRequest): AppError | null {
  if (isSameOrigin(request)) return null;
  const cause = misconfiguration(request);
  if (!cause)
    return new AppError('cross_origin', 'This address serves the dashboard’s own pages only. Use /api/v1 with an API key.');
  logOutage('origin', { origin: request.headers.get('origin'), host: request.headers.get('host') }, cause);
  return new AppError('cross_origin', cause);
}
