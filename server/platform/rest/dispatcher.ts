import type { ApiKeyActor } from '@/server/platform/actor';
import { authenticateApiKey, deletedKeyError } from '@/server/platform/auth/api-key';
import { AppError, toAppError } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';
import { exposedHeaders, isPreflight, openToAll, preflightHeaders } from '../http/cors';
import { type DownloadedFile, descriptionOf, downloadAnswer } from '../http/download';
import { compressOnce, isCompressible } from '../http/encodings';
import { type ErrorForm, errorAnswer, errorOutput, jsonErrors } from '../http/error-answer';
import { errorAreaOf } from '../http/error-body';
import type { HttpAnswer, HttpRequest } from '../http/http-message';
import type { HttpRoute } from '../http/http-route';
import { isUnchanged } from '../http/if-none-match';
import { withBodyPlace } from '../http/large-bodies';
import { type ReceivedFile, receiveFile } from '../http/received-file';
import { apiSecurityHeaders } from '../http/security-headers';
import { bodyTag, versionIn, versionTag } from '../operations/entity-tag';
import { type Call, type CallOnce, invoke, noteRefusal } from '../operations/invoke';
import { answersTarget, type Operations } from '../operations/operation';
import { RestAnswerParts } from './answer-parts';
import { countBurst } from './burst-limit';
import { countRequest, type DailyCount, uncountRequest } from './daily-limit';
import { nextPageLink } from './next-page';
import { type ApiParts, describeRoutes } from './openapi';
import { isRead, mergePatchType, readInput, readPath } from './request-input';
import { compileRoutes, type RestMethod, type RestRoute, type RouteMatch, type RouteTable } from './route-table';

/** The mount path of the REST API. */
const restPrefix = '/api/v1';

const baseHeaders: Readonly<Record<string, string>> = {
  ...apiSecurityHeaders(),
  ...openToAll,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding',
};

/**
 * The REST API of the operations: `/api/v1` and everything below.
 * Translates between HTTP and `invoke` over a precompiled table, so that every rule of HTTP (key, limits, override, body,
 * strictness, error bodies) exists once and applies to every operation with `meta.openapi`. docs/adr/0002 explains why this does not
 * use trpc-to-openapi's handler.
 */
export class RestApi implements HttpRoute {
  readonly prefix = restPrefix;
  readonly routes: RouteTable;
  readonly #parts: ApiParts;
  #documentJson: string | undefined;

  constructor(operations: Operations, parts: ApiParts) {
    this.routes = compileRoutes(operations, parts.areas);
    this.#parts = parts;
  }

  errorsAt(pathname: string): ErrorForm {
    return jsonErrors(errorAreaOf(pathname.slice(restPrefix.length), this.#parts.areas));
  }

  /** The OpenAPI 3.1 document of the operations. */
  document(): object {
    return describeRoutes(this.routes.all, this.#parts);
  }

  /** The serialised document; created on first use. */
  documentJson(): string {
    this.#documentJson ??= JSON.stringify(this.document());
    return this.#documentJson;
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const exchange = new Exchange(request);
    try {
      const answer = await this.#dispatch(exchange);
      const { body } = answer;
      const accepted = request.headers.get('accept-encoding');
      return typeof body === 'string' && isCompressible(body, accepted) ? await compressed(answer, body, accepted) : answer;
    } catch (error) {
      return exchange.refuse(error, this.errorsAt(request.pathname));
    }
  }

  async #dispatch(exchange: Exchange): Promise<HttpAnswer> {
    const { request, path } = exchange;
    if (path === '/openapi.json' && isRead(request.method)) return openApiDocument(exchange, this.documentJson());
    let match: RouteMatch | null;
    try {
      match = this.routes.match(readPath(path));
    } catch (error) {
      // An unreadable path is treated like an unknown one: with a key, the request counts.
      await exchange.countIfKeyed();
      throw error;
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = match?.routes.get(method as RestMethod);
    if (!match || !route) return refuseUnknown(exchange, match);
    return invoke(route.operation, new RestCall(exchange, route, match.parameters));
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

/** A request and its response in the making. */
class Exchange {
  readonly request: HttpRequest;
  /** The path after the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Response headers collected so far; every response has them, errors included. */
  readonly headers: Record<string, string>;
  #counted: { actor: ApiKeyActor; count: DailyCount | null } | null = null;

  constructor(request: HttpRequest) {
    this.request = request;
    this.path = request.pathname.slice(restPrefix.length);
    this.query = new URLSearchParams(request.query);
    this.headers = { ...baseHeaders, ...exposedHeaders(request) };
  }

  /** For the security log. */
  get subject(): string {
    return `${this.request.method} ${this.path}`;
  }

  authenticate(): Promise<ApiKeyActor> {
    const { headers, clientAddress: address, ids } = this.request;
    return authenticateApiKey(headers.get('authorization'), { address, requestId: ids.requestId });
  }

  /** Applies the limits of a key; the response has their headers. */
  async count(actor: ApiKeyActor): Promise<void> {
    this.#counted = { actor, count: null };
    const count = await countRequest(actor);
    this.#counted.count = count;
    Object.assign(this.headers, count?.headers);
    await countBurst(actor);
  }

  /** Counts a request for an unknown path or method, if it has a key. */
  async countIfKeyed(): Promise<void> {
    if (this.request.headers.has('authorization')) await this.count(await this.authenticate());
  }

  /** @returns the headers of the limit without this request; undefined if it was not counted */
  async uncount(): Promise<DailyCount['headers'] | undefined> {
    const { actor, count } = this.#counted ?? {};
    if (!actor || !count) return undefined;
    return uncountRequest(actor, count).catch((error: unknown) => {
      logFailure(error, {}, 'a request that should not count stays counted');
      return undefined;
    });
  }

  /** The response to a request that matched no operation. */
  async refuse(thrown: unknown, form: ErrorForm): Promise<HttpAnswer> {
    noteRefusal(toAppError(thrown), this.#counted?.actor ?? null, this.subject, this.request);
    return this.error(errorAnswer(thrown, this.request.requestId, form));
  }

  /** Adds the collected headers. Server errors and throttled requests do not count. */
  async error({ headers, ...answer }: HttpAnswer): Promise<HttpAnswer> {
    if (answer.status >= 500 || answer.status === 429) await this.uncount();
    return { ...answer, headers: { ...this.headers, ...headers } };
  }
}

/** Only the client itself may keep what it reads, and has to ask whether it is still the same. */
const unsharedReads = { 'Cache-Control': 'private, no-cache' };

/** A request for an operation. */
class RestCall implements Call<HttpAnswer> {
  readonly request: HttpRequest;
  readonly response = new RestAnswerParts();
  readonly cookies = null;
  readonly #exchange: Exchange;
  readonly #route: RestRoute;
  readonly #parameters: string[];
  #actor: ApiKeyActor | null = null;
  file: ReceivedFile | undefined;

  constructor(exchange: Exchange, route: RestRoute, parameters: string[]) {
    this.#exchange = exchange;
    this.#route = route;
    this.#parameters = parameters;
    this.request = exchange.request;
  }

  get subject(): string {
    return this.#exchange.subject;
  }

  get patchSemantics(): 'merge' | 'replace' {
    return this.request.headers.get('content-type')?.toLowerCase().startsWith(mergePatchType) ? 'merge' : 'replace';
  }

  get ifMatch(): string | null {
    return this.request.headers.get('if-match');
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get('if-none-match');
  }

  get once(): CallOnce<HttpAnswer> | undefined {
    const key = this.request.headers.get('idempotency-key');
    return key === null ? undefined : onceOf(this.#exchange, this.file, key);
  }

  identify(): Promise<ApiKeyActor> {
    return this.#exchange.authenticate();
  }

  identifyAgain(): Promise<ApiKeyActor> {
    return this.#exchange.authenticate();
  }

  admit(actor: ApiKeyActor): Promise<void> {
    this.#actor = actor;
    return this.#exchange.count(actor);
  }

  read(actor: ApiKeyActor, goOn: (sent: unknown) => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const { ownerUserId: account, identityId } = actor;
    const { query } = this.#exchange;
    const { headers, clientAddress: address, body } = this.request;
    const input = () => readInput({ request: this.request, query, identityId }, this.#route, this.#parameters);
    const { upload } = this.#route.rest;
    // A file takes no memory, so it needs no place.
    if (!upload) return withBodyPlace(headers, { account, address, body }, async () => goOn(await input()));
    const readFile = async () => {
      const sent = await input();
      this.file = await receiveFile(this.request, upload, actor);
      return goOn(sent);
    };
    return readFile();
  }

  answer(output: unknown): HttpAnswer | Promise<HttpAnswer> {
    const { headers, query } = this.#exchange;
    const { operation, rest, method } = this.#route;
    this.response.addTo(headers);
    if (rest.download) return this.#answerDownload(output as DownloadedFile);
    const status = this.response.status ?? rest.status ?? 200;
    const body = JSON.stringify(output);
    if (method !== 'GET') {
      if (answersTarget(operation)) headers.ETag = versionTag(versionIn(output, operation.answers?.version));
      return { status, headers, body };
    }
    const next = nextPageLink(this.#route, this.request.pathname, query, output);
    if (next) headers.Link = next;
    Object.assign(headers, unsharedReads);
    const { answers } = operation;
    const tag = answers ? versionTag(versionIn(output, answers.version)) : bodyTag(body);
    return this.#hasTag(tag) ? this.#notModified() : { status, headers, body };
  }

  /** A file's tag is of what describes it, so that an unchanged file is not even opened. */
  async #answerDownload(file: DownloadedFile): Promise<HttpAnswer> {
    return this.#hasTag(bodyTag(descriptionOf(file))) ? this.#notModified() : downloadAnswer(file, this.#exchange.headers);
  }

  /** Adds the tag of this answer. True if the client has the answer already. */
  #hasTag(tag: string): boolean {
    this.#exchange.headers.ETag = tag;
    return isUnchanged(this.ifNoneMatch, tag);
  }

  async notModified(tag: string): Promise<HttpAnswer> {
    const { headers } = this.#exchange;
    this.response.addTo(headers);
    Object.assign(headers, { ...unsharedReads, ETag: tag });
    return this.#notModified();
  }

  /** An unchanged answer does not count against the daily limit. */
  async #notModified(): Promise<HttpAnswer> {
    const uncounted = await this.#exchange.uncount();
    const { 'Content-Type': _type, ...headers } = { ...this.#exchange.headers, ...uncounted };
    return { status: 304, headers, body: null };
  }

  async fail(failure: AppError): Promise<HttpAnswer> {
    // The identity was just deleted while its key was still cached.
    const gone = failure.status === 500 && this.#actor ? await deletedKeyError(this.#actor).catch(() => null) : null;
    return this.#exchange.error(errorOutput(gone ?? failure, this.request.requestId, jsonErrors(this.#route.area)));
  }
}

function onceOf(
  { request: { method, headers }, path, headers: collected }: Exchange,
  file: ReceivedFile | undefined,
  key: string,
): CallOnce<HttpAnswer> {
  // The type of a form differs with each request.
  const content = file ?? headers.get('content-type');
  return {
    key,
    content: (sent) => JSON.stringify([method, path, content, headers.get('if-match'), sent]),
    keep: (answer) => answer,
    replay: ({ status, headers: kept, body }) => ({ status, headers: { ...collected, ...kept }, body: String(body) }),
  };
}

/** Handles an unknown path or method. Works without a key; with one, the request counts like any other. */
async function refuseUnknown(exchange: Exchange, match: RouteMatch | null): Promise<HttpAnswer> {
  const allow = match && allowedMethods(match);
  const options = { ...apiSecurityHeaders(), ...openToAll };
  // A preflight has no key. For an unknown path, let the actual request report the error.
  if (isPreflight(exchange.request)) {
    const headers = { ...options, ...preflightHeaders(allow ?? everyMethod, requestHeaders) };
    return { status: 204, headers: allow ? { ...headers, Allow: allow } : headers, body: null };
  }
  if (allow && exchange.request.method === 'OPTIONS') return { status: 204, headers: { ...options, Allow: allow }, body: null };
  await exchange.countIfKeyed();
  if (!allow) throw new AppError('not_found', `There is nothing at ${exchange.request.pathname}.`);
  throw new AppError('method_not_allowed', `This path has: ${allow}.`, { headers: { Allow: allow } });
}

const everyMethod = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';

function allowedMethods({ routes }: RouteMatch): string {
  const methods: string[] = [...routes.keys()];
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}

function openApiDocument({ headers }: Exchange, body: string): HttpAnswer {
  return { status: 200, headers: { ...headers, 'Cache-Control': 'public, max-age=60' }, body };
}
