import { AppError, type ErrorCode, type errorTable } from '@/server/platform/errors';
import { type ErrorArea, errorBody } from './error-body';

/** Reusable components of the document for errors and headers, generated from the code that renders them. */

const headers = {
  RequestId: {
    description: 'Identifies this request in logs; a sane `X-Request-Id` of the request is kept.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests this key may make a day. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left today. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the day ends, in Unix seconds. Absent on unlimited plans.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  ETag: {
    description:
      'This state of the resource or list, for `If-None-Match`, and of a resource for `If-Match`. Weak where the answer is compressed, which makes no difference.',
    schema: { type: 'string' },
  },
  Link: { description: 'With `rel="next"` where the list goes on: the address of the next page.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` where this answer was given before, to the same request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  WwwAuthenticate: { description: 'Always `Bearer`.', schema: { type: 'string' } },
};

const reference = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response to a call with a valid key. */
export const successHeaders = {
  'X-Request-Id': reference('RequestId'),
  'X-RateLimit-Limit': reference('RateLimitLimit'),
  'X-RateLimit-Remaining': reference('RateLimitRemaining'),
  'X-RateLimit-Reset': reference('RateLimitReset'),
};

/** Headers that requests may carry. */
const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again: within 24 hours the same request with the same key is not carried out again but answered the same, with `Idempotent-Replayed: true`. A key belongs to one request of one API key.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag` of the resource: the change is made only while it is still in that state, else the answer is 412.',
    schema: { type: 'string' },
    example: '"PcBpNmzRQSaRJpgNuXSdfC"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag` that you have: while the resource or list is still in that state, the answer is 304 without a body.',
    schema: { type: 'string' },
    example: '"PcBpNmzRQSaRJpgNuXSdfC"',
  },
};

/** A reference to a request header. */
export function parameterReference(name: keyof typeof parameters): { $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

/** A reference to a response header. */
export function headerReference(name: keyof typeof headers): { $ref: string } {
  return reference(name);
}

const exampleRequestId = '5f0c6a52-3d1f-4f0e-9a39-0a4b8f6f7c11';

interface DocumentedError {
  name: string;
  description: string;
  example: AppError;
}

const fieldsExample = { details: { fields: { 'contacts.0.email': 'must be an e-mail address' } } };
const limitExample = { details: { limit: 1000, remaining: 0, resetAt: '2026-11-22T00:00:00.000Z', plan: 'Solopreneur' } };

const documentedErrors: Record<number, DocumentedError> = {
  400: {
    name: 'InvalidRequest',
    description: 'Something sent is not valid; `details.fields` names every bad field and why.',
    example: new AppError('invalid_request', 'contacts.0.email: must be an e-mail address', fieldsExample),
  },
  401: {
    name: 'Unauthorized',
    description: 'No key, or one that does not (or no longer) work; `code` says which.',
    example: new AppError('invalid_key', 'Invalid or expired API key'),
  },
  403: {
    name: 'Forbidden',
    description:
      'The key lacks the scope in `details.required` (`insufficient_scope`), its agent is not at work (`agent_paused`), the operation is not for ' +
      'keys of agents (`not_for_agents`), or an `identityId` in query or body is not the key’s own (`identity_override`).',
    example: new AppError('identity_override', 'identityId does not match the API key'),
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or belongs to another identity.',
    example: new AppError('not_found', 'Resource not found or access denied'),
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body came at less than 1 kB a second. Nothing was done; the connection ends.',
    example: new AppError('request_timeout', 'The body came at less than 1024 bytes a second. Send it again.'),
  },
  409: {
    name: 'Conflict',
    description:
      'It contradicts what is there (a contact of another customer, a slug that is taken), or the same `Idempotency-Key` is being carried out at this moment; `code` says which.',
    example: new AppError('contact_conflict', 'This contact belongs to another customer.', {
      details: { customerId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' },
    }),
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource is not in the state of `If-Match` any more. The current `ETag` comes with it.',
    example: new AppError('precondition_failed', 'It has changed since you read it. Read it again, then decide.'),
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body has more bytes than this operation takes, or more than 100,000 names and values.',
    example: new AppError('payload_too_large', 'The body may have at most 1048576 bytes.'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body was sent as another type than JSON, or compressed; then `Accept-Encoding` says `identity`.',
    example: new AppError('unsupported_media_type', 'Send the body as application/json.'),
  },
  422: {
    name: 'IdempotencyMismatch',
    description: 'Another request was sent with this `Idempotency-Key`.',
    example: new AppError('idempotency_mismatch', 'Another request was sent with this Idempotency-Key. Use a new one.'),
  },
  429: {
    name: 'RateLimitExceeded',
    description:
      'The key has used up its requests of this UTC day (`rate_limit_exceeded`), or the plan includes no more mail today or no more storage ' +
      '(`quota_exceeded`, with `details.quota`: `mails`, `recipients` or `storage`). Does not count itself.',
    example: new AppError('rate_limit_exceeded', 'The plan Solopreneur allows 1000 requests a day and key.', limitExample),
  },
  500: {
    name: 'InternalError',
    description: 'A fault of ours. Quote the request id.',
    example: new AppError('internal_error', 'Something went wrong on our side. Quote the request id when you report it.'),
  },
  503: {
    name: 'Unavailable',
    description: 'The database is not reachable; try again after `Retry-After`.',
    example: new AppError('unavailable', 'The database is not reachable right now. Try again in a few seconds.'),
  },
};

const identityInvalid: DocumentedError = {
  name: 'IdentityInvalidRequest',
  description: 'The body is not a JSON object, or a field is not valid.',
  example: new AppError('invalid_body', 'Request body must be a JSON object'),
};

const identityUnknown: DocumentedError = {
  name: 'IdentityNotFound',
  description: 'The identity of this key no longer exists.',
  example: new AppError('identity_not_found', 'The identity no longer exists.'),
};

function documented(status: number, area: ErrorArea): DocumentedError {
  if (area === 'identity' && status === 400) return identityInvalid;
  if (area === 'identity' && status === 404) return identityUnknown;
  const found = documentedErrors[status];
  if (!found) throw new Error(`There is no documented error for status ${status}.`);
  return found;
}

/** Component name of an error response by status and area. */
export function errorResponseName(status: number, area: ErrorArea): string {
  return documented(status, area).name;
}

function errorHeaders(status: number): Record<string, unknown> {
  if (status === 401) return { 'X-Request-Id': reference('RequestId'), 'WWW-Authenticate': reference('WwwAuthenticate') };
  if (status === 429 || status === 503) return { ...successHeaders, 'Retry-After': reference('RetryAfter') };
  return successHeaders;
}

function response(error: DocumentedError, area: ErrorArea): [string, unknown] {
  const content = {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: errorBody(error.example, area, exampleRequestId),
    },
  };
  return [error.name, { description: error.description, headers: errorHeaders(error.example.status), content }];
}

function errorSchema(codes: ErrorCode[]): object {
  return {
    type: 'object',
    required: ['error', 'code', 'requestId'],
    properties: {
      error: { type: 'string', description: 'What kind of error, in words that do not change.' },
      message: { type: 'string', description: 'What happened, for people.' },
      code: { type: 'string', enum: codes, description: 'What happened, for programs.' },
      requestId: { type: 'string' },
      details: {
        type: 'object',
        description: 'More, by code.',
        additionalProperties: true,
        properties: {
          fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'Reasons by dotted path.' },
        },
      },
    },
  };
}

/** The document's components for errors. */
export function errorComponents(table: typeof errorTable) {
  const elsewhere: ErrorCode[] = ['signed_out', 'cross_origin', 'unknown_recipient'];
  const codes = (Object.keys(table) as ErrorCode[]).filter((code) => !elsewhere.includes(code));
  const general = Object.values(documentedErrors).map((error) => response(error, 'general'));
  return {
    schemas: { Error: errorSchema(codes) },
    responses: Object.fromEntries([...general, response(identityInvalid, 'identity'), response(identityUnknown, 'identity')]),
    headers,
    parameters,
  };
}
