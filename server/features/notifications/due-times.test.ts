import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayLength, localTime } from '@/server/platform/ical/zones';
import { afterQuietHours, dueTimes, nextDigest, type PersonalClock } from './due-times';

const at = (text: string) => Date.parse(text);
const text = (instant: number) => new Date(instant).toISOString();

const clock = (zone: string, quiet?: `${string}-${string}`): PersonalClock => {
  const [from = '', to = ''] = quiet?.split('-') ?? [];
  return { zone, quietHours: quiet ? { from, to } : null };
};

describe('quiet hours', () => {
  test.each([
    // From 22:00 until 07:00 in Berlin, winter: UTC+1.
    ['2026-11-26T20:59:59Z', 'Europe/Berlin', '22:00-07:00', '2026-11-26T20:59:59.000Z'],
    ['2026-11-26T21:00:00Z', 'Europe/Berlin', '22:00-07:00', '2026-11-27T06:00:00.000Z'],
    ['2026-11-27T05:59:59Z', 'Europe/Berlin', '22:00-07:00', '2026-11-27T06:00:00.000Z'],
    ['2026-11-27T06:00:00Z', 'Europe/Berlin', '22:00-07:00', '2026-11-27T06:00:00.000Z'],
    // Within one day.
    ['2026-11-26T12:30:00Z', 'Europe/Berlin', '13:00-14:00', '2026-11-26T13:00:00.000Z'],
    // The night before summer time is an hour shorter, the one before winter time longer.
    ['2026-03-28T22:00:00Z', 'Europe/Berlin', '22:00-07:00', '2026-03-29T05:00:00.000Z'],
    ['2026-10-24T21:00:00Z', 'Europe/Berlin', '22:00-07:00', '2026-10-25T06:00:00.000Z'],
    ['2026-03-08T04:00:00Z', 'America/New_York', '22:00-07:00', '2026-03-08T11:00:00.000Z'],
    ['2026-11-01T03:00:00Z', 'America/New_York', '22:00-07:00', '2026-11-01T12:00:00.000Z'],
    // 02:30 is skipped: they end with the gap, at 03:00.
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '22:00-02:30', '2026-03-29T01:00:00.000Z'],
    // 02:30 comes twice: from the first 02:10 they end at the first, from the second at the second.
    ['2026-10-25T00:10:00Z', 'Europe/Berlin', '22:00-02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T01:10:00Z', 'Europe/Berlin', '22:00-02:30', '2026-10-25T01:30:00.000Z'],
    // Samoa skipped 30 December 2011. What ended in it goes on until the next morning.
    ['2011-12-30T09:00:00Z', 'Pacific/Apia', '22:00-07:00', '2011-12-30T17:00:00.000Z'],
    // Summer time in Samoa, until 2021.
    ['2020-09-26T10:00:00Z', 'Pacific/Apia', '22:00-07:00', '2020-09-26T17:00:00.000Z'],
    ['2020-04-04T09:00:00Z', 'Pacific/Apia', '22:00-07:00', '2020-04-04T18:00:00.000Z'],
  ] as const)('at %s in %s, quiet %s: from %s on', (now, zone, quiet, expected) => {
    expect(text(afterQuietHours(at(now), clock(zone, quiet)))).toBe(expected);
  });

  test('none: at once', () => {
    expect(text(afterQuietHours(at('2026-11-26T02:00:00Z'), clock('Europe/Berlin')))).toBe('2026-11-26T02:00:00.000Z');
  });
});

describe('the daily email', () => {
  test.each([
    ['2026-11-26T06:59:59Z', 'Europe/Berlin', undefined, '2026-11-26T07:00:00.000Z'],
    ['2026-11-26T07:00:00Z', 'Europe/Berlin', undefined, '2026-11-27T07:00:00.000Z'],
    ['2026-11-26T07:00:00Z', 'UTC', undefined, '2026-11-26T08:00:00.000Z'],
    // Before and after both clock changes.
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', undefined, '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', undefined, '2026-10-25T07:00:00.000Z'],
    ['2026-03-07T20:00:00Z', 'America/New_York', undefined, '2026-03-08T12:00:00.000Z'],
    ['2026-10-31T20:00:00Z', 'America/New_York', undefined, '2026-11-01T13:00:00.000Z'],
    // The morning of the day that Samoa skipped.
    ['2011-12-29T20:00:00Z', 'Pacific/Apia', undefined, '2011-12-30T18:00:00.000Z'],
    // Quiet hours that end later, and earlier.
    ['2026-11-26T12:00:00Z', 'Europe/Berlin', '22:00-10:30', '2026-11-27T09:30:00.000Z'],
    ['2026-11-26T12:00:00Z', 'Europe/Berlin', '22:00-07:00', '2026-11-27T07:00:00.000Z'],
  ] as const)('after %s in %s, quiet %s: at %s', (now, zone, quiet, expected) => {
    expect(text(nextDigest(at(now), clock(zone, quiet)))).toBe(expected);
  });
});

test('each channel has its own time', () => {
  const night = at('2026-11-26T23:00:00Z');
  const quiet = clock('UTC', '22:00-06:00');
  const times = (email: 'off' | 'immediately' | 'daily', push: boolean) => {
    const { mail, push: pushed } = dueTimes({ inApp: true, email, push }, quiet, night);
    return [mail && text(mail), pushed && text(pushed)];
  };
  expect(times('off', false)).toEqual([null, null]);
  expect(times('immediately', true)).toEqual(['2026-11-27T06:00:00.000Z', '2026-11-27T06:00:00.000Z']);
  expect(times('daily', false)).toEqual(['2026-11-27T08:00:00.000Z', null]);
});

const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const time = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);
const quietHours = fc.tuple(time, time).filter(([from, to]) => from !== to);
const instant = fc.integer({ min: at('2010-01-01T00:00:00Z') / 60_000, max: at('2030-01-01T00:00:00Z') / 60_000 });

/** Whether it is quiet, by the wall clock alone. */
function isQuiet(moment: number, zone: string, [from, to]: [string, string]): boolean {
  const wall = text(localTime(moment, zone)).slice(11, 16);
  return from < to ? wall >= from && wall < to : wall >= from || wall < to;
}

test('quiet hours end at the first minute that is not quiet, in any zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), quietHours, instant, (zone, hours, minutes) => {
      const now = minutes * 60_000;
      let expected = now;
      while (isQuiet(expected, zone, hours)) expected += 60_000;
      const [from, to] = hours;
      expect(text(afterQuietHours(now, { zone, quietHours: { from, to } }))).toBe(text(expected));
    }),
    { numRuns: 500 },
  );
});

test('the daily email is at the next 08:00 of the wall clock, or when it is no longer quiet', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.option(quietHours), instant, (zone, hours, minutes) => {
      const now = minutes * 60_000;
      let morning = now + 60_000;
      while (text(localTime(morning, zone)).slice(11, 16) !== '08:00') morning += 60_000;
      while (hours && isQuiet(morning, zone, hours)) morning += 60_000;
      const [from = '', to = ''] = hours ?? [];
      const found = nextDigest(now, { zone, quietHours: hours && { from, to } });
      expect(text(found)).toBe(text(morning));
      expect(found - now).toBeLessThan(3 * dayLength);
    }),
    { numRuns: 300 },
  );
});
