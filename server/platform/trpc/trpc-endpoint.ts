import type { AnyTRPCRouter } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { SessionActor } from '@/server/platform/actor';
import type { RequestOrigin } from '@/server/platform/auth/api-key';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { identityHeaderName, readSession } from '@/server/platform/auth/session';
import { AppError } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '../http/http-message';
import type { HttpRoute } from '../http/http-route';
import { withBodyPlace } from '../http/large-bodies';
import { receiveFile, type Upload } from '../http/received-file';
import { anonymousBodyBytes, readBytes, refuseEncoded, refuseTooManyValues } from '../http/request-body';
import { crossOriginProblem } from '../http/same-origin';
import { apiSecurityHeaders } from '../http/security-headers';
import { countCalls } from '../http/session-limit';
import type { Operations } from '../operations/operation';
import { contextFor, type TrpcCaller } from './trpc';

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
  const own = api.operations.get(name)?.meta.rest?.maximumBodyBytes;
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
  readonly operations: Operations;

  constructor(router: AnyTRPCRouter, operations: Operations) {
    this.router = router;
    this.operations = operations;
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const names = procedureNames(request);
    refuseInvalid(request, names);
    const actor = await sessionOf(request);
    if (actor) await countCalls(actor, names.length, originOf(request));
    const call: Call = { api: this, request, names, actor };
    if (!isBodyWanted(call)) return run(call, null);
    return uploadOf(call) ? run(call, queryAsJson(request)) : await answerWithBody(call);
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
    const operation = api.operations.get(name);
    return operation?.type === 'mutation' && (actor !== null || operation.access === 'public');
  });
}

/** What the called operation says of the file that is the body; undefined for other operations, and for a batch. */
function uploadOf({ api, names: [name = '', ...others] }: Call): Upload | undefined {
  return others.length === 0 ? api.operations.get(name)?.meta.rest?.upload : undefined;
}

/** The input of an operation whose body is a file. */
function queryAsJson({ query }: HttpRequest): Uint8Array {
  return Buffer.from(JSON.stringify(Object.fromEntries(new URLSearchParams(query))));
}

function answerWithBody(call: Call): Promise<HttpAnswer> {
  const { request, actor } = call;
  refuseEncoded(request);
  const answer = async (maximum: number) => {
    const bytes = await readBytes(request, maximum);
    refuseTooManyValues(bytes);
    return run(call, bytes);
  };
  if (!actor) return answer(anonymousBodyBytes);
  const { headers, clientAddress: address, body } = request;
  return withBodyPlace(headers, { account: actor.userId, address, body }, () => answer(bodyLimitOf(call)));
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
  if (uploadOf(call)) headers.set('content-type', 'application/json');
  const answer = await fetchRequestHandler({
    endpoint: trpcPrefix,
    req: new Request(`http://localhost${pathname}${query === '' ? '' : `?${query}`}`, {
      method,
      headers,
      body: body as BodyInit | null,
    }),
    router: api.router,
    createContext: async ({ resHeaders }) => contextFor(api.operations, callerOf(call, body, resHeaders)),
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

/** Who calls, and how. Conditions are for a single call, not for a batch. */
function callerOf(call: Call, body: Uint8Array | null, headers: Headers): TrpcCaller {
  const { request, names, actor } = call;
  const upload = uploadOf(call);
  const isSingle = names.length === 1 && body !== null;
  const ifMatch = isSingle ? request.headers.get('if-match') : null;
  const key = isSingle ? request.headers.get('idempotency-key') : null;
  const content = (file: unknown) =>
    JSON.stringify([names, actor?.identityId, ifMatch, Buffer.from(body ?? []).toString(), file]);
  return {
    ...{ request, ifMatch, response: { headers }, cookies: request.headers.get('cookie') },
    once: key === null ? undefined : { key, content },
    // Read, and counted, before the body was.
    identify: async () => actor,
    identifyAgain: () => sessionOf(request),
    receive: upload && ((caller) => receiveFile(request, upload, caller)),
  };
}
