import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { Series } from '../../platform/ical/series';
import { datePartsOf, recurrenceLabel, reminderLabel, shortWhenLabel, startsInLabel, whenLabel, whenParts } from './labels';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Local times of the zone, such as `2026-11-24T09:00`. */
function series(from: string, to: string, other: Partial<Series> = {}): Series {
  const timezone = other.timezone ?? 'Europe/Berlin';
  const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds;
  return { start: at(from), end: at(to), timezone, allDay: false, frequency: 'none', until: null, ...other };
}

const nine = series('2026-11-24T09:00', '2026-11-24T10:00');
const wholeDays = (from: string, to: string, timezone = 'Europe/Berlin') => series(from, to, { allDay: true, timezone });

describe('when', () => {
  test.each<[string, Series, string]>([
    ['an hour', nine, 'Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)'],
    [
      'over midnight',
      series('2026-11-24T22:00', '2026-11-25T01:00'),
      'Tuesday, 24 November 2026, 22:00 – Wednesday, 25 November 2026, 01:00 (Europe/Berlin, GMT+1)',
    ],
    ['UTC', { ...nine, timezone: 'UTC' }, 'Tuesday, 24 November 2026, 08:00–09:00 (UTC)'],
    ['no offset', { ...nine, timezone: 'Europe/London' }, 'Tuesday, 24 November 2026, 08:00–09:00 (Europe/London, GMT)'],
    ['half hours', { ...nine, timezone: 'Asia/Kolkata' }, 'Tuesday, 24 November 2026, 13:30–14:30 (Asia/Kolkata, GMT+5:30)'],
    [
      'behind UTC',
      { ...nine, timezone: 'America/St_Johns' },
      'Tuesday, 24 November 2026, 04:30–05:30 (America/St_Johns, GMT-3:30)',
    ],
    [
      'the clocks go forward',
      series('2027-03-28T01:30', '2027-03-28T03:30'),
      'Sunday, 28 March 2027, 01:30–03:30 (Europe/Berlin, GMT+1, then GMT+2)',
    ],
    [
      'the hour that comes twice',
      { ...nine, start: Date.UTC(2026, 9, 25, 0, 30), end: Date.UTC(2026, 9, 25, 1, 30) },
      'Sunday, 25 October 2026, 02:30–02:30 (Europe/Berlin, GMT+2, then GMT+1)',
    ],
    ['a day', wholeDays('2026-11-24T00:00', '2026-11-25T00:00'), 'Tuesday, 24 November 2026, all day'],
    ['a day by its times', wholeDays('2026-11-24T09:00', '2026-11-24T10:00'), 'Tuesday, 24 November 2026, all day'],
    ['days', wholeDays('2026-11-24T00:00', '2026-11-27T00:00'), 'Tuesday, 24 – Thursday, 26 November 2026, all day'],
    ['a minute past', wholeDays('2026-11-24T00:00', '2026-11-25T00:01'), 'Tuesday, 24 – Wednesday, 25 November 2026, all day'],
    ['two months', wholeDays('2026-11-30T00:00', '2026-12-02T00:00'), 'Monday, 30 November – Tuesday, 1 December 2026, all day'],
    [
      'two years',
      wholeDays('2026-12-31T00:00', '2027-01-02T00:00'),
      'Thursday, 31 December 2026 – Friday, 1 January 2027, all day',
    ],
    // That Sunday has no midnight: it begins at one o'clock, where the Saturday before it ends.
    [
      'until a midnight that is none',
      wholeDays('2026-09-05T00:00', '2026-09-06T00:00', 'America/Santiago'),
      'Saturday, 5 September 2026, all day',
    ],
  ])('%s', (_, span, words) => {
    expect(whenLabel(span)).toBe(words);
  });

  test("a viewer's zone moves times, and leaves whole days alone", () => {
    expect(whenLabel(nine, { timezone: 'Asia/Tokyo' })).toBe('Tuesday, 24 November 2026, 17:00–18:00 (Asia/Tokyo, GMT+9)');
    expect(whenLabel(nine, { timezone: 'Pacific/Honolulu' })).toBe(
      'Monday, 23 November 2026, 22:00–23:00 (Pacific/Honolulu, GMT-10)',
    );
    const whole = wholeDays('2026-11-24T00:00', '2026-11-25T00:00');
    expect(whenLabel(whole, { timezone: 'Pacific/Honolulu' })).toBe('Tuesday, 24 November 2026, all day');
  });

  test("a viewer's locale", () => {
    expect(whenLabel(nine, { locale: 'en-US' }).replace(/\s/g, ' ')).toBe(
      'Tuesday, November 24, 2026, 9:00 AM–10:00 AM (Europe/Berlin, GMT+1)',
    );
    expect(whenLabel(wholeDays('2026-11-24T00:00', '2026-11-26T00:00'), { locale: 'de' })).toBe(
      'Dienstag, 24. November 2026 – Mittwoch, 25. November 2026, all day',
    );
  });

  test('the zone apart, for those who show it smaller', () => {
    expect(whenParts(nine)).toEqual({ times: 'Tuesday, 24 November 2026, 09:00–10:00', zone: 'Europe/Berlin, GMT+1' });
    expect(whenParts(wholeDays('2026-11-24T00:00', '2026-11-25T00:00')).zone).toBeNull();
  });

  test('an unknown zone is an error', () => {
    expect(() => whenLabel({ ...nine, timezone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  test('dates and times are those of Temporal, at any time in any zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
    ];
    const latest = Date.UTC(2100, 0, 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: latest }),
        fc.integer({ min: 1, max: 10 * day }),
        (timezone, start, length) => {
          const [from, to] = [start, start + length].map((at) =>
            Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone),
          );
          const words = whenLabel({ start, end: start + length, timezone, allDay: false });
          const time = (at = from) => at?.toPlainTime().toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
          const date = (at = from) => `${at?.day} ${at?.toLocaleString('en-US', { month: 'long' })} ${at?.year}`;
          expect(words).toContain(`, ${date()}, ${time()}`);
          if (from?.toPlainDate().equals(to?.toPlainDate() ?? '')) expect(words).toContain(`${time()}–${time(to)} (`);
          else expect(words).toContain(`${date(to)}, ${time(to)} (`);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test('short, for subjects and leaves', () => {
  expect(shortWhenLabel(nine)).toBe('Tue 24 Nov 2026, 09:00 (Europe/Berlin)');
  expect(shortWhenLabel({ ...nine, start: Date.UTC(2026, 8, 1, 22, 30) })).toBe('Wed 2 Sep 2026, 00:30 (Europe/Berlin)');
  expect(shortWhenLabel(wholeDays('2026-11-24T00:00', '2026-11-25T00:00'))).toBe('Tue 24 Nov 2026');
  expect(shortWhenLabel(wholeDays('2026-11-24T00:00', '2026-11-27T00:00'))).toBe('Tue 24 – Thu 26 Nov 2026');
  expect(shortWhenLabel(wholeDays('2026-11-30T00:00', '2026-12-02T00:00'))).toBe('Mon 30 Nov – Tue 1 Dec 2026');
  expect(datePartsOf({ ...nine, start: Date.UTC(2026, 8, 1, 22, 30) })).toEqual({ weekday: 'Wed', day: '2', month: 'Sep' });
});

describe('how often', () => {
  const on = (date: string, frequency: Series['frequency'], until: number | null = null, time = '09:00') =>
    series(`${date}T${time}`, `${date}T23:00`, { frequency, until });

  test.each<[Series, string]>([
    [nine, 'Does not repeat'],
    [on('2026-11-24', 'daily'), 'Every day'],
    [on('2026-11-24', 'weekly'), 'Every week on Tuesday'],
    [on('2026-11-24', 'biweekly'), 'Every two weeks on Tuesday'],
    [on('2026-11-01', 'monthly'), 'Every month on the 1st'],
    [on('2026-11-02', 'monthly'), 'Every month on the 2nd'],
    [on('2026-11-11', 'monthly'), 'Every month on the 11th'],
    [on('2026-11-22', 'monthly'), 'Every month on the 22nd'],
    [on('2026-11-23', 'monthly'), 'Every month on the 23rd'],
    [on('2026-11-28', 'monthly'), 'Every month on the 28th'],
    [on('2026-11-29', 'monthly'), 'Every month on the 29th (skips shorter months)'],
    [on('2026-10-31', 'monthly'), 'Every month on the 31st (skips shorter months)'],
    [on('2026-11-24', 'yearly'), 'Every year on 24 November'],
    [on('2028-02-29', 'yearly'), 'Every year on 29 February (leap years only)'],
  ])('%#: %j', (given, words) => {
    expect(recurrenceLabel(given)).toBe(words);
  });

  test("the weekday is that of the event's zone, not of UTC", () => {
    expect(recurrenceLabel(on('2026-11-24', 'weekly', null, '00:30'))).toBe('Every week on Tuesday');
    expect(recurrenceLabel({ ...on('2026-11-24', 'weekly', null, '00:30'), timezone: 'UTC' })).toBe('Every week on Monday');
  });

  test.each<[string, number, string]>([
    ['a date as a whole', Date.UTC(2027, 2, 4), 'Every day, until 4 March 2027'],
    ['a moment after that day began it', Date.UTC(2027, 2, 4, 8, 0), 'Every day, until 4 March 2027'],
    ['a moment too early for that day', Date.UTC(2027, 2, 4, 7, 59), 'Every day, until 3 March 2027'],
    ['a moment that is the next day in the zone', Date.UTC(2027, 2, 4, 23, 30), 'Every day, until 4 March 2027'],
  ])('until %s', (_, until, words) => {
    expect(recurrenceLabel(on('2026-11-24', 'daily', until))).toBe(words);
  });

  test('a date as a whole is that date also where UTC is behind or ahead', () => {
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Honolulu'])
      expect(
        recurrenceLabel(
          series('2026-11-24T23:30', '2026-11-24T23:45', { timezone, frequency: 'daily', until: Date.UTC(2027, 2, 4) }),
        ),
      ).toBe('Every day, until 4 March 2027');
  });
});

test.each([
  [10, 'minutes', '10 minutes before'],
  [1, 'hours', '1 hour before'],
  [1, 'days', '1 day before'],
  [0, 'minutes', 'When it starts'],
] as const)('a reminder of %i %s', (value, unit, words) => {
  expect(reminderLabel({ value, unit })).toBe(words);
});

describe('how soon', () => {
  test.each<[number, string | null]>([
    [10 * minute, 'in 10 minutes'],
    [10 * minute - 20_000, 'in 10 minutes'],
    [minute, 'in 1 minute'],
    [0, 'now'],
    [-20_000, 'now'],
    [-minute, null],
    [hour, 'in 1 hour'],
    [90 * minute, 'in 90 minutes'],
    [2 * hour + 10 * minute, 'in 2 hours'],
    [day, 'in 1 day'],
    [36 * hour, 'in 36 hours'],
    [3 * day + hour, 'in 3 days'],
  ])('%i ms before it: %s', (before, words) => {
    expect(startsInLabel(nine, nine.start - before)).toBe(words);
  });

  test('whole days are counted by dates', () => {
    const whole = wholeDays('2026-11-24T00:00', '2026-11-25T00:00');
    expect(startsInLabel(whole, whole.start + 9 * hour)).toBe('today');
    expect(startsInLabel(whole, whole.start - minute)).toBe('tomorrow');
    expect(startsInLabel(whole, whole.start - 2 * day)).toBe('in 2 days');
    expect(startsInLabel(whole, whole.start + day)).toBeNull();
  });
});
