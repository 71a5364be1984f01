import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clientAddressHeader } from './client-address';
import type { HttpAnswer, HttpRequest } from './http-message';
import { announcesBody, awaitsContinue, drainBody, endsConnection, IncomingBody, type Pace } from './incoming-body';
import { requestIdOf, requestIdsOf } from './request-id';

/** Converts Node's HTTP messages to the requests and responses of routes. */

/** A view without copying: building a web Request costs more than most calls. */
export function toHttpRequest(incoming: IncomingMessage, pace: Pace): HttpRequest {
  const target = incoming.url ?? '/';
  const question = target.indexOf('?');
  const headers = new IncomingHeaders(incoming.headers);
  return {
    method: incoming.method ?? 'GET',
    pathname: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    headers,
    requestId: requestIdOf(headers.get('x-request-id')),
    ids: requestIdsOf(headers),
    clientAddress: headers.get(clientAddressHeader) ?? 'unknown',
    body: new IncomingBody(incoming, pace),
    get gone() {
      return goneSignalOf(incoming.socket);
    },
  };
}

/** One signal for all requests of a connection. */
const goneSignals = new WeakMap<Socket, AbortSignal>();

function goneSignalOf(socket: Socket): AbortSignal {
  const known = goneSignals.get(socket);
  if (known) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  goneSignals.set(socket, controller.signal);
  return controller.signal;
}

class IncomingHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  has(name: string): boolean {
    return this.#headers[name] !== undefined;
  }
}

/**
 * Sends a response with all headers in one call: Node is slower if some were set before.
 * @param common headers of every response; the response's own override them
 */
export function sendAnswer(response: ServerResponse, answer: HttpAnswer, common: Record<string, string>): void {
  const { body, headers, cookies = [] } = answer;
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, headers[name] as string);
  for (const name of Object.keys(common)) if (!Object.hasOwn(headers, name)) list.push(name, common[name] as string);
  for (const cookie of cookies) list.push('Set-Cookie', cookie);
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (isWhole) list.push('Content-Length', String(Buffer.byteLength(body)));
  const isUnread = !response.req.complete && announcesBody(response.req);
  const isOver = Object.hasOwn(headers, 'Connection') || awaitsContinue(response.req);
  if (isUnread && !Object.hasOwn(headers, 'Connection') && endsConnection(response.req)) list.push('Connection', 'close');
  response.writeHead(answer.status, list);
  if (body !== null && !isWhole) sendStream(response, body);
  else if (isUnread && !isOver) void sendBeforeEnd(response, body);
  else response.end(body);
}

/**
 * Sends the whole response while the request body is still arriving, and ends it afterwards; ended earlier, the client might
 * lose it.
 */
async function sendBeforeEnd(response: ServerResponse, body: string | Buffer | null): Promise<void> {
  const { req: request } = response;
  if (body === null || body.length === 0 || request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  const isComplete = await drainBody(request);
  response.end();
  if (!isComplete) request.socket.destroySoon();
}

function sendStream(response: ServerResponse, body: Readable): void {
  if (response.req.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  // A client that disconnects ends the stream. If the stream fails midway, pipeline ends the connection, the only way to report
  // it.
  pipeline(body, response).catch(() => undefined);
}
