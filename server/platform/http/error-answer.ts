import { type AppError, toAppError } from '../errors';
import { logFailure } from '../outage-log';
import { type ErrorArea, errorBody } from './error-body';
import type { HttpAnswer } from './http-message';

/** How a route renders errors: body and content headers. */
export type ErrorForm = (error: AppError, requestId: string) => { headers: Record<string, string>; body: string };

/** JSON, with the specification's keys for this area of the API. */
export function jsonErrors(area?: ErrorArea): ErrorForm {
  return (error, requestId) => ({
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(errorBody(error, area, requestId)),
  });
}

/** One line of text, for programs that show responses to their users. */
export const textErrors: ErrorForm = (error, requestId) => ({
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: error.status >= 500 ? `${error.message} (${requestId})\n` : `${error.message}\n`,
});

/** The response to a failed request of any kind; server errors are masked and logged. */
export function errorAnswer(thrown: unknown, requestId: string, form: ErrorForm = jsonErrors()): HttpAnswer {
  const error = toAppError(thrown);
  if (error.status >= 500) logFailure(thrown, { requestId }, 'request failed', error);
  return errorOutput(error, requestId, form);
}

/** The response for an error that is logged already. */
export function errorOutput(error: AppError, requestId: string, form: ErrorForm): HttpAnswer {
  const { headers, body } = form(error, requestId);
  return { status: error.status, headers: { ...headers, ...error.headers }, body };
}
