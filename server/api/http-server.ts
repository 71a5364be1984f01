import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isMigrated } from '@/server/db/migrate';
import { pool } from '@/server/db/pool';
import { env, isReachedByHttps } from '@/server/env';
import { log, requestLog } from '@/server/log';
import { answerAnswerPage, answerPagePrefix } from './answer-page';
import { answerCalendarFeed, calendarFeedPrefix } from './calendar-feed';
import { clientAddressHeader, clientAddressOf } from './client-address';
import { type ClosingTimes, trackConnections } from './connections';
import { answerInboundEmail, inboundEmailPath } from './inbound-email';
import { loggedPath } from './logged-path';
import { answerMailFiles, mailFilesPrefix } from './mail-files';
import { sendAnswer, sendWebResponse, toRestRequest, toWebRequest } from './node-adapter';
import { answerPublicBlog, blogPrefix } from './public-blog/public-blog';
import { ownRequestIdHeader, requestIdOf } from './request-id';
import { answerRest, restPrefix } from './rest/dispatcher';
import type { RestAnswer, RestRequest } from './rest/http-message';
import { apiSecurityHeaders, strictTransport } from './security-headers';
import { handleTrpc, trpcPrefix } from './trpc-endpoint';

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpServer {
  server: Server;
  /** From now on pages are answered by `pages`; before, everything but `/healthz` is told to come back in a moment. */
  open(pages: NodeHandler): void;
  /** From now on it is not ready (`/readyz`), and each answer ends its connection; requests are still answered. */
  drain(): void;
  /**
   * Drains for SHUTDOWN_DRAIN_SECONDS, stops accepting, lets requests at work finish (for ten seconds at most), and ends what is left of
   * connections. Resolves once no handler is at work.
   */
  close(): Promise<void>;
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const answer = {
    status,
    headers: {
      ...apiSecurityHeaders(),
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(body),
  };
  sendAnswer(response, answer, commonHeaders(response.req));
}

function isBelow(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '' || next === '/' || next === '?';
}

/** Serves what is answered over our own request type. */
function serving(answer: (request: RestRequest) => Promise<RestAnswer>): NodeHandler {
  return async (request: IncomingMessage, response: ServerResponse) => {
    sendAnswer(response, await answer(toRestRequest(request)), commonHeaders(request));
    // What was not read of a body (one too large) would keep the connection's next request from being read.
    if (!request.complete) request.resume();
  };
}

const serveRest = serving(answerRest);
const serveMailFiles = serving(answerMailFiles);
const serveInboundEmail = serving(answerInboundEmail);
const servePublicBlog = serving(answerPublicBlog);
const serveAnswerPage = serving(answerAnswerPage);
const serveCalendarFeed = serving(answerCalendarFeed);

async function serveTrpc(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let webRequest: Request;
  try {
    webRequest = toWebRequest(request);
  } catch {
    return sendJson(response, 400, {
      error: 'Invalid request',
      message: 'The request could not be read.',
      code: 'invalid_request',
    });
  }
  await sendWebResponse(response, await handleTrpc(webRequest));
}

/** 200 only while the database answers and has every migration of this version, and the server is not about to stop. */
async function serveReadiness(response: ServerResponse, isDraining: () => boolean): Promise<void> {
  const ready = !isDraining() && (await isMigrated(pool()).catch(() => false));
  // It may have begun to stop meanwhile.
  if (ready && !isDraining()) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable' }, { 'Retry-After': '5' });
}

function serveHealth(_request: IncomingMessage, response: ServerResponse): void {
  sendJson(response, 200, { status: 'ok' });
}

function serveStarting(_request: IncomingMessage, response: ServerResponse): void {
  const body = { error: 'Service unavailable', message: 'Frontdesk is starting.', code: 'unavailable' };
  sendJson(response, 503, body, { 'Retry-After': '1' });
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const path = loggedPath(request.url ?? '');
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const ownRequestId = request.headers[ownRequestIdHeader];
    const ids = ownRequestId === requestId ? { requestId } : { requestId, ownRequestId };
    requestLog().info({ ...ids, method: request.method, path, status: response.statusCode, ms }, 'request');
  });
}

/** Gives every request its ids and caller's address, in the headers that transports and pages read them from. */
function identify(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'] as string | undefined;
  const requestId = requestIdOf(sent);
  request.headers['x-request-id'] = requestId;
  request.headers[ownRequestIdHeader] = requestId === sent ? randomUUID() : requestId;
  request.headers[clientAddressHeader] = clientAddressOf(request);
  return requestId;
}

/** What every answer has, whoever gives it. */
function commonHeaders(request: IncomingMessage): Record<string, string> {
  const id = { 'X-Request-Id': request.headers['x-request-id'] as string };
  return isReachedByHttps() ? { ...strictTransport, ...id } : id;
}

/** For what writes its answers itself. */
function withCommonHeaders(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    for (const [name, value] of Object.entries(commonHeaders(request))) response.setHeader(name, value);
    return handler(request, response);
  };
}

/** Answers what is not HTTP at all, or has headers without end; Node itself would answer without a body. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const requestId = requestIdOf(null);
  const body = JSON.stringify({
    error: 'Invalid request',
    message: 'The request could not be read.',
    code: 'invalid_request',
    requestId,
  });
  const headers = {
    ...apiSecurityHeaders(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/** The process' HTTP server: REST and tRPC straight to their functions, everything else to Next.js (docs/adr/0001). */
export function createHttpServer(closingTimes: Partial<ClosingTimes> = {}): HttpServer {
  const trpc = withCommonHeaders(serveTrpc);
  let pages: NodeHandler | null = null;

  function handlerFor(url: string): NodeHandler {
    if (isBelow(url, '/healthz')) return serveHealth;
    if (!pages) return serveStarting;
    if (isBelow(url, '/readyz')) return (_request, response) => serveReadiness(response, () => connections.isDraining);
    if (isBelow(url, restPrefix)) return serveRest;
    if (isBelow(url, trpcPrefix)) return trpc;
    if (isBelow(url, mailFilesPrefix)) return serveMailFiles;
    if (isBelow(url, inboundEmailPath)) return serveInboundEmail;
    if (isBelow(url, blogPrefix)) return servePublicBlog;
    if (isBelow(url, answerPagePrefix)) return serveAnswerPage;
    if (isBelow(url, calendarFeedPrefix)) return serveCalendarFeed;
    return pages;
  }

  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 120_000 }, (request, response) => {
    void connections.handle(request, response, () => serve(request, response));
  });
  const connections = trackConnections(server, closingTimes);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = identify(request);
    logWhenDone(request, response, requestId);
    try {
      await handlerFor(request.url ?? '/')(request, response);
    } catch (error) {
      log().error({ err: error, requestId }, 'request failed outside of its handler');
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 500, {
          error: 'Internal server error',
          message: 'Something went wrong on our side.',
          code: 'internal_error',
          requestId,
        });
    }
  }

  server.on('clientError', refuseUnreadable);
  return {
    server,
    open: (handler) => {
      pages = withCommonHeaders(handler);
    },
    drain: connections.drain,
    close: () => connections.close(env().SHUTDOWN_DRAIN_SECONDS * 1000),
  };
}
