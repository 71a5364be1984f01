import { logFailure } from '@/server/outage-log';
import type { RestAnswer } from './rest/http-message';
import { apiSecurityHeaders } from './security-headers';
import { appErrorOf } from './trpc';

/** An error of an address outside of /api/v1, in the general form. */
export function errorAnswer(thrown: unknown, requestId: string): RestAnswer {
  const error = appErrorOf(thrown);
  if (error.status >= 500) logFailure(thrown, { requestId }, 'request failed', error);
  const { title, message, code, details } = error;
  return {
    status: error.status,
    headers: {
      ...apiSecurityHeaders(),
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': requestId,
      ...error.headers,
    },
    body: JSON.stringify({ error: title, message, code, requestId, ...(details ? { details } : {}) }),
  };
}
