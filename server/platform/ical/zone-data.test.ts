import { expect, test } from 'vitest';
import { zoneDataAdvice } from './zone-data';

test.each([
  ['2025c', '2026-06-30', null],
  ['2025c', '2026-11-23', 'Time zone data is from 2025, so'],
  ['2026a', '2026-11-23', null],
  ['2026', '2027-12-01', 'Time zone data is from 2026, so'],
  ['', '2027-12-01', null],
])('data %j is old on %s: %j', (release, day, advice) => {
  expect(zoneDataAdvice(Date.parse(day), release)?.slice(0, advice?.length) ?? null).toBe(advice);
});
