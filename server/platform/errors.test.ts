import { describe, expect, test } from 'vitest';
import { AppError, errorTable, invalidFields, isAppError, notFound, toAppError } from './errors';

describe('what a client is told', () => {
  test('of an AppError: all of it', () => {
    const error = notFound();
    expect(toAppError(error)).toBe(error);
    expect(toAppError(new Error('wrapped', { cause: error }))).toBe(error);
  });

  test('of an AppError of the other copy of this code: the same', () => {
    const brand = Object.getOwnPropertySymbols(notFound())[0];
    const foreign = { [brand ?? '']: true, code: 'not_found', status: 404 };
    expect(isAppError(foreign)).toBe(true);
    expect(toAppError(foreign)).toBe(foreign);
  });

  test.each([
    new Error('relation "users" does not exist'),
    Object.assign(new Error('duplicate key'), { code: '23505' }),
    'a text',
    undefined,
    null,
    { code: 'ECONNREFUSED' },
    { error: 'looks like an AppError', code: 'not_found' },
  ])('of anything else (%s): nothing of what happened', (thrown) => {
    const error = toAppError(thrown);
    expect(error).toMatchObject({ code: 'internal_error', status: 500 });
    expect(error.message).not.toMatch(/users|duplicate|text|ECONN/);
  });

  test.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['08000', '08003', '08006', '57P01', '57P03', '57014', '53200', '53300', '58030', '25006', '40P01', '55P03'],
    ...['P1001', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
  ])('of a lost database (%s): come back soon', (code) => {
    const direct = toAppError(Object.assign(new Error('connect 10.0.0.5:5432'), { code }));
    const wrapped = toAppError(new Error('outer', { cause: Object.assign(new Error('inner'), { code }) }));
    for (const error of [direct, wrapped]) {
      expect(error).toMatchObject({ code: 'unavailable', status: 503, headers: { 'Retry-After': '5' } });
      expect(error.message).not.toContain('10.0.0.5');
    }
  });

  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EMFILE', 'EACCES', '53100'])(
    'of a disk that fails (%s): come back later',
    (code) => {
      const error = toAppError(Object.assign(new Error('write /var/lib/frontdesk/files'), { code }));
      expect(error).toMatchObject({ code: 'unavailable', status: 503, headers: { 'Retry-After': '60' } });
      expect(error.message).not.toContain('/var');
    },
  );

  test('of a pool that waited in vain: come back soon', () => {
    expect(toAppError(new Error('timeout exceeded when trying to connect')).code).toBe('unavailable');
    for (const message of [
      'Connection terminated unexpectedly',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
      'Cannot use a pool after calling end on the pool',
    ])
      expect(toAppError(new Error(message)).code).toBe('unavailable');
  });

  test('of causes in a circle: an answer', () => {
    const error = new Error('a');
    error.cause = new Error('b', { cause: error });
    expect(toAppError(error).code).toBe('internal_error');
  });
});

test('bad fields are all named', () => {
  expect(invalidFields({ name: 'is required' }).message).toBe('name: is required');
  expect(invalidFields({ a: 'x', b: 'y' })).toMatchObject({
    message: '2 fields are invalid: a, b',
    details: { fields: { a: 'x', b: 'y' } },
  });
});

test('statuses are those the API documents', () => {
  for (const [code, { status, title }] of Object.entries(errorTable)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect([400, 401, 403, 404, 405, 408, 409, 412, 413, 415, 422, 429, 500, 503]).toContain(status);
    expect(new AppError(code as keyof typeof errorTable, 'x')).toMatchObject({ status, title });
  }
});
