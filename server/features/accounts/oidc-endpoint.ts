import { AppError } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { apiSecurityHeaders } from '@/server/platform/http/security-headers';
import { type BrowserVisit, beginSignIn, finishVisit, type Onwards } from './oidc.service';
import { isSingleSignOnOn } from './oidc-client';
import type { Teams } from './oidc-join';

const prefix = '/api/auth/oidc';

type Step = (visit: BrowserVisit, teams: Teams) => Promise<Onwards>;

const steps: Record<string, Step> = {
  [`${prefix}/start`]: beginSignIn,
  [`${prefix}/callback`]: finishVisit,
};

async function answer(request: HttpRequest, teams: Teams): Promise<HttpAnswer> {
  const { pathname, query, headers, clientAddress, ids } = request;
  const step = Object.hasOwn(steps, pathname) && isSingleSignOnOn() ? steps[pathname] : undefined;
  if (!step) throw new AppError('not_found', `There is nothing at ${pathname}.`);
  const visit = {
    query,
    cookies: headers.get('cookie'),
    userAgent: headers.get('user-agent') ?? '',
    address: clientAddress,
    requestId: ids.requestId,
  };
  const { location, cookies } = await step(visit, teams);
  return { status: 303, headers: { ...apiSecurityHeaders(), Location: location }, cookies, body: null };
}

/**
 * `/api/auth/oidc/…`: the pages that single sign-on leads a browser through. No HEAD: both change something.
 *
 * @param teams how new accounts join them
 */
export function oidcRoute(teams: Teams): HttpRoute {
  return { prefix, methods: 'GET, OPTIONS', answer: (request) => answer(request, teams) };
}
