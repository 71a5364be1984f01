import { logFailure } from '@/server/platform/outage-log';
import { type ErrorArea, errorBody } from '../rest/error-body';
import type { RestAnswer } from '../rest/http-message';
import { appErrorOf } from '../trpc/trpc';
import { apiSecurityHeaders } from './security-headers';

/** An error that the REST API's own dispatcher has no part in. */
export function errorAnswer(thrown: unknown, requestId: string, area: ErrorArea = 'general'): RestAnswer {
  const error = appErrorOf(thrown);
  if (error.status >= 500) logFailure(thrown, { requestId }, 'request failed', error);
  return {
    status: error.status,
    headers: {
      ...apiSecurityHeaders(),
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': requestId,
      ...error.headers,
    },
    body: JSON.stringify(errorBody(error, area, requestId)),
  };
}
