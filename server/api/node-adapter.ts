import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
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
    headers: new IncomingHeaders(incoming.headers),
    body: new IncomingBody(incoming),
  };
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

class IncomingBody {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Left unfinished (a body too large), it must not take the connection along: the answer still has to go out. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#incoming.iterator({ destroyOnReturn: false });
  }
}

/**
 * Sends an answer, its headers all at once: Node takes a slow way where some were set before.
 *
 * @param common headers of every answer; its own go before these
 */
export function sendAnswer(response: ServerResponse, answer: RestAnswer, common: Record<string, string>): void {
  const { body, headers } = answer;
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, headers[name] as string);
  for (const name of Object.keys(common)) if (!Object.hasOwn(headers, name)) list.push(name, common[name] as string);
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (isWhole) list.push('Content-Length', String(Buffer.byteLength(body)));
  response.writeHead(answer.status, list);
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
