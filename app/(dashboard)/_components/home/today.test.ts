import { expect, test } from 'vitest';
import { eventHref, isNow, laterLabel, todayLabel, todayOf } from './today';

const zone = 'America/New_York';
const viewer = { locale: 'en-GB', zone };

/** 22:30 on Monday the 23rd in New York. */
const now = new Date('2026-11-24T03:30:00Z');

const timed = (start: string, end: string) => ({ id: start, start, end, days: null, occurrenceStart: null });
const whole = (first: string, last: string) => ({
  id: first,
  start: `${first}T00:00:00.000Z`,
  end: `${last}T23:00:00.000Z`,
  days: { first, last },
  occurrenceStart: null,
});

test('today is the viewer’s day, and what is over is not listed', () => {
  const over = timed('2026-11-24T02:00:00Z', '2026-11-24T03:30:00Z');
  const on = timed('2026-11-24T03:00:00Z', '2026-11-24T04:00:00Z');
  const tonight = timed('2026-11-24T04:59:00Z', '2026-11-24T06:00:00Z');
  const tomorrow = timed('2026-11-24T05:00:00Z', '2026-11-24T06:00:00Z');
  expect(todayOf([over, on, tonight, tomorrow], now, zone)).toEqual({ today: [on, tonight], next: tomorrow });
  expect(isNow(on, now)).toBe(true);
  expect(isNow(tonight, now)).toBe(false);
});

test('whole days are dates, come first, and are not shifted by the zone', () => {
  const on = timed('2026-11-24T03:00:00Z', '2026-11-24T04:00:00Z');
  const today = whole('2026-11-22', '2026-11-23');
  const tomorrow = whole('2026-11-24', '2026-11-24');
  expect(todayOf([whole('2026-11-22', '2026-11-22'), on, today, tomorrow], now, zone)).toEqual({
    today: [today, on],
    next: tomorrow,
  });
  expect(isNow(today, now)).toBe(false);
});

test('times are told as far as they concern today', () => {
  const words = (start: string, end: string) => todayLabel(timed(start, end), now, viewer);
  expect(words('2026-11-24T03:00:00Z', '2026-11-24T04:00:00Z')).toBe('22:00 – 23:00');
  expect(words('2026-11-23T04:00:00Z', '2026-11-24T04:00:00Z')).toBe('until 23:00');
  expect(words('2026-11-24T03:00:00Z', '2026-11-24T08:00:00Z')).toBe('from 22:00');
  expect(words('2026-11-23T04:00:00Z', '2026-11-25T08:00:00Z')).toBe('All day');
  expect(words('2026-11-24T04:00:00Z', '2026-11-24T05:00:00Z')).toBe('23:00 – 00:00');
  expect(todayLabel(whole('2026-11-23', '2026-11-23'), now, viewer)).toBe('All day');
});

test('what is later has its date, and the year where it is another one', () => {
  expect(laterLabel(timed('2026-12-01T15:00:00Z', '2026-12-01T16:00:00Z'), now, viewer)).toBe('Tue 1 Dec, 10:00');
  expect(laterLabel(whole('2027-01-01', '2027-01-01'), now, viewer)).toMatch(/^Fri,? 1 Jan 2027$/);
});

test('a link leads to the viewer’s date, and to the occurrence of a series', () => {
  expect(eventHref(timed('2026-11-24T03:00:00Z', ''), zone)).toBe('/calendar?date=2026-11-23&event=2026-11-24T03%3A00%3A00Z');
  expect(eventHref({ ...whole('2026-11-24', '2026-11-24'), id: 'x', occurrenceStart: '2026-11-24T00:00:00.000Z' }, zone)).toBe(
    '/calendar?date=2026-11-24&event=x&at=2026-11-24T00%3A00%3A00.000Z',
  );
});
