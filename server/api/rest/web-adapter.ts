import { answerRest } from './dispatcher';

/** The REST API as a web-standard function, for servers that speak Request and Response (Next.js route handlers). */
export async function handleRest(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const answer = await answerRest({
    method: request.method,
    pathname: url.pathname,
    query: url.search.slice(1),
    headers: request.headers,
    body: request.body as unknown as AsyncIterable<Uint8Array> | null,
  });
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
