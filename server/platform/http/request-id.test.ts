import { describe, expect, test } from 'vitest';
import { requestIdOf } from './request-id';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a request id', () => {
  test.each(['7', 'req-1', '5f0c6a52-3d1f-4f0e-9a39-0a4b8f6f7c11', 'Root=1-67891233:abc.def_0', 'x'.repeat(128)])(
    '%s is kept',
    (id) => {
      expect(requestIdOf(id)).toBe(id);
    },
  );

  test.each([
    null,
    undefined,
    '',
    'x'.repeat(129),
    'has space',
    'new\nline-id',
    'semi;colon-id',
    '<script>alert',
    'ümlaut-id',
    'a, b, c, d',
  ])('%j is replaced', (id) => {
    expect(requestIdOf(id)).toMatch(uuid);
  });

  test('is a new one each time', () => {
    expect(requestIdOf(null)).not.toBe(requestIdOf(null));
  });
});
