import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode, errorTable, invalidFields, notFound } from '@/server/platform/errors';
import { rest } from '@/server/registry';

/** A path of each part of the API with bodies of its own. */
const paths = { general: '/identity/customers', identity: '/identity', blog: '/blog/posts', calendar: '/calendar/events/1' };

type Area = keyof typeof paths;

const areas = Object.keys(paths) as Area[];
const additive = { requestId: 'req-12345' };

function bodyAt(path: string, error: AppError) {
  return JSON.parse(rest.errorsAt(`/api/v1${path}`)(error, additive.requestId).body);
}

const body = (error: AppError, area: Area) => bodyAt(paths[area], error);

test.each([
  ['/identity', 'identity'],
  ['/identity/customers', 'general'],
  ['/identity/', 'general'],
  ['/identityx', 'general'],
  ['/blog/posts', 'blog'],
  ['/blogs', 'general'],
  ['/calendar/events/1', 'calendar'],
  ['/calendars', 'general'],
  ['', 'general'],
] as const)('%s has the errors of %s', (path, area) => {
  expect(bodyAt(path, notFound())).toEqual(body(notFound(), area));
});

describe('the specification’s bodies', () => {
  test('identity, a body that is no object', () => {
    expect(body(new AppError('invalid_body', 'Request body must be a JSON object'), 'identity')).toEqual({
      error: 'Invalid request body',
      message: 'Request body must be a JSON object',
      code: 'invalid_body',
      ...additive,
    });
  });

  test('identity, unknown', () => {
    expect(body(new AppError('identity_not_found', 'Gone.'), 'identity')).toMatchObject({ error: 'Identity not found' });
  });

  test('another identity’s resource', () => {
    expect(body(notFound(), 'general')).toEqual({
      error: 'Not found',
      message: 'Resource not found or access denied',
      code: 'not_found',
      ...additive,
    });
  });

  test('general, invalid fields', () => {
    expect(body(invalidFields({ 'a.0': 'is required', b: 'must be a string' }), 'general')).toEqual({
      error: 'Invalid request',
      message: '2 fields are invalid: a.0, b',
      code: 'invalid_request',
      details: { fields: { 'a.0': 'is required', b: 'must be a string' } },
      ...additive,
    });
  });

  test('blog: a name and a message', () => {
    expect(body(new AppError('invalid_request', 'Invalid postId format. Must be a valid UUID.'), 'blog')).toMatchObject({
      error: 'ValidationError',
      message: 'Invalid postId format. Must be a valid UUID.',
    });
    expect(body(new AppError('not_found', 'Blog post not found'), 'blog')).toMatchObject({
      error: 'NotFound',
      message: 'Blog post not found',
    });
  });

  test('calendar: success false and a text', () => {
    const invalid = body(new AppError('invalid_request', 'End time must be after start time'), 'calendar');
    expect(invalid).toEqual({ success: false, error: 'End time must be after start time', code: 'invalid_request', ...additive });
    expect(body(new AppError('not_found', 'Event not found'), 'calendar')).toMatchObject({
      success: false,
      error: 'Event not found',
    });
  });

  test.each(areas)('%s: a key that does not work reads the same', (area) => {
    expect(body(new AppError('expired_key', 'Invalid or expired API key'), area)).toEqual({
      error: 'Unauthorized',
      message: 'Invalid or expired API key',
      code: 'expired_key',
      ...additive,
    });
  });
});

describe('in every area', () => {
  const codes = Object.keys(errorTable) as ErrorCode[];

  test.each(areas)('%s: each error has a text, its code and the request id, and never its cause', (area) => {
    for (const code of codes) {
      const error = new AppError(code, 'Words for people.', { cause: new Error('select secret from users') });
      const rendered = body(error, area);
      expect(rendered).toMatchObject({ error: expect.stringMatching(/./), code, ...additive });
      expect(JSON.stringify(rendered)).not.toContain('secret');
      expect(JSON.stringify(rendered)).toContain('Words for people.');
    }
  });

  test.each(areas)('%s: 403, 429 and 500 keep the texts of the contract', (area) => {
    expect(body(new AppError('identity_override', 'identityId does not match the API key'), area)).toMatchObject({
      error: 'Forbidden',
      message: 'identityId does not match the API key',
      code: 'identity_override',
    });
    expect(body(new AppError('rate_limit_exceeded', 'Enough.', { details: { limit: 1 } }), area)).toMatchObject({
      error: 'Rate limit exceeded',
      details: { limit: 1 },
    });
    expect(body(new AppError('internal_error', 'Sorry.'), area)).toMatchObject({ error: 'Internal server error' });
  });
});
