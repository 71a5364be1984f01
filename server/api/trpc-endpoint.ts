import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { SessionActor } from '@/server/actor';
import { noteSecurityEvent } from '@/server/auth/security-log';
import { identityHeaderName, readSession } from '@/server/auth/session';
import { env } from '@/server/env';
import { AppError } from '@/server/errors';
import { clientAddressHeader } from './client-address';
import { takeInTurn } from './large-bodies';
import { actingRequestOf, requestIdOf } from './request-id';
import { restRoutes } from './rest/dispatcher';
import { targetOf, whileUnchanged } from './rest/precondition';
import { proceduresOf } from './rest/route-table';
import { appRouter } from './router';
import { apiSecurityHeaders } from './security-headers';
import { appErrorOf, type Context } from './trpc';

/** Where tRPC is mounted, for the dashboard's own pages. */
export const trpcPrefix = '/api/trpc';

const procedures = proceduresOf(appRouter);
const maximumBodyBytes = 6 * 1024 * 1024;
const maximumBatch = 20;

/**
 * True for a request that a page of this very installation may have made. Browsers say where a request comes from; SameSite cookies
 * would stop most of the others, but not those from another site on the same domain.
 */
function isSameOrigin(request: Request): boolean {
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite !== null && fetchSite !== 'same-origin') return false;
  const origin = request.headers.get('origin');
  if (origin === null) return fetchSite !== null || request.method === 'GET';
  const expected = env().PUBLIC_URL;
  if (expected && origin === new URL(expected).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get('host');
}

function refuse(error: AppError, requestId: string): Response {
  const body = { error: error.title, message: error.message, code: error.code, requestId };
  return Response.json(body, {
    status: error.status,
    headers: { ...apiSecurityHeaders(), ...error.headers, 'X-Request-Id': requestId },
  });
}

/** The procedures that a request calls, read as tRPC reads them; null where nobody could. */
function procedureNames(request: Request): string[] | null {
  try {
    return decodeURIComponent(new URL(request.url).pathname.slice(trpcPrefix.length + 1)).split(',');
  } catch {
    return null;
  }
}

/** What the procedure takes over REST, and room for what tRPC wraps around it; a batch has to do with the usual. */
function bodyLimitOf([name = '', ...others]: string[]): number {
  const own = procedures.get(name)?._def.meta?.rest?.maximumBodyBytes;
  return others.length === 0 ? Math.max(maximumBodyBytes, own ?? 0) : maximumBodyBytes;
}

function problemOf(request: Request): AppError | null {
  if (!isSameOrigin(request))
    return new AppError('cross_origin', 'This address serves the dashboard’s own pages only. Use /api/v1 with an API key.');
  const length = request.headers.get('content-length');
  // Without an announced length there is nothing to check before reading; browsers always announce it.
  if (length === null && request.method === 'POST')
    return new AppError('invalid_request', 'Send the body with a Content-Length.');
  const names = procedureNames(request);
  if (!names) return new AppError('invalid_request', 'The request could not be read.');
  if (Number(length) > bodyLimitOf(names)) return new AppError('payload_too_large', 'The body is too large.');
  if (names.length > maximumBatch) return new AppError('invalid_request', `At most ${maximumBatch} calls go into one request.`);
  return null;
}

/** Notes in the security log that another site tried to act for whoever is signed in here. */
async function noteForeignOrigin(request: Request): Promise<void> {
  const session = await readSession(request.headers.get('cookie')).catch(() => null);
  noteSecurityEvent({
    kind: 'origin_refused',
    reason: 'cross_origin',
    userId: session?.userId ?? null,
    address: request.headers.get(clientAddressHeader) ?? 'unknown',
    subject: request.headers.get('origin'),
    requestId: actingRequestOf(request.headers).requestId,
  });
}

/** Serves tRPC to the dashboard: sessions only, API keys mean nothing here. */
export async function handleTrpc(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  const problem = problemOf(request);
  if (problem?.code === 'cross_origin') void noteForeignOrigin(request);
  if (problem) return refuse(problem, requestId);
  const owner = request.headers.get(clientAddressHeader) ?? 'unknown';
  try {
    return await takeInTurn(request.headers, owner, () => answer(request, requestId));
  } catch (error) {
    return refuse(appErrorOf(error), requestId);
  }
}

/** Says when what a change is about was last changed, as far as its author has seen: `updatedAt` of the record. */
const seenHeader = 'x-frontdesk-seen';

/** Runs the request; a change whose author says what they have seen is made only while that is still so. */
async function answer(request: Request, requestId: string): Promise<Response> {
  const session = () => readSession(request.headers.get('cookie'), request.headers.get(identityHeaderName));
  const seen = request.headers.get(seenHeader);
  const [name = '', ...others] = procedureNames(request) ?? [];
  const route = seen === null || others.length > 0 ? undefined : restRoutes().find((other) => other.name === name);
  const target = route && targetOf(route, restRoutes());
  if (!target) return run(request, requestId, async () => contextOf(request, requestId, await session()));
  const [actor, input] = [await session(), await inputOf(request.clone())];
  const context = contextOf(request, requestId, actor);
  if (!actor) return run(request, requestId, async () => context);
  return whileUnchanged(
    { target, input, context },
    (current) => requireSeen(current, seen),
    (precondition) =>
      run(request, requestId, async () => ({
        ...context,
        actor: { ...actor, request: { ...actingRequestOf(request.headers), precondition } },
      })),
  );
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => null);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function requireSeen(current: unknown, seen: string | null): void {
  const { updatedAt } = (current ?? {}) as { updatedAt?: unknown };
  if (current !== null && String(updatedAt ?? '') === seen) return;
  throw new AppError('precondition_failed', 'This was changed elsewhere in the meantime.');
}

function contextOf(request: Request, requestId: string, actor: SessionActor | null): Context {
  return {
    actor: actor && { ...actor, request: actingRequestOf(request.headers) },
    requestId,
    // The dashboard sends only what a form changed (contract section 4).
    patchSemantics: 'merge',
    response: { headers: new Headers() },
    clientAddress: request.headers.get(clientAddressHeader) ?? 'unknown',
  };
}

function run(request: Request, requestId: string, context: () => Promise<Context>): Promise<Response> {
  return fetchRequestHandler({
    endpoint: trpcPrefix,
    req: request,
    router: appRouter,
    createContext: async ({ resHeaders }): Promise<Context> => ({ ...(await context()), response: { headers: resHeaders } }),
    responseMeta: () => ({
      headers: new Headers({ ...apiSecurityHeaders(), 'Cache-Control': 'no-store', 'X-Request-Id': requestId }),
    }),
  });
}
