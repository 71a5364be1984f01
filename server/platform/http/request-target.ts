import type { IncomingMessage } from 'node:http';
import { AppError } from '@/server/platform/errors';

/** All methods that any address of this server supports. */
export const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Matches most Host headers; others go through the URL parser. */
const plainAuthority = /^[a-z0-9][a-z0-9.-]*(:\d{1,4})?$/i;

function isAuthority(text: string): boolean {
  if (plainAuthority.test(text)) return true;
  return !/[/?#@\\\s]/.test(text) && URL.canParse(`http://${text}`);
}

function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function unreadable(message: string): AppError {
  return new AppError('invalid_request', message, { headers: { Connection: 'close' } });
}

/**
 * Normalises the request target to origin form (RFC 9112, section 3.2): the authority of an absolute target replaces the Host
 * header. `*` stays, for OPTIONS.
 * @throws AppError invalid_request for another version of HTTP, an invalid target or Host, more than one Host, or no Host in
 * HTTP/1.1
 */
export function acceptTarget(request: IncomingMessage): void {
  const { url = '/', method, headers } = request;
  if (request.httpVersionMajor !== 1) throw unreadable('This server speaks HTTP/1.1.');
  const hosts = hostHeaders(request);
  if (hosts > 1) throw unreadable('The request has more than one Host header.');
  if (hosts === 0 && request.httpVersion === '1.1') throw unreadable('The request has no Host header.');
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    // A safe path for logging and answering, even if the target is invalid.
    request.url = '/';
    const [, authority = '', path = ''] = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(url) ?? [];
    if (!isAuthority(authority)) throw unreadable('The request target is no path and no address of this server.');
    headers.host = authority;
    request.url = path.startsWith('/') ? path : `/${path}`;
  }
  // An empty Host is allowed if the target has no authority.
  if (headers.host && !isAuthority(headers.host)) throw unreadable('The Host header is no host.');
}
