import { FrontdeskError } from './errors.js';
import type { Answer, DownloadedFile, ResponseMeta } from './methods.js';

/** Reading what came back. */

function rateLimitOf(headers: Headers): ResponseMeta['rateLimit'] {
  const limit = headers.get('x-ratelimit-limit');
  if (limit === null) return null;
  return {
    limit: Number(limit),
    remaining: Number(headers.get('x-ratelimit-remaining')),
    resetAt: new Date(Number(headers.get('x-ratelimit-reset')) * 1000),
  };
}

function metaOf({ status, headers }: Response): ResponseMeta {
  return {
    status,
    headers,
    etag: headers.get('etag'),
    requestId: headers.get('x-request-id'),
    rateLimit: rateLimitOf(headers),
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}

/** The name of RFC 6266: `filename*` where there is one, else `filename`. */
function filenameOf(headers: Headers): string | null {
  const disposition = headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // then the plain one has to do
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? null;
}

async function fileOf(response: Response): Promise<DownloadedFile> {
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    filename: filenameOf(response.headers),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(meta: ResponseMeta): FrontdeskError {
  const message = 'The answer is not JSON. Is baseUrl the address of a Frontdesk installation?';
  return new FrontdeskError({ error: 'Unreadable answer', message, code: 'unreadable_answer' }, meta);
}

/** A redirected write would arrive as a read, so redirects are not followed. A browser hides where they lead. */
function redirected(meta: ResponseMeta): FrontdeskError {
  const target = meta.headers.get('location');
  const message = `The server redirects${target ? ` to ${target}` : ''}. Use the address it redirects to as baseUrl.`;
  return new FrontdeskError({ error: 'Redirected', message, code: 'redirected' }, meta);
}

/**
 * @returns the data of a success; null for 304 (not modified)
 * @throws FrontdeskError for any other status; whatever `fetch` throws where the body breaks off
 */
export async function readAnswer(response: Response, download: boolean): Promise<Answer<unknown>> {
  const meta = metaOf(response);
  if (meta.status === 304) return { data: null, response: meta };
  if (response.type === 'opaqueredirect' || (meta.status >= 300 && meta.status < 400)) throw redirected(meta);
  if (response.ok && download) return { data: await fileOf(response), response: meta };
  const body = parse(await response.text());
  if (!response.ok) throw new FrontdeskError(body, meta);
  if (body === undefined) throw unreadable(meta);
  return { data: body, response: meta };
}
