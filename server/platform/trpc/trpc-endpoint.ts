import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { SessionActor } from '@/server/platform/actor';
import { requireAccess } from '@/server/platform/auth/access';
import type { RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { identityHeaderName, readSession } from '@/server/platform/auth/session';
import { AppError } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '../http/http-message';
import type { HttpRoute } from '../http/http-route';
import { withBodyPlace } from '../http/large-bodies';
import { anonymousBodyBytes, parseJson, readBytes, refuseEncoded, refuseTooManyValues } from '../http/request-body';
import { crossOriginProblem } from '../http/same-origin';
import { apiSecurityHeaders } from '../http/security-headers';
import { countCalls } from '../http/session-limit';
import { inRequest, type RequestScope } from '../request-scope';
import { answerOnce, idempotencyKeyOf } from '../rest/idempotency';
import { targetOf, whileUnchanged } from '../rest/precondition';
import { type Procedure, proceduresOf, type RestRoute } from '../rest/route-table';
import type { Context, Meta } from './trpc';

/** The mount path of tRPC, for the dashboard's pages. */
const trpcPrefix = '/api/trpc';

const maximumBodyBytes = 6 * 1024 * 1024;
const maximumBatch = 20;

/** The names of the called procedures, parsed like tRPC does. */
function procedureNames({ pathname }: HttpRequest): string[] {
  try {
    return decodeURIComponent(pathname.slice(trpcPrefix.length + 1)).split(',');
  } catch {
    throw new AppError('invalid_request', 'The request could not be read.');
  }
}

/** Maximum body of an authenticated caller: the REST limit plus room for tRPC's envelope; a batch gets the default. */
function bodyLimitOf({ api, names: [name = '', ...others] }: Call): number {
  const own = api.procedures.get(name)?.meta?.rest?.maximumBodyBytes;
  return others.length === 0 ? Math.max(maximumBodyBytes, own ?? 0) : maximumBodyBytes;
}

/** @throws AppError for requests that are refused for any caller */
function refuseInvalid(request: HttpRequest, names: string[]): void {
  const { method, headers } = request;
  const crossOrigin = crossOriginProblem(request);
  if (crossOrigin) {
    void noteForeignOrigin(request);
    throw crossOrigin;
  }
  // Browsers always send the length.
  if (method === 'POST' && headers.get('content-length') === null)
    throw new AppError('invalid_request', 'Send the body with a Content-Length.');
  if (names.length > maximumBatch) throw new AppError('invalid_request', `At most ${maximumBatch} calls go into one request.`);
}

function originOf({ clientAddress, ids }: HttpRequest): RequestOrigin {
  return { address: clientAddress, requestId: ids.requestId };
}

function sessionOf({ headers }: HttpRequest): Promise<SessionActor | null> {
  return readSession(headers.get('cookie'), headers.get(identityHeaderName));
}

/** Notes a cross-origin request with a valid session in the security log. */
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

/** The router over tRPC for the dashboard: sessions only, API keys are not accepted. */
export class TrpcApi implements HttpRoute {
  readonly prefix = trpcPrefix;
  readonly methods = 'GET, HEAD, POST, OPTIONS';
  readonly router: AnyTRPCRouter;
  readonly procedures: ReadonlyMap<string, Procedure>;
  /** The operations of the REST API, for the same meaning of If-Match. */
  readonly operations: readonly RestRoute[];

  constructor(router: AnyTRPCRouter, operations: readonly RestRoute[]) {
    this.router = router;
    this.procedures = proceduresOf(router);
    this.operations = operations;
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const names = procedureNames(request);
    refuseInvalid(request, names);
    const actor = await sessionOf(request);
    if (actor) await countCalls(actor, names.length, originOf(request));
    const call: Call = { api: this, request, names, actor };
    return isBodyWanted(call) ? await answerWithBody(call) : await run(call, null);
  }
}

/** A request during its processing. */
interface Call {
  api: TrpcApi;
  request: HttpRequest;
  /** Names of the called procedures. */
  names: string[];
  actor: SessionActor | null;
}

/** False if tRPC will refuse the call whatever its body; the body is then not read. */
function isBodyWanted({ api, request, names, actor }: Call): boolean {
  if (request.method !== 'POST') return false;
  return names.some((name) => {
    const procedure = api.procedures.get(name);
    return procedure?.type === 'mutation' && (actor !== null || procedure.meta?.access === 'public');
  });
}

function answerWithBody(call: Call): Promise<HttpAnswer> {
  const { request, actor } = call;
  refuseEncoded(request);
  if (!actor) return readAndRun(call, anonymousBodyBytes);
  const { headers, clientAddress: address, body } = request;
  return withBodyPlace(headers, { account: actor.userId, address, body }, () => readAndRun(call, bodyLimitOf(call)));
}

/** Runs the request; one that creates something and has an Idempotency-Key, only once (docs/adr/0012). */
async function readAndRun(call: Call, maximum: number): Promise<HttpAnswer> {
  const { request, names, actor } = call;
  const { headers, requestId, ids } = request;
  const body = await readBytes(request, maximum);
  refuseTooManyValues(body);
  if (!actor) return run(call, body);
  const scope = { ...ids, actor };
  const creates = createsOf(call);
  const key = idempotencyKeyOf(headers.get('idempotency-key'));
  // Replaying is only for creating or conditional requests; other changes may have been reverted since and simply run again.
  if (key === null || !(creates || headers.has('if-match'))) return change(call, body, scope);
  const content = JSON.stringify([names, actor.identityId, headers.get('if-match'), Buffer.from(body).toString()]);
  return answerOnce({ actor, key, requestId, content, answersSecret: creates === 'secret' }, (idempotency) =>
    change(call, body, { ...scope, idempotency }),
  );
}

/** What a call creates, if anything. */
function createsOf({ api, names: [name = '', ...others] }: Call): Meta['creates'] {
  const meta = others.length === 0 ? api.procedures.get(name)?.meta : undefined;
  return meta?.creates ?? (meta?.rest?.status === 201 ? 'record' : undefined);
}

/** Runs the change; with If-Match, under that precondition. */
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

/**
 * Requires that who made this call may still make it, after it has waited.
 * @throws AppError signed_out, insufficient_role
 */
async function readmit({ api, request, names, actor }: Call): Promise<void> {
  if (!actor) return;
  const now = await sessionOf(request);
  if (now?.identityId !== actor.identityId) throw new AppError('signed_out', 'Sign in to go on.');
  for (const name of names) {
    const meta = api.procedures.get(name)?.meta;
    if (meta?.scope) requireAccess(now, meta);
  }
}

function contextOf(call: Call): Context {
  const { request, actor } = call;
  return {
    actor,
    requestId: request.requestId,
    // The dashboard sends only the changed fields of a form (contract section 4).
    patchSemantics: 'merge',
    response: { headers: new Headers() },
    clientAddress: request.clientAddress,
    get gone() {
      return request.gone;
    },
    readmit: () => readmit(call),
    cookies: request.headers.get('cookie'),
  };
}

/** Request headers that tRPC reads. */
const passedHeaders = ['content-type', 'accept', 'trpc-accept'];

/** Lets tRPC make the response. */
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
    createContext: async ({ resHeaders }): Promise<Context> =>
      Object.assign(contextOf(call), { response: { headers: resHeaders } }),
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
