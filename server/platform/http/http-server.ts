import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isMigrated } from '@/server/platform/db/migrate';
import { pool } from '@/server/platform/db/pool';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { requestLog } from '@/server/platform/log';
import { restPrefix } from '../rest/dispatcher';
import { errorAreaOf } from '../rest/error-body';
import { clientAddressHeader, clientAddressOf } from './client-address';
import { commonHeaders } from './common-headers';
import { type ClosingTimes, trackConnections } from './connections';
import { errorAnswer, jsonErrors } from './error-answer';
import { answerRoute, type HttpRoute } from './http-route';
import { announcesBody, continueWhenRead, defaultPace, type Pace } from './incoming-body';
import { loggedPath } from './logged-path';
import { sendAnswer, toHttpRequest } from './node-adapter';
import { answerPage } from './page-request';
import { ownRequestIdHeader, requestIdOf } from './request-id';
import { acceptTarget, everyMethod } from './request-target';
import { apiSecurityHeaders, fallbackSecurityHeaders } from './security-headers';
import { refuseConnect, refuseUnreadable } from './unreadable-request';

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
  sendAnswer(response, answer, headersFor(response.req));
}

function isBelow(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '' || next === '/' || next === '?';
}

/** How long others may take, in milliseconds, and how slow they may be; tests have less patience. */
export interface Patience {
  /** For all headers of a request. */
  headers: number;
  /** For a whole request with its body. */
  request: number;
  /** For a reader of an answer to take the next part of it. */
  reader: number;
  body: Pace;
  /** For those who are still connected when the server stops. */
  closing: Partial<ClosingTimes>;
}

const defaultPatience: Patience = { headers: 20_000, request: 300_000, reader: 60_000, body: defaultPace, closing: {} };

function serving(route: HttpRoute, pace: Pace): NodeHandler {
  return async (request, response) =>
    sendAnswer(response, await answerRoute(route, toHttpRequest(request, pace)), headersFor(request));
}

const readMethods = 'GET, HEAD, OPTIONS';

function sendAllowed(response: ServerResponse, allow: string): void {
  const headers = { ...apiSecurityHeaders(), Allow: allow };
  sendAnswer(response, { status: 204, headers, body: null }, headersFor(response.req));
}

function sendError(response: ServerResponse, thrown: unknown): void {
  const { url = '/', headers } = response.req;
  const [path = ''] = url.split('?', 1);
  const area = isBelow(path, restPrefix) ? errorAreaOf(path.slice(restPrefix.length)) : 'general';
  const answer = errorAnswer(thrown, headers['x-request-id'] as string, jsonErrors(area));
  sendAnswer(response, answer, { ...apiSecurityHeaders(), ...headersFor(response.req) });
}

/** Lets through what only reads: pages and the state of the server take nothing that is sent to them. */
function onlyRead(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    const { method = '' } = request;
    if (method === 'GET' || method === 'HEAD') {
      // The body is not read, so nothing may follow it on this connection.
      if (announcesBody(request)) response.setHeader('Connection', 'close');
      return handler(request, response);
    }
    if (method === 'OPTIONS') return sendAllowed(response, readMethods);
    const headers = { Allow: readMethods };
    sendError(response, new AppError('method_not_allowed', `This address has: ${readMethods}.`, { headers }));
  };
}

/** 200 only while the database answers and has every migration of this version, and the server is not about to stop. */
async function serveReadiness(response: ServerResponse, isDraining: () => boolean): Promise<void> {
  const ready = !isDraining() && (await isMigrated(pool()).catch(() => false));
  // It may have begun to stop in the meantime.
  if (ready && !isDraining()) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable' }, { 'Retry-After': '5' });
}

const serveHealth = onlyRead((_request, response) => sendJson(response, 200, { status: 'ok' }));

function serveStarting(_request: IncomingMessage, response: ServerResponse): void {
  const body = { error: 'Service unavailable', message: 'Frontdesk is starting.', code: 'unavailable' };
  sendJson(response, 503, body, { 'Retry-After': '1' });
}

function logWhenDone(request: IncomingMessage, response: ServerResponse, requestId: string, secrets: readonly string[]): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const path = loggedPath(request.url ?? '', secrets);
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

/** What every answer to this request has. */
function headersFor(request: IncomingMessage): Record<string, string> {
  return commonHeaders(request.headers['x-request-id'] as string);
}

/** For Next.js: some of its answers have no headers but these (redirects, unknown addresses, its own errors). */
function servingPages(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    const headers = { ...fallbackSecurityHeaders(), ...headersFor(request) };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return answerPage(request, response, handler);
  };
}

/** The process' HTTP server: what is below a route's prefix goes to that route, everything else to Next.js (docs/adr/0001). */
export function createHttpServer(routes: readonly HttpRoute[], changes: Partial<Patience> = {}): HttpServer {
  const patience = { ...defaultPatience, ...changes };
  const served = routes.map((route) => ({ prefix: route.prefix, handler: serving(route, patience.body) }));
  const secrets = routes.filter(({ isSecret }) => isSecret).map(({ prefix }) => `${prefix}/`);
  const readiness = onlyRead((_request, response) => serveReadiness(response, () => connections.isDraining));
  let pages: NodeHandler | null = null;

  function handlerFor(url: string): NodeHandler {
    if (isBelow(url, '/healthz')) return serveHealth;
    if (!pages) return serveStarting;
    if (isBelow(url, '/readyz')) return readiness;
    return served.find(({ prefix }) => isBelow(url, prefix))?.handler ?? pages;
  }

  /** What each connection was last asked. */
  const current = new WeakMap<Duplex, ServerResponse>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    current.set(request.socket, response);
    const requestId = identify(request);
    logWhenDone(request, response, requestId, secrets);
    // No one reads what is ready to be sent: a file would stay open, an answer in memory. While we are at work, nothing is ready.
    response.on('timeout', () => {
      if (request.socket.writableLength > 0) request.socket.destroy();
    });
    try {
      acceptTarget(request);
      if (request.url === '*') sendAllowed(response, everyMethod);
      else await handlerFor(request.url ?? '/')(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendError(response, error);
    }
  }

  const server = createServer({
    keepAliveTimeout: 65_000,
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    connectionsCheckingInterval: Math.min(5_000, patience.headers),
    // Said in our own words.
    requireHostHeader: false,
  });
  server.timeout = patience.reader;
  const connections = trackConnections(server, patience.closing);
  const handle: NodeHandler = (request, response) => connections.handle(request, response, () => serve(request, response));
  server.on('request', handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    return handle(request, response);
  });
  // Node would answer 417 in its own way; no one has to know every expectation (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseConnect(socket, current.get(socket)));
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, current.get(socket)));
  return {
    server,
    open: (handler) => {
      // The development server of Next.js has posts of its own.
      pages = servingPages(env().NODE_ENV === 'development' ? handler : onlyRead(handler));
    },
    drain: connections.drain,
    close: () => connections.close(env().SHUTDOWN_DRAIN_SECONDS * 1000),
  };
}
