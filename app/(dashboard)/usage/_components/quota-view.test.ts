import { expect, test } from 'vitest';
import { formatBytes, toQuotaView } from './quota-view';

test('a quota is fine, nearly used up, reached, or none at all', () => {
  expect(toQuotaView({ current: 10, limit: 200 })).toEqual({ state: 'fine', percent: 5 });
  expect(toQuotaView({ current: 160, limit: 200 })).toEqual({ state: 'nearly', percent: 80 });
  expect(toQuotaView({ current: 200, limit: 200 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 500, limit: 200 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 0, limit: 0 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 5, limit: -1 })).toEqual({ state: 'unlimited', percent: 0 });
});

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
