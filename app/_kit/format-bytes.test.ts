import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes';

test('bytes are written in their largest unit', () => {
  expect([0, 1, 999, 1_000, 1_250_000, 999_960, 1_000_000_000, 4e15].map((bytes) => formatBytes(bytes, 'en-GB'))).toEqual([
    '0\u00a0bytes',
    '1\u00a0byte',
    '999\u00a0bytes',
    '1\u00a0kB',
    '1.3\u00a0MB',
    '1\u00a0MB',
    '1\u00a0GB',
    '4\u00a0PB',
  ]);
});
