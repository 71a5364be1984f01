import type { AppError } from '@/server/platform/errors';
import { type ErrorArea, isAboutCaller } from '@/server/platform/http/error-body';

const names: Record<number, string> = {
  400: 'ValidationError',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyMismatch',
};

/** A malformed id has a different message here. */
function messageOf({ details, message }: AppError): string {
  const fields = details?.fields as Record<string, string> | undefined;
  return fields && 'postId' in fields ? 'Invalid postId format. Must be a valid UUID.' : message;
}

/** Source: specification, "Errors". */
export const blogErrors: ErrorArea = {
  path: '/blog',
  keysOf: (error) =>
    isAboutCaller(error) ? undefined : { error: names[error.status] ?? error.title, message: messageOf(error) },
};
