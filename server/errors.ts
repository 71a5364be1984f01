/**
 * Every error a client may see, in one table: code → HTTP status and title.
 * Source: the specification's "Errors" and contract section 2. Transports render these; nothing else reaches a client.
 */
export const errorTable = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_body: { status: 400, title: 'Invalid request body' },
  last_contact: { status: 400, title: 'Cannot remove the last contact' },
  missing_key: { status: 401, title: 'Unauthorized' },
  invalid_key: { status: 401, title: 'Unauthorized' },
  expired_key: { status: 401, title: 'Unauthorized' },
  revoked_key: { status: 401, title: 'Unauthorized' },
  signed_out: { status: 401, title: 'Unauthorized' },
  identity_override: { status: 403, title: 'Forbidden' },
  cross_origin: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  identity_not_found: { status: 404, title: 'Identity not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  contact_conflict: { status: 409, title: 'Contact belongs to another customer' },
  slug_taken: { status: 409, title: 'Slug is taken' },
  edited_elsewhere: { status: 409, title: 'Edited elsewhere' },
  idempotency_running: { status: 409, title: 'Request is running' },
  idempotency_answer_lost: { status: 409, title: 'Answer was lost' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_mismatch: { status: 422, title: 'Idempotency key was used' },
  unknown_recipient: { status: 422, title: 'Unknown recipient' },
  rate_limit_exceeded: { status: 429, title: 'Rate limit exceeded' },
  internal_error: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Reasons by field, keyed by the field's dotted path, e.g. `{"contacts.0.email": "must be an e-mail address"}`. */
export type FieldErrors = Record<string, string>;

const brand = Symbol.for('frontdesk.app-error');

/** An error meant for the client. `message` is shown to people; `details` is machine-readable and public. */
export class AppError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Sent as response headers where the transport is HTTP, e.g. `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get title(): string {
    return errorTable[this.code].title;
  }
}

/** True for an AppError of either copy of this module (see process-registry.ts). */
export function isAppError(value: unknown): value is AppError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** 400 that names every bad field at once. */
export function invalidFields(fields: FieldErrors): AppError {
  const names = Object.keys(fields);
  const first = names[0];
  const message =
    names.length === 1 && first !== undefined
      ? `${first}: ${fields[first]}`
      : `${names.length} fields are invalid: ${names.join(', ')}`;
  return new AppError('invalid_request', message, { details: { fields } });
}

/** 404 for what does not exist or belongs to another identity; the two are never told apart. */
export function notFound(): AppError {
  return new AppError('not_found', 'Resource not found or access denied');
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  'P1001', // Prisma: can't reach the database server
  'P1017', // Prisma: the server closed the connection
  'P2028', // Prisma: no connection for a transaction in time, or the transaction took too long
  'P2034', // Prisma: a deadlock
]);

/** Of the disk (53100 is PostgreSQL's): full, at its quota's end, read-only, or not ours. */
const unwritableCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', '53100']);

function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') codes.push(code);
    if (/Connection terminated|connection timeout|timeout exceeded when trying to connect/i.test(current.message)) {
      codes.push('ECONNRESET');
    }
  }
  return codes;
}

/**
 * What a client is told of any thrown value: an AppError as it is, a lost database, a disk that takes nothing or a line that is too long (`Turnstile`) as 503, everything else as a masked 500.
 * The caller logs the original when the result's status is 500 or above.
 */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof Error && isAppError(error.cause)) return error.cause;
  if (error instanceof Error && error.name === 'TooManyWait') {
    return new AppError('unavailable', 'Too much is going on at this moment. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
  if (errorCodes(error).some((code) => unavailableCodes.has(code))) {
    return new AppError('unavailable', 'The database is not reachable right now. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
  if (errorCodes(error).some((code) => unwritableCodes.has(code))) {
    return new AppError('unavailable', 'Files can’t be written on the server right now: there is no room, or no right to.', {
      headers: { 'Retry-After': '60' },
      cause: error,
    });
  }
  return new AppError('internal_error', 'Something went wrong on our side. Quote the request id when you report it.', {
    cause: error,
  });
}
