import { AppError, type ErrorCode, type errorTable } from '@/server/errors';
import { type ErrorArea, errorBody } from './error-body';

/** Reusable parts of the document that describe errors and headers, made from the very code that renders them. */

const headers = {
  RequestId: {
    description: 'Identifies this request in logs; a sane `X-Request-Id` of the request is kept.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests this key may make a day. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left today. Absent on unlimited plans.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the day ends, in Unix seconds. Absent on unlimited plans.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: 'Always `Bearer`.', schema: { type: 'string' } },
};

const reference = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every answer to a call with a valid key. */
export const successHeaders = {
  'X-Request-Id': reference('RequestId'),
  'X-RateLimit-Limit': reference('RateLimitLimit'),
  'X-RateLimit-Remaining': reference('RateLimitRemaining'),
  'X-RateLimit-Reset': reference('RateLimitReset'),
};

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
    description: 'An `identityId` in query or body is not the key’s own.',
    example: new AppError('identity_override', 'identityId does not match the API key'),
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or belongs to another identity.',
    example: new AppError('not_found', 'Resource not found or access denied'),
  },
  409: {
    name: 'Conflict',
    description: 'The contact belongs to another customer.',
    example: new AppError('contact_conflict', 'This contact belongs to another customer.', {
      details: { customerId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' },
    }),
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body has more bytes than this operation takes.',
    example: new AppError('payload_too_large', 'The body may have at most 1048576 bytes.'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body was sent as another type than JSON.',
    example: new AppError('unsupported_media_type', 'Send the body as application/json.'),
  },
  429: {
    name: 'RateLimitExceeded',
    description: 'The key has used up its requests of this UTC day. Does not count itself.',
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

/** Name of the response component of an error status in an area. */
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

/** Components of the document that belong to errors. */
export function errorComponents(table: typeof errorTable) {
  const elsewhere: ErrorCode[] = ['signed_out', 'cross_origin', 'unknown_recipient'];
  const codes = (Object.keys(table) as ErrorCode[]).filter((code) => !elsewhere.includes(code));
  const general = Object.values(documentedErrors).map((error) => response(error, 'general'));
  return {
    schemas: { Error: errorSchema(codes) },
    responses: Object.fromEntries([...general, response(identityInvalid, 'identity'), response(identityUnknown, 'identity')]),
    headers,
  };
}
