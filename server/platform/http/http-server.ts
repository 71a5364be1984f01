import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isMigrated } from '@/server/platform/db/migrate';
import { pool } from '@/server/platform/db/pool';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { logRequest } from '@/server/platform/log';
import { clientAddressHeader, clientAddressOf } from './client-address';
import { commonHeaders } from './common-headers';
import { type ClosingTimes, trackConnections } from './connections';
import { type ErrorForm, errorAnswer } from './error-answer';
import { answerRoute, type HttpRoute } from './http-route';
import { announcesBody, continueWhenRead, defaultPace, type Pace } from './incoming-body';
import { loggedPath } from './logged-path';
import { sendAnswer, toHttpRequest } from './node-adapter';
import { handlePage } from './page-request';
import { ownRequestIdHeader, requestIdOf } from './request-id';
import { acceptTarget, everyMethod } from './request-target';
import { apiSecurityHeaders, fallbackSecurityHeaders } from './security-headers';
import { refuseConnect, refuseUnreadable } from './unreadable-request';

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpServer {
  server: Server;
  /** From now on, `pages` answers page requests. Before that, everything except `/healthz` gets a 503. */
  open(pages: NodeHandler): void;
  /** From now on `/readyz` fails and each response ends its connection; requests are still answered. */
  drain(): void;
  /**
   * Drains for SHUTDOWN_DRAIN_SECONDS, stops accepting, lets running requests finish (ten seconds at most), and closes the
   * remaining connections. Resolves when no handler is running.
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

/** Timeouts in milliseconds, and the minimum pace of senders; tests use shorter ones. */
export interface Timeouts {
  /** To receive all headers of a request. */
  headers: number;
  /** To receive a whole request with its body. */
  request: number;
  /** For a client to receive the next part of a response. */
  reader: number;
  body: Pace;
  /** For remaining connections when the server stops. */
  closing: Partial<ClosingTimes>;
}

const defaultTimeouts: Timeouts = { headers: 20_000, request: 300_000, reader: 60_000, body: defaultPace, closing: {} };

function serving(route: HttpRoute, pace: Pace): NodeHandler {
  return async (request, response) =>
    sendAnswer(response, await answerRoute(route, toHttpRequest(request, pace)), headersFor(request));
}

const readMethods = 'GET, HEAD, OPTIONS';

function sendAllowed(response: ServerResponse, allow: string): void {
  const headers = { ...apiSecurityHeaders(), Allow: allow };
  sendAnswer(response, { status: 204, headers, body: null }, headersFor(response.req));
}

function sendError(response: ServerResponse, thrown: unknown, form?: ErrorForm): void {
  const answer = errorAnswer(thrown, response.req.headers['x-request-id'] as string, form);
  sendAnswer(response, answer, { ...apiSecurityHeaders(), ...headersFor(response.req) });
}

/** Accepts only GET and HEAD: pages and health checks take no input. */
function readOnly(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    const { method = '' } = request;
    if (method === 'GET' || method === 'HEAD') {
      // The body is not read, so the connection can't be reused.
      if (announcesBody(request)) response.setHeader('Connection', 'close');
      return handler(request, response);
    }
    if (method === 'OPTIONS') return sendAllowed(response, readMethods);
    const headers = { Allow: readMethods };
    sendError(response, new AppError('method_not_allowed', `This address has: ${readMethods}.`, { headers }));
  };
}

/** 200 only if the database answers, all migrations of this version are applied, and the server is not draining. */
async function serveReadiness(response: ServerResponse, isDraining: () => boolean): Promise<void> {
  const ready = !isDraining() && (await isMigrated(pool()).catch(() => false));
  // Draining may have begun in the meantime.
  if (ready && !isDraining()) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable' }, { 'Retry-After': '5' });
}

const serveHealth = readOnly((_request, response) => sendJson(response, 200, { status: 'ok' }));

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
    logRequest({ ...ids, method: request.method, path, status: response.statusCode, ms });
  });
}

/** Sets a request's ids and client address as headers, which transports and pages read. */
function identify(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'] as string | undefined;
  const requestId = requestIdOf(sent);
  request.headers['x-request-id'] = requestId;
  request.headers[ownRequestIdHeader] = requestId === sent ? randomUUID() : requestId;
  request.headers[clientAddressHeader] = clientAddressOf(request);
  return requestId;
}

/** The headers of every response to this request. */
function headersFor(request: IncomingMessage): Record<string, string> {
  return commonHeaders(request.headers['x-request-id'] as string);
}

/** Sets headers for Next.js, some of whose responses have no others (redirects, unknown addresses, its own errors). */
function servingPages(handler: NodeHandler): NodeHandler {
  return (request, response) => {
    const headers = { ...fallbackSecurityHeaders(), ...headersFor(request) };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return handlePage(request, response, handler);
  };
}

/** The process-wide HTTP server: requests below a route's prefix go to that route, all others to Next.js (docs/adr/0001). */
export function createHttpServer(routes: readonly HttpRoute[], changes: Partial<Timeouts> = {}): HttpServer {
  const patience = { ...defaultTimeouts, ...changes };
  const served = routes.map((route) => ({ route, handler: serving(route, patience.body) }));
  const secrets = routes.filter(({ isSecret }) => isSecret).map(({ prefix }) => `${prefix}/`);
  const readiness = readOnly((_request, response) => serveReadiness(response, () => connections.isDraining));
  let pages: NodeHandler | null = null;

  function handlerFor(url: string): NodeHandler {
    if (isBelow(url, '/healthz')) return serveHealth;
    if (!pages) return serveStarting;
    if (isBelow(url, '/readyz')) return readiness;
    return servedAt(url)?.handler ?? pages;
  }

  function servedAt(url: string) {
    return served.find(({ route }) => isBelow(url, route.prefix));
  }

  function errorFormOf(url: string): ErrorForm | undefined {
    const [path = ''] = url.split('?', 1);
    return servedAt(url)?.route.errorsAt?.(path);
  }

  /** The latest response of each connection. */
  const current = new WeakMap<Duplex, ServerResponse>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    current.set(request.socket, response);
    const requestId = identify(request);
    logWhenDone(request, response, requestId, secrets);
    // The client does not read the response, which would hold a file or memory. The timeout does not fire while a handler is
    // still working.
    response.on('timeout', () => {
      if (request.socket.writableLength > 0) request.socket.destroy();
    });
    try {
      acceptTarget(request);
      if (request.url === '*') sendAllowed(response, everyMethod);
      else await handlerFor(request.url ?? '/')(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendError(response, error, errorFormOf(request.url ?? '/'));
    }
  }

  const server = createServer({
    keepAliveTimeout: 65_000,
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    connectionsCheckingInterval: Math.min(5_000, patience.headers),
    // A missing Host header is refused with our own message.
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
  // Node would send its own 417; a server may ignore unknown expectations (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseConnect(socket, current.get(socket)));
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, current.get(socket)));
  return {
    server,
    open: (handler) => {
      // The development server of Next.js uses POST requests itself.
      pages = servingPages(env().NODE_ENV === 'development' ? handler : readOnly(handler));
    },
    drain: connections.drain,
    close: () => connections.close(env().SHUTDOWN_DRAIN_SECONDS * 1000),
  };
}
