import type { IncomingMessage } from 'node:http';
import { AppError } from '@/server/platform/errors';

/** What some address of this server has. */
export const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** What most Host headers are; the others go through the URL parser. */
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
 * Brings the target of a request into origin form, whichever form it came in (RFC 9112, section 3.2): the authority of an absolute one
 * takes the place of the Host header. `*` stays, for OPTIONS.
 *
 * @throws AppError invalid_request for another version of HTTP, a target or Host that is none, more than one Host, or none where HTTP/1.1 wants it
 */
export function acceptTarget(request: IncomingMessage): void {
  const { url = '/', method, headers } = request;
  if (request.httpVersionMajor !== 1) throw unreadable('This server speaks HTTP/1.1.');
  const hosts = hostHeaders(request);
  if (hosts > 1) throw unreadable('The request has more than one Host header.');
  if (hosts === 0 && request.httpVersion === '1.1') throw unreadable('The request has no Host header.');
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    // What follows is logged and answered by the path alone, whatever becomes of it.
    request.url = '/';
    const [, authority = '', path = ''] = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(url) ?? [];
    if (!isAuthority(authority)) throw unreadable('The request target is no path and no address of this server.');
    headers.host = authority;
    request.url = path.startsWith('/') ? path : `/${path}`;
  }
  // An empty one is allowed where the target has no authority.
  if (headers.host && !isAuthority(headers.host)) throw unreadable('The Host header is no host.');
}
