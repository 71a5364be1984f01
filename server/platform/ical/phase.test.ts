import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MinuteRange, phaseOf, phasesOf } from './phase';
import { meets, occurrencesAfter } from './recurrence';
import { frequencies, type Series } from './series';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (iso: string) => Date.parse(iso);

const recurring = frequencies.filter((frequency) => frequency !== 'none');
const periods = { daily: 1, weekly: 7, biweekly: 14, monthly: 31, yearly: 366 };

const series = (start: number, length: number, more: Partial<Series> = {}): Series => ({
  start,
  end: start + length,
  timezone: 'UTC',
  allDay: false,
  frequency: 'daily',
  until: null,
  ...more,
});

const size = (range: MinuteRange | null) => (range ? range.to - range.from : Number.NaN);

/** The same check as the database's index. */
const isCandidate = (event: Series, from: number, to: number) => {
  const phase = phaseOf(event);
  return phase === null || phasesOf(from, to).some((range) => range.from < phase.to && phase.from < range.to);
};

const zone = fc.oneof(
  fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Africa/Casablanca', 'Australia/Lord_Howe'),
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
);
const start = fc.oneof(
  fc.integer({ min: at('1950-01-01T00:00Z') / minute, max: at('2100-01-01T00:00Z') / minute }),
  fc.integer({ min: at('1850-01-01T00:00Z') / minute, max: at('2600-01-01T00:00Z') / minute }),
);
const event = fc
  .record({
    start,
    timezone: zone,
    allDay: fc.boolean(),
    frequency: fc.constantFrom(...recurring),
    length: fc.oneof(
      fc.integer({ min: 0, max: 8 * 60 }),
      fc.integer({ min: 0, max: 4 * 1440 }),
      fc.integer({ min: 0, max: 130 * 1440 }),
    ),
    lasts: fc.option(fc.integer({ min: 0, max: 20_000 })),
  })
  .map(({ start: begin, timezone, allDay, frequency, length, lasts }) =>
    series(begin * minute, length * minute, {
      timezone,
      allDay,
      frequency,
      until: lasts === null ? null : begin * minute + lasts * day,
    }),
  );

describe('the guarantee', () => {
  it('holds for windows that just touch an occurrence', () => {
    const away = fc.oneof(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 200 * 366 }),
      fc.integer({ min: 0, max: 7000 * 366 }),
    );
    const length = fc.oneof(fc.integer({ min: 1, max: 3 * hour }), fc.integer({ min: 1, max: 400 * day }));
    fc.assert(
      fc.property(event, away, length, fc.double({ min: 0, max: 1, noNaN: true }), (one, days, long, part) => {
        const occurrence = occurrencesAfter(one, one.start + days * day).next().value;
        if (!occurrence || occurrence.start === occurrence.end) return;
        const { start: begin, end } = occurrence;
        const inside = begin + Math.floor((end - begin) * part);
        for (const [from, to] of [
          [begin + 1 - long, begin + 1],
          [end - 1, end - 1 + long],
          [inside, inside + long],
          [inside - long, inside],
        ] as const) {
          if (meets(one, from, to)) expect(isCandidate(one, from, to)).toBe(true);
        }
      }),
      { numRuns: 4000 },
    );
  });

  it('holds for windows anywhere', () => {
    fc.assert(
      fc.property(event, start, fc.integer({ min: 1, max: 60 * 1440 }), (one, from, length) => {
        const to = (from + length) * minute;
        if (meets(one, from * minute, to)) expect(isCandidate(one, from * minute, to)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('phaseOf', () => {
  it.each(recurring)('is as long as the event in UTC (%s)', (frequency) => {
    expect(size(phaseOf(series(at('2026-03-31T10:00Z'), 30 * minute, { frequency })))).toBe(30);
  });

  it('is longer by what the zone moves in the lifetime of the series', () => {
    const berlin = { timezone: 'Europe/Berlin' };
    expect(size(phaseOf(series(at('1970-01-01T09:00Z'), 30 * minute, { ...berlin, until: at('1979-06-01T00:00Z') })))).toBe(30);
    expect(size(phaseOf(series(at('1970-01-01T09:00Z'), 30 * minute, berlin)))).toBe(90);
    expect(size(phaseOf(series(at('2026-06-01T09:00Z'), 30 * minute, berlin)))).toBe(90);
    expect(size(phaseOf(series(at('2026-06-01T09:00Z'), 30 * minute, { timezone: 'Asia/Kathmandu' })))).toBe(30);
    expect(size(phaseOf(series(at('2026-06-01T09:00Z'), 30 * minute, { timezone: 'Australia/Lord_Howe' })))).toBe(60);
  });

  it('is a whole date for all-day events', () => {
    const allDay = { allDay: true, frequency: 'weekly' as const };
    expect(size(phaseOf(series(at('2026-06-01T09:00Z'), hour, allDay)))).toBe(1440);
    expect(size(phaseOf(series(at('2026-06-01T09:00Z'), day, allDay)))).toBe(2880);
  });

  it('is the same wherever in the series one begins', () => {
    const nextDay = (frequency: Series['frequency'], first: string, second: string) =>
      expect(phaseOf(series(at(first), hour, { frequency }))).toEqual(phaseOf(series(at(second), hour, { frequency })));
    nextDay('daily', '2026-06-01T09:00Z', '1970-02-28T09:00Z');
    nextDay('biweekly', '2026-06-01T09:00Z', '2026-06-15T09:00Z');
    nextDay('monthly', '2026-01-31T09:00Z', '2027-03-31T09:00Z');
    nextDay('yearly', '2024-12-24T09:00Z', '2025-12-24T09:00Z');
    nextDay('yearly', '2024-02-29T09:00Z', '2028-02-29T09:00Z');
  });

  it('is null where it would say little', () => {
    expect(phaseOf(series(0, hour, { frequency: 'none' }))).toBeNull();
    expect(phaseOf(series(0, 9 * hour))).toBeNull();
    expect(phaseOf(series(0, hour, { allDay: true }))).toBeNull();
    expect(phaseOf(series(0, 3 * day, { frequency: 'weekly' }))).toBeNull();
    // A zone that crossed the date line.
    expect(phaseOf(series(0, hour, { timezone: 'Pacific/Apia' }))).toBeNull();
    expect(phaseOf(series(0, hour, { timezone: 'Pacific/Apia', frequency: 'weekly' }))).not.toBeNull();
  });
});

describe('phasesOf', () => {
  it('gives few ranges, sorted and disjoint, that fit the column', () => {
    fc.assert(
      fc.property(start, fc.integer({ min: 0, max: 500 * 1440 }), (from, length) => {
        const ranges = phasesOf(from * minute, (from + length) * minute);
        expect(ranges.length).toBeLessThanOrEqual(15);
        let reached = 0;
        for (const range of ranges) {
          expect(range.from).toBeGreaterThan(reached);
          expect(range.to).toBeGreaterThan(range.from);
          reached = range.to;
        }
        expect(reached).toBeLessThan(2 ** 31);
      }),
    );
  });

  it('gives one range a frequency for a window without bounds', () => {
    const all = phasesOf(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    expect(all).toHaveLength(5);
    expect(phasesOf(0, 367 * day)).toEqual(all);
  });

  it.each(recurring)('leaves few candidates for an hour (%s)', (frequency) => {
    const minutes = periods[frequency] * 1440;
    const step = Math.ceil(minutes / 3000);
    const begin = at('2026-01-01T00:00Z');
    const phases: (MinuteRange | null)[] = [];
    for (let offset = 0; offset < minutes; offset += step) {
      phases.push(phaseOf(series(begin + offset * minute, hour / 2, { frequency })));
    }
    for (let window = 0; window < 40; window += 1) {
      const from = at('2031-05-05T00:20Z') + window * 31 * hour;
      const ranges = phasesOf(from, from + hour);
      const candidates = phases.filter(
        (phase) => !phase || ranges.some((range) => range.from < phase.to && phase.from < range.to),
      );
      // An hour and a half of starts, and one more for the grid.
      expect(candidates.length).toBeLessThanOrEqual(Math.ceil(90 / step) + 1);
    }
  });
});
