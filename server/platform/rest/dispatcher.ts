import type { AnyTRPCRouter } from '@trpc/server';
import type { ApiKeyActor } from '@/server/platform/actor';
import { type AccessRules, requireAccess } from '@/server/platform/auth/access';
import { authenticateApiKey, deletedKeyError, type RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { AppError, invalidFields } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';
import { inRequest, type RequestScope } from '@/server/platform/request-scope';
import { exposedHeaders, isPreflight, openToAll, preflightHeaders } from '../http/cors';
import { type DownloadedFile, downloadAnswer } from '../http/download';
import { compressOnce, isCompressible } from '../http/encodings';
import { errorAnswer, jsonErrors } from '../http/error-answer';
import type { HttpAnswer, HttpRequest } from '../http/http-message';
import type { HttpRoute } from '../http/http-route';
import { withBodyPlace } from '../http/large-bodies';
import { apiSecurityHeaders } from '../http/security-headers';
import { findUnsupportedValues } from '../http/unsupported-values';
import { type AnswerParts, appErrorOf, type Context } from '../trpc/trpc';
import { RestAnswerParts } from './answer-parts';
import { countBurst } from './burst-limit';
import { countRequest, type DailyCount, uncountRequest } from './daily-limit';
import { entityTagOf, hasCurrentTag } from './entity-tag';
import { errorAreaOf } from './error-body';
import { answerOnce, idempotencyKeyOf } from './idempotency';
import { nextPageLink } from './next-page';
import { describeRouter } from './openapi';
import { answersResource, targetOf, whileUnchanged } from './precondition';
import { type Input, isRead, mergePatchType, readInput, readPath } from './request-input';
import { compileRoutes, type RestMethod, type RestRoute, type RouteMatch, type RouteTable } from './route-table';

/** The mount path of the REST API. */
export const restPrefix = '/api/v1';

const baseHeaders: Readonly<Record<string, string>> = {
  ...apiSecurityHeaders(),
  ...openToAll,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding',
};

/** A call during its processing. */
interface Call {
  api: RestApi;
  request: HttpRequest;
  /** The path after the prefix. */
  path: string;
  query: URLSearchParams;
  /** Collected during the call; sent with success and error alike. */
  headers: Record<string, string>;
  actor: ApiKeyActor | null;
  /** What the operation requires of keys. */
  rules: AccessRules;
  count: DailyCount | null;
}

/**
 * The REST API of a router: `/api/v1` and everything below.
 * One function over a precompiled table, so that every rule (key, limits, override, body, strictness, error bodies) exists once
 * and applies to every procedure with `meta.openapi`. docs/adr/0002 explains why this does not use trpc-to-openapi's handler.
 */
export class RestApi implements HttpRoute {
  readonly prefix = restPrefix;
  readonly routes: RouteTable;
  readonly #router: AnyTRPCRouter;
  #documentJson: string | undefined;

  constructor(router: AnyTRPCRouter) {
    this.#router = router;
    this.routes = compileRoutes(router);
  }

  /** The OpenAPI 3.1 document of the operations. */
  document(): object {
    return describeRouter(this.#router, this.routes.all);
  }

  /** The serialised document; created on first use. */
  documentJson(): string {
    this.#documentJson ??= JSON.stringify(this.document());
    return this.#documentJson;
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const call: Call = {
      api: this,
      request,
      path: request.pathname.slice(restPrefix.length),
      query: new URLSearchParams(request.query),
      headers: { ...baseHeaders, ...exposedHeaders(request) },
      actor: null,
      rules: {},
      count: null,
    };
    try {
      const answer = await dispatch(call);
      const { body } = answer;
      const accepted = request.headers.get('accept-encoding');
      return typeof body === 'string' && isCompressible(body, accepted) ? await compressed(answer, body, accepted) : answer;
    } catch (error) {
      return answerError(call, error);
    }
  }
}

/** Compresses a response for the client. */
async function compressed(answer: HttpAnswer, body: string, acceptEncoding: string): Promise<HttpAnswer> {
  const { headers } = answer;
  const smaller = await compressOnce(body, acceptEncoding);
  if (!smaller) return answer;
  // Different bytes with the same meaning: a weak tag (RFC 9110, section 8.8.1).
  const weak: Record<string, string> = headers.ETag ? { ETag: `W/${headers.ETag}` } : {};
  return { ...answer, body: smaller.body, headers: { ...headers, ...weak, 'Content-Encoding': smaller.encoding } };
}

/** Request headers allowed across origins, besides the safelisted ones. */
const requestHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id'];

async function dispatch(call: Call): Promise<HttpAnswer> {
  if (call.path === '/openapi.json' && isRead(call.request.method)) return openApiDocument(call);
  let match: RouteMatch | null;
  try {
    match = call.api.routes.match(readPath(call.path));
  } catch (error) {
    // An unreadable path is treated like an unknown one: with a key, the request counts.
    if (call.request.headers.has('authorization')) await admit(call);
    throw error;
  }
  const method = call.request.method === 'HEAD' ? 'GET' : call.request.method;
  const route = match?.routes.get(method as RestMethod);
  if (!match || !route) return refuseUnknown(call, match);
  const actor = await admit(call);
  call.rules = route.meta;
  // Before the body is read: a call that is refused costs little.
  requireAccess(actor, call.rules);
  const { headers, clientAddress: address, body } = call.request;
  return withBodyPlace(headers, { account: actor.ownerUserId, address, body }, () => perform(call, route, match.parameters));
}

/** Reads the input and runs the route. */
async function perform(call: Call, route: RestRoute, parameters: string[]): Promise<HttpAnswer> {
  const input = await readInput(
    { request: call.request, query: call.query, identityId: call.actor?.identityId },
    route,
    parameters,
  );
  if (route.method === 'GET') return run(call, route, input);
  const { actor, request } = call;
  if (!actor) return change(call, route, input);
  const scope = { ...request.ids, actor };
  const key = idempotencyKeyOf(request.headers.get('idempotency-key'));
  if (key === null) return change(call, route, input, scope);
  // Before serialising: input with excessive nesting can be parsed, but not serialised.
  const unsupported = findUnsupportedValues(input);
  if (unsupported) throw invalidFields(unsupported);
  const once = { actor, key, requestId: request.requestId, content: contentOf(call, input), answersSecret: route.answersSecret };
  const answer = await answerOnce(once, (idempotency) =>
    change(call, route, input, { ...scope, idempotency }).catch((error: unknown) => answerError(call, error)),
  );
  return { ...answer, headers: { ...call.headers, ...answer.headers } };
}

/** Runs a change; with If-Match, under that precondition. */
function change(call: Call, route: RestRoute, input: Input, scope?: RequestScope): Promise<HttpAnswer> {
  if (!scope) return run(call, route, input);
  const ifMatch = call.request.headers.get('if-match');
  const target = ifMatch === null ? undefined : targetOf(route, call.api.routes.all);
  if (ifMatch === null || !target) return inRequest(scope, () => run(call, route, input));
  return whileUnchanged({ target, input, context: contextOf(call) }, ifMatch, async (precondition) => {
    let wasChecked = false;
    const check = () => {
      wasChecked = true;
      return precondition();
    };
    const answer = await inRequest({ ...scope, precondition: check }, () => run(call, route, input));
    // Nothing was changed, but the precondition still applies.
    if (!wasChecked) await precondition();
    return answer;
  });
}

/** Runs the route and makes its response. */
async function run(call: Call, route: RestRoute, input: Input): Promise<HttpAnswer> {
  const response = new RestAnswerParts();
  const output = await route.call(contextOf(call, response), input);
  response.addTo(call.headers);
  const status = response.status ?? route.rest.status ?? 200;
  if (route.rest.download) return answerDownload(call, output as DownloadedFile);
  const body = JSON.stringify(output);
  if (route.method !== 'GET') {
    const target = targetOf(route, call.api.routes.all);
    if (answersResource(route, target)) call.headers.ETag = entityTagOf(output, body, target?.rest.volatile);
    return { status, headers: call.headers, body };
  }
  const next = nextPageLink(route, call.request.pathname, call.query, output);
  if (next) call.headers.Link = next;
  call.headers['Cache-Control'] = 'private, no-cache';
  const isUnchanged = hasTag(call, entityTagOf(output, body, route.rest.volatile));
  return isUnchanged ? notModified(call) : { status, headers: call.headers, body };
}

/** Adds the tag of this answer. True if the client has the answer already. */
function hasTag(call: Call, tag: string): boolean {
  call.headers.ETag = tag;
  return hasCurrentTag(call.request.headers.get('if-none-match'), tag);
}

/** A file's tag is of what describes it, so that an unchanged file is not even opened. */
async function answerDownload(call: Call, file: DownloadedFile): Promise<HttpAnswer> {
  const { filename, contentType, sha256 } = file;
  if (hasTag(call, entityTagOf(file, JSON.stringify([filename, contentType, sha256])))) return notModified(call);
  return downloadAnswer(file, call.headers);
}

/** An unchanged answer does not count against the daily limit. */
async function notModified(call: Call): Promise<HttpAnswer> {
  const uncounted = await uncount(call);
  const { 'Content-Type': _type, ...headers } = { ...call.headers, ...uncounted };
  return { status: 304, headers, body: null };
}

/** The request as a text; equal requests have equal texts. */
function contentOf({ request, path }: Call, input: Input): string {
  const { headers, method } = request;
  return JSON.stringify([method, path, headers.get('content-type'), headers.get('if-match'), input]);
}

function originOf({ request }: Call): RequestOrigin {
  return { address: request.clientAddress, requestId: request.ids.requestId };
}

/** Notes refused or throttled requests of a key in the security log. */
function noteRefusal(call: Call, { status, code }: AppError): void {
  if (!call.actor || (status !== 403 && status !== 429)) return;
  noteSecurityEvent({
    kind: status === 403 ? 'scope_refused' : 'rate_limited',
    reason: code,
    identityId: call.actor.identityId,
    subject: `${call.request.method} ${call.path}`,
    ...originOf(call),
  });
}

function authenticate(call: Call): Promise<ApiKeyActor> {
  return authenticateApiKey(call.request.headers.get('authorization'), originOf(call));
}

/** Authenticates the caller and applies limits; later responses carry the limit's headers. */
async function admit(call: Call): Promise<ApiKeyActor> {
  const actor = await authenticate(call);
  call.actor = actor;
  call.count = await countRequest(actor);
  Object.assign(call.headers, call.count?.headers);
  await countBurst(actor);
  return actor;
}

/** Handles an unknown path or method. Works without a key; with one, the request counts like any other. */
async function refuseUnknown(call: Call, match: RouteMatch | null): Promise<HttpAnswer> {
  const allow = match && allowedMethods(match);
  const options = { ...apiSecurityHeaders(), ...openToAll };
  // A preflight has no key. For an unknown path, let the actual request report the error.
  if (isPreflight(call.request)) {
    const headers = { ...options, ...preflightHeaders(allow ?? everyMethod, requestHeaders) };
    return { status: 204, headers: allow ? { ...headers, Allow: allow } : headers, body: null };
  }
  if (allow && call.request.method === 'OPTIONS') return { status: 204, headers: { ...options, Allow: allow }, body: null };
  if (call.request.headers.has('authorization')) await admit(call);
  if (!allow) throw new AppError('not_found', `There is nothing at ${call.request.pathname}.`);
  throw new AppError('method_not_allowed', `This path has: ${allow}.`, { headers: { Allow: allow } });
}

const everyMethod = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';

function allowedMethods({ routes }: RouteMatch): string {
  const methods: string[] = [...routes.keys()];
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}

function contextOf(call: Call, response: AnswerParts = new RestAnswerParts()): Context {
  const contentType = call.request.headers.get('content-type') ?? '';
  return {
    actor: call.actor,
    requestId: call.request.requestId,
    patchSemantics: contentType.toLowerCase().startsWith(mergePatchType) ? 'merge' : 'replace',
    response,
    clientAddress: call.request.clientAddress,
    get gone() {
      return call.request.gone;
    },
    readmit: async () => requireAccess(await authenticate(call), call.rules),
  };
}

async function answerError(call: Call, thrown: unknown): Promise<HttpAnswer> {
  const failure = appErrorOf(thrown);
  // The identity was just deleted while its key was still cached.
  const gone = failure.status === 500 && call.actor ? await deletedKeyError(call.actor).catch(() => null) : null;
  const error = gone ?? failure;
  noteRefusal(call, error);
  // Server errors and throttled requests do not count.
  if (error.status >= 500 || error.status === 429) await uncount(call);
  const { headers, ...answer } = errorAnswer(gone ?? thrown, call.request.requestId, jsonErrors(errorAreaOf(call.path)));
  return { ...answer, headers: { ...call.headers, ...headers } };
}

/** Uncounts a request. Returns the headers of the limit without it; none if it was not counted. */
async function uncount({ actor, count }: Call): Promise<DailyCount['headers'] | undefined> {
  if (!actor || !count) return undefined;
  return uncountRequest(actor, count).catch((error: unknown) => {
    logFailure(error, {}, 'a request that should not count stays counted');
    return undefined;
  });
}

function openApiDocument(call: Call): HttpAnswer {
  return { status: 200, headers: { ...call.headers, 'Cache-Control': 'public, max-age=60' }, body: call.api.documentJson() };
}
