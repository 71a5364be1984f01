import { isReachedByHttps } from '@/server/platform/env';
import { strictTransport } from './security-headers';

/** Headers of every response: of a transport, of Next.js, and of the server to bytes that are not a request. */
export function commonHeaders(requestId: string): Record<string, string> {
  const id = { 'X-Request-Id': requestId };
  return isReachedByHttps() ? { ...strictTransport, ...id } : id;
}
