import { isReachedByHttps } from '@/server/platform/env';
import { strictTransport } from './security-headers';

/** Headers of every response, including those of Next.js and to unparsable requests. */
export function commonHeaders(requestId: string): Record<string, string> {
  const id = { 'X-Request-Id': requestId };
  return isReachedByHttps() ? { ...strictTransport, ...id } : id;
}
