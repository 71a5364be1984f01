import { isReachedByHttps } from '@/server/env';
import { strictTransport } from './security-headers';

/** What every answer has, whoever gives it: a transport, Next.js, or the server to what is no request at all. */
export function commonHeaders(requestId: string): Record<string, string> {
  const id = { 'X-Request-Id': requestId };
  return isReachedByHttps() ? { ...strictTransport, ...id } : id;
}
