import type { AppError } from '@/server/platform/errors';

/** The parts of the API with their own error bodies in the specification. */
export type ErrorArea = 'general' | 'identity' | 'blog' | 'calendar';

/** The area of a path below /api/v1. */
export function errorAreaOf(path: string): ErrorArea {
  if (path === '/identity') return 'identity';
  if (path === '/blog' || path.startsWith('/blog/')) return 'blog';
  if (path === '/calendar' || path.startsWith('/calendar/')) return 'calendar';
  return 'general';
}

type ErrorBody = Record<string, unknown>;

/** Errors about the caller rather than the resource have the same body in every area (contract section 2). */
const sameEverywhere = new Set([401, 403, 429, 500, 503]);

const blogNames: Record<number, string> = {
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

function additive(error: AppError, requestId: string): ErrorBody {
  return { code: error.code, requestId, ...(error.details ? { details: error.details } : {}) };
}

/** A malformed id has a different message in the blog (specification, "Errors"). */
function blogMessage(error: AppError): string {
  const fields = error.details?.fields as Record<string, string> | undefined;
  return fields && 'postId' in fields ? 'Invalid postId format. Must be a valid UUID.' : error.message;
}

/** The response body of an error: the specification's keys for the area first, then our additions. */
export function errorBody(error: AppError, area: ErrorArea, requestId: string): ErrorBody {
  const rest = additive(error, requestId);
  if (area === 'calendar' && error.status !== 401) {
    const text = sameEverywhere.has(error.status) ? { error: error.title, message: error.message } : { error: error.message };
    return { success: false, ...text, ...rest };
  }
  if (area === 'blog' && !sameEverywhere.has(error.status)) {
    return { error: blogNames[error.status] ?? error.title, message: blogMessage(error), ...rest };
  }
  return { error: error.title, message: error.message, ...rest };
}
