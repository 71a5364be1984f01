import type { ErrorBody } from './generated/models.js';
import type { ResponseMeta } from './methods.js';

/** Codes this version of the client knows; a newer server may have more. */
export type ErrorCode = ErrorBody['code'] | (string & Record<never, never>);

/**
 * The server refused, or failed to answer. The parts of the API word their errors differently (general `{error, message}`, calendar
 * `{success, error}`, blog `{error, message}` with names of its own); here they all read the same.
 */
export class FrontdeskError extends Error {
  override readonly name = 'FrontdeskError';
  readonly status: number;
  /** What happened, for programs, e.g. `contact_conflict`; `http_<status>` where something before the server answered. */
  readonly code: ErrorCode;
  /** The kind of error in words that do not change; the calendar's carry the whole text here. */
  readonly title: string;
  /** More, by code, e.g. `details.customerId` of a `contact_conflict`. */
  readonly details: Record<string, unknown>;
  /** Why each bad field was refused, by its dotted path: `{'contacts.0.email': 'must be an e-mail address'}`. */
  readonly fields: Record<string, string>;
  /** To quote when reporting a fault. */
  readonly requestId: string | null;
  readonly response: ResponseMeta;

  constructor(body: unknown, response: ResponseMeta) {
    const { error, message, code, details, requestId } = objectOf(body);
    const title = textOf(error) ?? `HTTP ${response.status}`;
    super(textOf(message) ?? title);
    this.status = response.status;
    this.code = textOf(code) ?? `http_${response.status}`;
    this.title = title;
    this.details = objectOf(details);
    this.fields = objectOf(this.details.fields) as Record<string, string>;
    this.requestId = textOf(requestId) ?? response.requestId;
    this.response = response;
  }
}

/** No answer arrived, or not all of one. Whether a write was carried out is unknown; the same idempotency key finds out. */
export class FrontdeskConnectionError extends Error {
  override readonly name = 'FrontdeskConnectionError';
  /** True where the time of an attempt ran out. */
  readonly timedOut: boolean;

  constructor(message: string, options: { timedOut: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.timedOut = options.timedOut;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
