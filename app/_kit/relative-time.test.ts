import { expect, test } from 'vitest';
import { describeSpan, describeTime } from './relative-time';

const now = new Date('2026-11-21T12:00:00Z');
const format = (time: Date, options: Intl.DateTimeFormatOptions) =>
  time.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' });

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T12:00:30Z', 'in a moment'],
  ['2026-11-21T11:15:00Z', '45 min ago'],
  ['2026-11-21T09:00:00Z', '3 h ago'],
  ['2026-11-20T11:00:00Z', '1 day ago'],
  ['2026-11-15T13:00:00Z', '5 days ago'],
  ['2026-11-22T14:00:00Z', 'in 1 day'],
  ['2026-11-10T12:00:00Z', '10 Nov'],
  ['2025-11-10T12:00:00Z', '10 Nov 2025'],
  ['2027-02-19T12:00:00Z', '19 Feb 2027'],
])('%s is %s', (time, expected) => {
  expect(describeTime(new Date(time), now, format)).toBe(expected);
});

test.each([
  ['2026-11-21T12:00:30Z', '1 min'],
  ['2026-11-21T09:00:00Z', '3 h'],
  ['2026-10-21T12:00:00Z', '31 days'],
])('the time since %s is %s', (time, expected) => {
  expect(describeSpan(new Date(time), now)).toBe(expected);
});
