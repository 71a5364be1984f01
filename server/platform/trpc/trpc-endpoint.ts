import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { SessionActor } from '@/server/platform/actor';
import type { RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { identityHeaderName, readSession } from '@/server/platform/auth/session';
import { AppError } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '../http/http-message';
import type { HttpRoute } from '../http/http-route';
import { takeInTurn } from '../http/large-bodies';
import { anonymousBodyBytes, parseJson, readBytes, refuseEncoded, refuseTooManyValues } from '../http/request-body';
import { crossOriginProblem } from '../http/same-origin';
import { apiSecurityHeaders } from '../http/security-headers';
import { countCalls } from '../http/session-limit';
import { inRequest, type RequestScope } from '../request-scope';
import { answerOnce, idempotencyKeyOf } from '../rest/idempotency';
import { targetOf, whileUnchanged } from '../rest/precondition';
import { type CallableProcedure, proceduresOf, type RestRoute } from '../rest/route-table';
import type { Context, Meta } from './trpc';

/** Where tRPC is mounted, for the dashboard's own pages. */
const trpcPrefix = '/api/trpc';

const maximumBodyBytes = 6 * 1024 * 1024;
const maximumBatch = 20;

/** The procedures that a request calls, read as tRPC reads them. */
function procedureNames({ pathname }: HttpRequest): string[] {
  try {
    return decodeURIComponent(pathname.slice(trpcPrefix.length + 1)).split(',');
  } catch {
    throw new AppError('invalid_request', 'The request could not be read.');
  }
}

/** What a known caller may send: as much as over REST, and room for what tRPC wraps around it; a batch has to do with the usual. */
function bodyLimitOf({ api, names: [name = '', ...others] }: Call): number {
  const own = api.procedures.get(name)?._def.meta?.rest?.maximumBodyBytes;
  return others.length === 0 ? Math.max(maximumBodyBytes, own ?? 0) : maximumBodyBytes;
}

/** @throws AppError for what is refused whoever sends it */
function refuseImproper(request: HttpRequest, names: string[]): void {
  const { method, headers } = request;
  const crossOrigin = crossOriginProblem(request);
  if (crossOrigin) {
    void noteForeignOrigin(request);
    throw crossOrigin;
  }
  // Browsers always announce the length.
  if (method === 'POST' && headers.get('content-length') === null)
    throw new AppError('invalid_request', 'Send the body with a Content-Length.');
  if (names.length > maximumBatch) throw new AppError('invalid_request', `At most ${maximumBatch} calls go into one request.`);
}

function originOf({ clientAddress, ids }: HttpRequest): RequestOrigin {
  return { address: clientAddress, requestId: ids.requestId };
}

/** Notes in the security log that another site tried to act for whoever is signed in here. */
async function noteForeignOrigin(request: HttpRequest): Promise<void> {
  const session = await readSession(request.headers.get('cookie')).catch(() => null);
  noteSecurityEvent({
    kind: 'origin_refused',
    reason: 'cross_origin',
    userId: session?.userId ?? null,
    subject: request.headers.get('origin'),
    ...originOf(request),
  });
}

/** The router as tRPC serves it to the dashboard: sessions only, API keys mean nothing here. */
export class TrpcApi implements HttpRoute {
  readonly prefix = trpcPrefix;
  readonly methods = 'GET, HEAD, POST, OPTIONS';
  readonly router: AnyTRPCRouter;
  readonly procedures: ReadonlyMap<string, CallableProcedure>;
  /** The operations of the REST API: If-Match means the same here. */
  readonly operations: readonly RestRoute[];

  constructor(router: AnyTRPCRouter, operations: readonly RestRoute[]) {
    this.router = router;
    this.procedures = proceduresOf(router);
    this.operations = operations;
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const names = procedureNames(request);
    refuseImproper(request, names);
    const actor = await readSession(request.headers.get('cookie'), request.headers.get(identityHeaderName));
    if (actor) await countCalls(actor, names.length, originOf(request));
    const call: Call = { api: this, request, names, actor };
    return isBodyWanted(call) ? await answerWithBody(call) : await run(call, null);
  }
}

/** One request on its way through. */
interface Call {
  api: TrpcApi;
  request: HttpRequest;
  /** Of the procedures it calls. */
  names: string[];
  actor: SessionActor | null;
}

/** False where tRPC will refuse the call whatever its body says; the body then stays unread. */
function isBodyWanted({ api, request, names, actor }: Call): boolean {
  if (request.method !== 'POST') return false;
  return names.some((name) => {
    const definition = api.procedures.get(name)?._def;
    return definition?.type === 'mutation' && (actor !== null || definition.meta?.scope === 'public');
  });
}

function answerWithBody(call: Call): Promise<HttpAnswer> {
  const { request, actor } = call;
  refuseEncoded(request);
  if (!actor) return readAndRun(call, anonymousBodyBytes);
  return takeInTurn(request.headers, actor.userId, () => readAndRun(call, bodyLimitOf(call)));
}

/** Runs the request; what makes something and comes with a key, once (docs/adr/0012). */
async function readAndRun(call: Call, maximum: number): Promise<HttpAnswer> {
  const { request, names, actor } = call;
  const { headers, requestId, ids } = request;
  const body = await readBytes(request, maximum);
  refuseTooManyValues(body);
  if (!actor) return run(call, body);
  const scope = { ...ids, actor };
  const creates = createsOf(call);
  const key = idempotencyKeyOf(headers.get('idempotency-key'));
  // What is neither new nor conditional may have been changed back since, and comes again as it is.
  if (key === null || !(creates || headers.has('if-match'))) return change(call, body, scope);
  const content = JSON.stringify([names, actor.identityId, headers.get('if-match'), Buffer.from(body).toString()]);
  return answerOnce({ actor, key, requestId, content, answersSecret: creates === 'secret' }, (idempotency) =>
    change(call, body, { ...scope, idempotency }),
  );
}

/** What a call makes, where that is something new. */
function createsOf({ api, names: [name = '', ...others] }: Call): Meta['creates'] {
  const meta = others.length === 0 ? api.procedures.get(name)?._def.meta : undefined;
  return meta?.rest?.status === 201 ? 'record' : meta?.creates;
}

/** Has the change made; with If-Match, on that condition. */
async function change(call: Call, body: Uint8Array, scope: RequestScope): Promise<HttpAnswer> {
  const { api, request, names } = call;
  const ifMatch = request.headers.get('if-match');
  const [name = '', ...others] = names;
  const route = ifMatch === null || others.length > 0 ? undefined : api.operations.find((other) => other.name === name);
  const target = route && targetOf(route, api.operations);
  if (ifMatch === null || !target) return inRequest(scope, () => run(call, body));
  return whileUnchanged({ target, input: inputOf(body), context: contextOf(call) }, ifMatch, (precondition) =>
    inRequest({ ...scope, precondition }, () => run(call, body)),
  );
}

function inputOf(body: Uint8Array): Record<string, unknown> {
  const input = parseJson(body);
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

function contextOf({ request, actor }: Call): Context {
  return {
    actor,
    requestId: request.requestId,
    // The dashboard sends only what a form changed (contract section 4).
    patchSemantics: 'merge',
    response: { headers: new Headers() },
    clientAddress: request.clientAddress,
    cookies: request.headers.get('cookie'),
  };
}

/** What tRPC looks at. */
const passedHeaders = ['content-type', 'accept', 'trpc-accept'];

/** Has tRPC make the answer. */
async function run(call: Call, body: Uint8Array | null): Promise<HttpAnswer> {
  const { api, request } = call;
  const { method, pathname, query } = request;
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const answer = await fetchRequestHandler({
    endpoint: trpcPrefix,
    req: new Request(`http://localhost${pathname}${query === '' ? '' : `?${query}`}`, {
      method,
      headers,
      body: body as BodyInit | null,
    }),
    router: api.router,
    createContext: async ({ resHeaders }): Promise<Context> => ({ ...contextOf(call), response: { headers: resHeaders } }),
  });
  const own = new Headers(answer.headers);
  own.delete('set-cookie');
  return {
    status: answer.status,
    headers: { ...Object.fromEntries(own), ...apiSecurityHeaders() },
    cookies: answer.headers.getSetCookie(),
    body: answer.body ? await answer.text() : null,
  };
}
