import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { meets, nextStart, occurrencesAfter, occurrencesBetween, spanOf } from './recurrence';
import { type Frequency, frequencies, type Occurrence, type Series } from './series';

const hour = 3_600_000;
const day = 24 * hour;
const lastMoment = 253_402_300_799_999;

const zones = [
  'Africa/Casablanca',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Toronto',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'UTC',
];

const zonedDate = (instant: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** True if a series takes place on this date, judged by dates alone. */
function fallsOn(date: Temporal.PlainDate, first: Temporal.PlainDate, frequency: Frequency): boolean {
  const days = first.until(date).days;
  if (days < 0) return false;
  switch (frequency) {
    case 'none':
      return days === 0;
    case 'daily':
      return true;
    case 'weekly':
      return days % 7 === 0;
    case 'biweekly':
      return days % 14 === 0;
    case 'monthly':
      return date.day === first.day;
    case 'yearly':
      return date.day === first.day && date.month === first.month;
  }
}

/** The occurrences that meet a window, found by enumerating its dates. */
function walk(series: Series, from: number, to: number): Occurrence[] {
  const { timezone } = series;
  const begin = zonedDate(series.start, timezone);
  const first = begin.toPlainDate();
  const touched = first.until(zonedDate(Math.max(series.start, series.end - 1), timezone).toPlainDate()).days + 1;
  const found = new Map<number, Occurrence>();
  const reach = series.end - series.start + 4 * day;
  let date = zonedDate(Math.max(series.start, from - reach), timezone)
    .toPlainDate()
    .subtract({ days: 1 });
  const last = zonedDate(Math.min(to, lastMoment), timezone).toPlainDate().add({ days: 2 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    if (!fallsOn(date, first, series.frequency)) continue;
    const isFirst = date.equals(first);
    let occurrence: Occurrence;
    if (series.allDay) {
      const midnight = date.toZonedDateTime(timezone);
      // A date that the zone skipped.
      if (!midnight.toPlainDate().equals(date)) continue;
      occurrence = {
        start: midnight.epochMilliseconds,
        end: date.add({ days: touched }).toZonedDateTime(timezone).epochMilliseconds,
      };
    } else {
      const start = isFirst
        ? series.start
        : date.toPlainDateTime(begin.toPlainTime()).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
      occurrence = { start, end: start + series.end - series.start };
    }
    if (!isFirst && series.until !== null) {
      const lastDate = series.until % day === 0 ? zonedDate(series.until, 'UTC').toPlainDate() : undefined;
      if (lastDate ? Temporal.PlainDate.compare(date, lastDate) > 0 : occurrence.start > series.until) continue;
    }
    if (occurrence.end > lastMoment) continue;
    if (occurrence.start < to && occurrence.end > from && !found.has(occurrence.start)) found.set(occurrence.start, occurrence);
  }
  return [...found.values()];
}

function take<Value>(values: Iterable<Value>, count: number): Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
}

/** Times of day at which clocks change, and any other. */
const timeOfDay = fc.oneof(
  fc.constantFrom(0, 1, 15, 30, 60, 90, 120, 135, 150, 180, 1410, 1439),
  fc.integer({ min: 0, max: 1439 }),
);
const monthDay = fc.oneof(
  fc.constantFrom([1, 29], [1, 31], [2, 28], [2, 29], [3, 31], [10, 25], [12, 30], [12, 31]),
  fc.constant(null),
);

const series = fc
  .record({
    timezone: fc.constantFrom(...zones),
    year: fc.oneof(fc.integer({ min: 1900, max: 2060 }), fc.constantFrom(1900, 1993, 1996, 2010, 2011, 2096)),
    monthDay,
    dayOfYear: fc.integer({ min: 0, max: 364 }),
    minutes: timeOfDay,
    later: fc.boolean(),
    allDay: fc.boolean(),
    frequency: fc.constantFrom(...frequencies),
    length: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1440, 2880), fc.integer({ min: 1, max: 60 * 1440 })),
    end: fc.constantFrom('never', 'date', 'moment', 'occurrence'),
    goesOn: fc.integer({ min: 0, max: 3000 }),
  })
  .map(({ timezone, year, monthDay: date, dayOfYear, minutes, later, allDay, frequency, length, end, goesOn }): Series => {
    const local = date
      ? Temporal.PlainDate.from({ year, month: date[0] ?? 1, day: date[1] ?? 1 })
      : Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: dayOfYear });
    const start = local
      .toPlainDateTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
      .toZonedDateTime(timezone, { disambiguation: later ? 'later' : 'earlier' }).epochMilliseconds;
    const until = {
      never: null,
      date: Math.floor(start / day + goesOn + 1) * day,
      moment: start + goesOn * 7 * hour,
      occurrence: local
        .add({ days: goesOn })
        .toPlainDateTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
        .toZonedDateTime(timezone).epochMilliseconds,
    };
    const lasting = Math.max(start, until[end] ?? start);
    return {
      timezone,
      start,
      end: start + length * 60_000,
      allDay,
      frequency,
      until: until[end] === null ? null : lasting,
    };
  });

/** Windows near the start, or anywhere. */
const window = fc.record({
  away: fc.oneof(fc.integer({ min: -3 * 1440, max: 800 * 1440 }), fc.integer({ min: 0, max: 7_900 * 365 * 1440 })),
  length: fc.oneof(fc.integer({ min: 1, max: 180 }), fc.integer({ min: 1, max: 90 * 1440 })),
});

it('expands as a walk through the dates does', () => {
  fc.assert(
    fc.property(series, window, (event, { away, length }) => {
      const from = Math.min(event.start + away * 60_000, lastMoment - 100 * day);
      const to = from + length * 60_000;
      const expected = walk(event, from, to);
      expect([...occurrencesBetween(event, from, to)]).toEqual(expected);
      expect(meets(event, from, to)).toBe(expected.length > 0);
      const next = nextStart(event, from);
      const started = expected.find(({ start }) => start > from);
      if (started) expect(next).toEqual(started);
      else expect(next?.start ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(to);
    }),
    { numRuns: 1500 },
  );
});

it('meets a window exactly when an occurrence does, also at the edges of occurrences', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 0, max: 6 }), fc.integer({ min: -1, max: 1 }), (event, skipped, off) => {
      const occurrence = take(occurrencesAfter(event, event.start - 1), skipped + 1).at(-1);
      if (!occurrence) return;
      for (const edge of [occurrence.start + off, occurrence.end + off]) {
        for (const [from, to] of [
          [edge - hour, edge],
          [edge, edge + hour],
        ] as const) {
          const expected = walk(event, from, to);
          expect(meets(event, from, to)).toBe(expected.length > 0);
          expect([...occurrencesBetween(event, from, to)]).toEqual(expected);
        }
      }
    }),
    { numRuns: 150 },
  );
});

it('spans from the first start to the last end', () => {
  fc.assert(
    fc.property(series, (event) => {
      const { start, end } = spanOf(event);
      expect(start).toBe(walk(event, event.start - day, event.end + day)[0]?.start);
      if (end === null) {
        expect(event.until).toBeNull();
        return;
      }
      expect(event.frequency === 'none' || event.until !== null).toBe(true);
      const last = Math.max(end, event.until ?? end);
      expect(walk(event, end - 1, last).at(-1)?.end).toBe(end);
      expect(walk(event, end, last + 9 * 366 * day)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

const rules: Record<Exclude<Frequency, 'none'>, string> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  biweekly: 'WEEKLY;INTERVAL=2',
  monthly: 'MONTHLY',
  yearly: 'YEARLY',
};

it('expands as rrule-temporal does, which leaves out what clocks skip', () => {
  fc.assert(
    fc.property(series, (event) => {
      const { frequency, timezone } = event;
      if (frequency === 'none') return;
      // rrule-temporal's Temporal samples too rarely to see Morocco's Ramadan, or the double summer time of the 1940s.
      if (timezone === 'Africa/Casablanca' || event.start < 0) return;
      const begin = zonedDate(event.start, timezone);
      const rule = new RRuleTemporal({ rruleString: `FREQ=${rules[frequency]};COUNT=30`, dtstart: begin });
      const theirs = rule.all().map(({ epochMilliseconds }) => epochMilliseconds);
      const timed = { ...event, allDay: false, until: null };
      const ours = take(occurrencesAfter(timed, event.start), 60).map(({ start }) => start);
      const unmoved = ours.filter((start) => {
        const local = zonedDate(start, timezone);
        const sameTime = local.toPlainTime().equals(begin.toPlainTime());
        return sameTime && fallsOn(local.toPlainDate(), begin.toPlainDate(), frequency);
      });
      expect(unmoved.slice(0, theirs.length)).toEqual(theirs);
      for (const moved of ours.filter((start) => !unmoved.includes(start))) {
        const change = zonedDate(moved + 1, timezone).getTimeZoneTransition('previous');
        expect(moved - (change?.epochMilliseconds ?? 0)).toBeLessThanOrEqual(day);
      }
    }),
    { numRuns: 300 },
  );
});
