import { AppError, type ErrorCode, type errorTable } from '@/server/platform/errors';
import { type DocumentedError, type ErrorArea, errorBody } from '../http/error-body';

/** Reusable components of the document for errors and headers, generated from the code that renders them. */

const headers = {
  RequestId: {
    description: 'Identifies this request in logs. A valid `X-Request-Id` of the request is used.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests per day with this key. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left today. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'When the limit resets, in Unix seconds. Absent on unlimited plans.',
    schema: { type: 'integer' },
  },
  RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
  ETag: {
    description:
      'The version of the resource or list, for `If-None-Match` and, with a resource, `If-Match`. Weak if the response is compressed, which makes no difference.',
    schema: { type: 'string' },
  },
  Link: { description: 'With `rel="next"`: the URL of the next page, if there is one.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
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
      'Makes retries safe: within 24 hours, the same request with the same `Idempotency-Key` is not executed again but gets the same response, with `Idempotent-Replayed: true`. Use a new one for each request.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'An `ETag` of the resource, or its `revision` in quotes. If the resource has changed since, nothing is done and the status is 412.',
    schema: { type: 'string' },
    example: '"3.Yk3dQ0mB2c"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'An `ETag` from an earlier response. If the resource or list hasn’t changed since, the status is 304, without a body.',
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

const fieldsExample = { details: { fields: { 'contacts.0.email': 'must be an e-mail address' } } };
const limitExample = { details: { limit: 1000, remaining: 0, resetAt: '2026-11-22T00:00:00.000Z', plan: 'Solopreneur' } };

const documentedErrors: Record<number, DocumentedError> = {
  400: {
    name: 'InvalidRequest',
    description: 'The request is invalid; `details.fields` has the reason for each invalid field.',
    example: new AppError('invalid_request', 'contacts.0.email: must be an e-mail address', fieldsExample),
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, invalid, expired or revoked; see `code`.',
    example: new AppError('invalid_key', 'Invalid or expired API key'),
  },
  403: {
    name: 'Forbidden',
    description:
      'The key lacks the scope in `details.required` (`insufficient_scope`), its agent is paused or inactive (`agent_paused`), the ' +
      'operation is not available to keys of agents (`not_for_agents`), or `identityId` in the query or body is not that of the key ' +
      '(`identity_override`).',
    example: new AppError('identity_override', 'identityId does not match the API key'),
  },
  404: {
    name: 'NotFound',
    description: 'Doesn’t exist, or belongs to another identity.',
    example: new AppError('not_found', 'Resource not found or access denied'),
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body arrived at less than 1 kB/s. Nothing was changed; the connection is closed.',
    example: new AppError('request_timeout', 'The body came at less than 1024 bytes a second. Send it again.'),
  },
  409: {
    name: 'Conflict',
    description:
      'Conflicts with existing data (a contact of another customer, a slug that is taken), or a request with the same `Idempotency-Key` is in progress; see `code`.',
    example: new AppError('contact_conflict', 'This contact belongs to another customer.', {
      details: { customerId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' },
    }),
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource has changed since `If-Match`. The response has the current `ETag`.',
    example: new AppError('precondition_failed', 'It has changed since you read it. Read it again, then decide.'),
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than this operation accepts, or has more than 100,000 names and values.',
    example: new AppError('payload_too_large', 'The body may have at most 1048576 bytes.'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body isn’t JSON, or it is compressed (the response then has `Accept-Encoding: identity`).',
    example: new AppError('unsupported_media_type', 'Send the body as application/json.'),
  },
  422: {
    name: 'IdempotencyMismatch',
    description: 'This `Idempotency-Key` was used for another request.',
    example: new AppError('idempotency_mismatch', 'Another request was sent with this Idempotency-Key. Use a new one.'),
  },
  429: {
    name: 'RateLimitExceeded',
    description:
      'The key has no requests left today in UTC (`rate_limit_exceeded`), or the plan’s email or storage limit is reached ' +
      '(`quota_exceeded`, with `details.quota`: `mails`, `recipients` or `storage`). Not counted as a request.',
    example: new AppError('rate_limit_exceeded', 'The plan Solopreneur allows 1000 requests a day and key.', limitExample),
  },
  500: {
    name: 'InternalError',
    description: 'A server error. Include the request ID when you report it.',
    example: new AppError('internal_error', 'Something went wrong on our side. Quote the request id when you report it.'),
  },
  503: {
    name: 'Unavailable',
    description: 'The database can’t be reached; retry after `Retry-After`.',
    example: new AppError('unavailable', 'The database is not reachable right now. Try again in a few seconds.'),
  },
};

function documented(status: number, area: ErrorArea | undefined): DocumentedError {
  const found = area?.documented?.[status] ?? documentedErrors[status];
  if (!found) throw new Error(`There is no documented error for status ${status}.`);
  return found;
}

/** Component name of an error response by status and area. */
export function errorResponseName(status: number, area: ErrorArea | undefined): string {
  return documented(status, area).name;
}

function errorHeaders(status: number): Record<string, unknown> {
  if (status === 401) return { 'X-Request-Id': reference('RequestId'), 'WWW-Authenticate': reference('WwwAuthenticate') };
  if (status === 429 || status === 503) return { ...successHeaders, 'Retry-After': reference('RetryAfter') };
  return successHeaders;
}

function response(error: DocumentedError, area?: ErrorArea): [string, unknown] {
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
      error: { type: 'string', description: 'The kind of error; never changes.' },
      message: { type: 'string', description: 'A message for people.' },
      code: { type: 'string', enum: codes, description: 'A code for programs.' },
      requestId: { type: 'string' },
      details: {
        type: 'object',
        description: 'Details, depending on `code`.',
        additionalProperties: true,
        properties: {
          fields: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Reasons by field path, such as `contacts.0.email`.',
          },
        },
      },
    },
  };
}

/** The document's components for errors. */
export function errorComponents(table: typeof errorTable, areas: readonly ErrorArea[]) {
  const elsewhere: ErrorCode[] = ['signed_out', 'cross_origin', 'unknown_recipient'];
  const codes = (Object.keys(table) as ErrorCode[]).filter((code) => !elsewhere.includes(code));
  const usual = Object.values(documentedErrors).map((error) => response(error));
  const own = areas.flatMap((area) => Object.values(area.documented ?? {}).map((error) => response(error, area)));
  return {
    schemas: { Error: errorSchema(codes) },
    responses: Object.fromEntries([...usual, ...own]),
    headers,
    parameters,
  };
}
