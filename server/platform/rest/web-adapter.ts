import { Readable } from 'node:stream';
import { answerRest } from './dispatcher';
import type { RestAnswer, RestRequest } from './http-message';

/** An answering function over our own request type, for servers that speak Request and Response (Next.js route handlers). */
export function overWeb(answer: (request: RestRequest) => Promise<RestAnswer>): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const { status, headers, cookies, body } = await answer({
      method: request.method,
      pathname: url.pathname,
      query: url.search.slice(1),
      headers: request.headers,
      body: request.body as unknown as AsyncIterable<Uint8Array> | null,
    });
    const content = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : (body as BodyInit | null);
    const all = new Headers(headers);
    for (const cookie of cookies ?? []) all.append('Set-Cookie', cookie);
    return new Response(content, { status, headers: all });
  };
}

/** The REST API as a web-standard function. */
export const handleRest = overWeb(answerRest);
