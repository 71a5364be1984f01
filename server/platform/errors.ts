/**
 * Every error a client may see: code → HTTP status and title. Source: the specification's "Errors" and contract section 2.
 * Transports render these; nothing else reaches a client.
 */
export const errorTable = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_body: { status: 400, title: 'Invalid request body' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  last_contact: { status: 400, title: 'Cannot remove the last contact' },
  missing_key: { status: 401, title: 'Unauthorized' },
  invalid_key: { status: 401, title: 'Unauthorized' },
  expired_key: { status: 401, title: 'Unauthorized' },
  revoked_key: { status: 401, title: 'Unauthorized' },
  signed_out: { status: 401, title: 'Unauthorized' },
  identity_override: { status: 403, title: 'Forbidden' },
  insufficient_scope: { status: 403, title: 'Forbidden' },
  insufficient_role: { status: 403, title: 'Forbidden' },
  two_factor_required: { status: 403, title: 'Two-factor authentication is required' },
  not_for_agents: { status: 403, title: 'Forbidden' },
  agent_paused: { status: 403, title: 'Forbidden' },
  fresh_sign_in_required: { status: 403, title: 'Confirm that it is you' },
  cross_origin: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  identity_not_found: { status: 404, title: 'Identity not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
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
  quota_exceeded: { status: 429, title: 'Quota exceeded' },
  internal_error: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Reasons by field, keyed by the field's dotted path, e.g. `{"contacts.0.email": "must be an e-mail address"}`. */
export type FieldErrors = Record<string, string>;

const brand = Symbol.for('frontdesk.app-error');

/** An error for the client. `message` is shown to people; `details` is machine-readable and public. */
export class AppError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Response headers if the transport is HTTP, e.g. `Retry-After`. */
  readonly headers: Record<string, string>;
  /** True if the security log already has this error. */
  readonly isLogged: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; headers?: Record<string, string>; isLogged?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.isLogged = options.isLogged ?? false;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get title(): string {
    return errorTable[this.code].title;
  }
}

/** True for an AppError of either copy of this module (see process-globals.ts). */
export function isAppError(value: unknown): value is AppError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** A 400 error that names all invalid fields. */
export function invalidFields(fields: FieldErrors): AppError {
  const names = Object.keys(fields);
  const first = names[0];
  const message =
    names.length === 1 && first !== undefined
      ? `${first}: ${fields[first]}`
      : `${names.length} fields are invalid: ${names.join(', ')}`;
  return new AppError('invalid_request', message, { details: { fields } });
}

/** A 400 error for a search by so little that no index helps, in a list too long to be read as a whole. */
export function tooShortToSearch(field: string): AppError {
  return invalidFields({ [field]: 'is too short for a list of this length: write at least three letters or digits in a row' });
}

/** A 404 error, the same for a missing row and for one of another identity. */
export function notFound(): AppError {
  return new AppError('not_found', 'Resource not found or access denied');
}

/** Codes of a database that is unavailable, restarting or overloaded, or of a transaction that may succeed on retry. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006', // read_only_sql_transaction: a standby, after a failover
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '58030', // io_error
  'P1001', // Prisma: can't reach the database server
  'P1002', // Prisma: the database server was reached, but timed out
  'P1008', // Prisma: an operation timed out
  'P1017', // Prisma: the server closed the connection
  'P2024', // Prisma: no connection from the pool in time
  'P2028', // Prisma: no connection for a transaction in time, or the transaction took too long
  'P2034', // Prisma: a deadlock
  'P2037', // Prisma: too many connections
]);

/** What PostgreSQL ends after the limits in db/time-limits.ts. */
const lateCodes = new Map([
  ['55P03', 'Something else is changing the same data. Try again in a few seconds.'], // lock_not_available
  ['57014', 'The database took too long to answer this. Ask for less, or try again in a few seconds.'], // query_canceled
]);

/** connection_exception, insufficient_resources, operator_intervention: the server is temporarily unavailable. */
const unavailableClass = /^(08...|53...|57P..)$/;

/** pg errors without a code. */
const unavailableMessage =
  /Connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|Query read timeout|is not queryable|Cannot use a pool after calling end/i;

/** Disk errors (53100 is PostgreSQL's): full, over quota, read-only, not permitted, failing or gone; or too many open files. */
const diskCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EIO',
  'ESTALE',
  'ENXIO',
  'ENODEV',
  'EMFILE',
  'ENFILE',
  '53100',
]);

/** Prisma reports PostgreSQL's code in a separate field. */
interface PrismaFailure {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** The codes of an error and of its causes. */
export function errorCodes(error: unknown): string[] {
  const codes: string[] = [];
  let current = error instanceof Error ? (error as PrismaFailure) : undefined;
  for (let depth = 0; typeof current === 'object' && current !== null && depth < 6; depth++) {
    for (const code of [current.code, current.originalCode]) if (typeof code === 'string') codes.push(code);
    if (typeof current.message === 'string' && unavailableMessage.test(current.message)) codes.push('ECONNRESET');
    current = (current.meta?.driverAdapterError ?? current.cause) as PrismaFailure | undefined;
  }
  return codes;
}

/**
 * Maps any thrown value to a client error: an AppError unchanged; a lost database, failing disk or full queue (`Semaphore`) as
 * 503; everything else as a masked 500. The caller logs the original if the status is 500 or above.
 */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (error instanceof Error && isAppError(error.cause)) return error.cause;
  if (error instanceof Error && error.name === 'QueueFull') {
    return new AppError('unavailable', 'Too much is going on at this moment. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
  const codes = errorCodes(error);
  if (codes.some((code) => diskCodes.has(code))) {
    const message = 'Files can’t be read or written on the server right now: its disk is full, read-only or failing.';
    return new AppError('unavailable', message, { headers: { 'Retry-After': '60' }, cause: error });
  }
  const late = codes.map((code) => lateCodes.get(code)).find((message) => message !== undefined);
  if (late) return new AppError('unavailable', late, { headers: { 'Retry-After': '5' }, cause: error });
  if (codes.some((code) => unavailableCodes.has(code) || unavailableClass.test(code))) {
    return new AppError('unavailable', 'The database is not reachable right now. Try again in a few seconds.', {
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
  return new AppError('internal_error', 'Something went wrong on our side. Quote the request id when you report it.', {
    cause: error,
  });
}
