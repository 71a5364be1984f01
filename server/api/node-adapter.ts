import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { RestAnswer, RestRequest } from './rest/http-message';

/** Node's HTTP messages as what our transports take and give. */

/** A view of the message; nothing is copied, since building a web Request costs more than most calls do. */
export function toRestRequest(incoming: IncomingMessage): RestRequest {
  const target = incoming.url ?? '/';
  const question = target.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    pathname: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    headers: {
      get: (name) => headerText(incoming, name),
      has: (name) => incoming.headers[name] !== undefined,
    },
    // Left unfinished (a body too large), it must not take the connection along: the answer still has to go out.
    body: { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) },
  };
}

function headerText(incoming: IncomingMessage, name: string): string | null {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

export function sendAnswer(response: ServerResponse, answer: RestAnswer): void {
  const { body } = answer;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (isWhole) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(answer.status, answer.headers);
  if (body === null || isWhole) response.end(body);
  else sendStream(response, body);
}

function sendStream(response: ServerResponse, body: Readable): void {
  if (response.req.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  // A reader who leaves ends the stream; one that fails half-way can only be told by ending the connection, which pipeline does.
  pipeline(body, response).catch(() => undefined);
}

/** @throws TypeError for a request target or header that no URL or Request can hold */
export function toWebRequest(incoming: IncomingMessage): Request {
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? 'localhost'}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item);
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  const body = Readable.toWeb(incoming) as unknown as BodyInit;
  return new Request(url, { method, headers, body, duplex: 'half' } as RequestInit);
}

export async function sendWebResponse(response: ServerResponse, answer: Response): Promise<void> {
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  response.writeHead(answer.status);
  if (!answer.body) response.end();
  else {
    await pipeline(Readable.fromWeb(answer.body as unknown as ReadableStream), response).catch((error: NodeJS.ErrnoException) => {
      // The reader has left, which is no fault of anybody's.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
}
