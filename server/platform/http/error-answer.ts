import { TRPCError } from '@trpc/server';
import type { AppError } from '../errors';
import { logFailure } from '../outage-log';
import { type ErrorArea, errorBody } from '../rest/error-body';
import { appErrorOf } from '../trpc/trpc';
import type { HttpAnswer } from './http-message';

/** How an error reads at some place: its body, and the headers that tell what the body is. */
export type ErrorForm = (error: AppError, requestId: string) => { headers: Record<string, string>; body: string };

/** JSON, with the keys that the specification has for this area of the API. */
export function jsonErrors(area: ErrorArea = 'general'): ErrorForm {
  return (error, requestId) => ({
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(errorBody(error, area, requestId)),
  });
}

/** A line of text, for programs that show their users what they get. */
export const textErrors: ErrorForm = (error, requestId) => ({
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: error.status >= 500 ? `${error.message} (${requestId})\n` : `${error.message}\n`,
});

/** The answer to a request that failed, whatever it was for; a fault of ours is masked and logged. */
export function errorAnswer(thrown: unknown, requestId: string, form: ErrorForm = jsonErrors()): HttpAnswer {
  const error = appErrorOf(thrown);
  // What a procedure threw is logged where procedures run.
  if (error.status >= 500 && !(thrown instanceof TRPCError)) logFailure(thrown, { requestId }, 'request failed', error);
  const { headers, body } = form(error, requestId);
  return { status: error.status, headers: { ...headers, ...error.headers }, body };
}
