import { expect, test, vi } from 'vitest';
import { formatDay, formatMonth, toDayRows } from './days';

test('a bar is one metric of a day', () => {
  const days = [
    { day: '2026-11-20', tokens: 5, executions: 1 },
    { day: '2026-11-21', tokens: 0, executions: 2 },
  ];
  expect(toDayRows(days, 'executions')).toEqual([
    { day: '2026-11-20', value: 1 },
    { day: '2026-11-21', value: 2 },
  ]);
});

test.each([
  ['Pacific/Honolulu', '14:00:00'],
  ['UTC', '00:00:00'],
  ['Asia/Tokyo', '09:00:00'],
])('a UTC day stays that day in %s', (timeZone, midnight) => {
  vi.stubEnv('TZ', timeZone);
  expect(new Date(0).toLocaleTimeString('en-GB')).toBe(midnight);
  expect(formatDay('2026-11-01', 'en-GB', 'short')).toBe('1 Nov');
  expect(formatDay('2026-11-01', 'en-GB', 'long')).toMatch(/^Sunday,? 1 November 2026$/);
  expect(formatMonth('2026-11-01T00:00:00.000Z', 'en-GB')).toBe('November 2026');
});

test('dates are English, in the order the viewer is used to', () => {
  expect(formatDay('2026-11-01', 'en-US', 'short')).toBe('Nov 1');
  expect(formatDay('2026-11-01', 'de-DE', 'short')).toBe('1 Nov');
});
