import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { createTestEvent, freeAt, listTestEvents } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import type { CreateEventRequest } from './calendar.schema';

withFreshDatabase();

const hour = 3_600_000;
const day = 24 * hour;
const base = Date.UTC(2026, 2, 26);

/**
 * Computes the occurrences of an event day by day in local time, independently of the code under test: only Intl maps dates to
 * instants.
 */
function bruteForce(event: CreateEventRequest, last: number): { start: number; end: number }[] {
  const [start, end] = [Date.parse(event.startTime), Date.parse(event.endTime)];
  const { timezone = 'UTC', recurrence = 'none', allDay = false } = event;
  const first = localOf(start, timezone);
  const firstDay = Math.floor(first / day);
  const days = Math.ceil(localOf(end, timezone) / day) - firstDay;
  const found: { start: number; end: number }[] = [];
  for (let date = firstDay; date * day < last + 2 * day; date++) {
    if (!takesPlace(date, firstDay, recurrence)) continue;
    if (event.recurrenceEndDate && date * day > Date.parse(event.recurrenceEndDate) && date !== firstDay) break;
    if (allDay) found.push({ start: instantAt(date * day, timezone), end: instantAt((date + days) * day, timezone) });
    else {
      const at = instantAt(date * day + (first - firstDay * day), timezone);
      found.push({ start: at, end: at + (end - start) });
    }
  }
  return found;
}

function takesPlace(date: number, first: number, recurrence: string): boolean {
  if (recurrence === 'none') return date === first;
  if (recurrence === 'daily') return true;
  if (recurrence === 'weekly') return (date - first) % 7 === 0;
  if (recurrence === 'biweekly') return (date - first) % 14 === 0;
  const [a, b] = [new Date(date * day), new Date(first * day)];
  return a.getUTCDate() === b.getUTCDate() && (recurrence === 'monthly' || a.getUTCMonth() === b.getUTCMonth());
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...numeric });
  formats.set(timeZone, format);
  return format;
}

/** The wall clock at an instant, as if it were UTC. */
function localOf(instant: number, timezone: string): number {
  const parts = formatOf(timezone).formatToParts(instant);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === wanted)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The first instant with this wall clock; for a skipped time, the one after the gap of an hour. */
function instantAt(local: number, timezone: string): number {
  const guesses = [...new Set([-day, 0, day].map((shift) => local - (localOf(local + shift, timezone) - (local + shift))))];
  const exact = guesses.filter((guess) => localOf(guess, timezone) === local);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...guesses);
}

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const randomEvent = fc
  .record({
    start: fc.integer({ min: -40 * 24 * 4, max: 10 * 24 * 4 }).map((quarters) => base + (quarters * hour) / 4),
    length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 })).map((quarters) => (quarters * hour) / 4),
    timezone: fc.constantFrom(...zones),
    allDay: fc.boolean(),
    recurrence: fc.constantFrom(
      'none' as const,
      'daily' as const,
      'weekly' as const,
      'biweekly' as const,
      'monthly' as const,
      'yearly' as const,
    ),
    lastsDays: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    isCancelled: fc.boolean(),
  })
  .map(({ start, length, lastsDays, isCancelled, ...event }) => {
    const localDay = Math.floor(localOf(start, event.timezone) / day);
    return {
      isCancelled,
      event: {
        ...event,
        title: 'Random',
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + length).toISOString(),
        ...(lastsDays === undefined
          ? {}
          : { recurrenceEndDate: new Date((localDay + lastsDays) * day).toISOString().slice(0, 10) }),
      } satisfies CreateEventRequest,
    };
  });

const window = fc
  .record({
    start: fc.integer({ min: -15 * 24 * 4, max: 30 * 24 * 4 }),
    length: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4000 })),
  })
  .map(({ start, length }) => ({ from: base + (start * hour) / 4, to: base + ((start + length) * hour) / 4 }));

describe('against a walk over all dates', () => {
  test('availability finds the same conflicts, and lists the same events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomEvent, { minLength: 1, maxLength: 8 }),
        fc.array(window, { minLength: 3, maxLength: 3 }),
        async (events, windows) => {
          const { actor } = await createTestIdentity();
          const expected: { id: string; start: number; end: number; isCancelled: boolean }[] = [];
          for (const { event, isCancelled } of events) {
            const { id } = await createTestEvent(actor, event, isCancelled ? 'cancelled' : 'confirmed');
            expected.push(...bruteForce(event, base + 80 * day).map((occurrence) => ({ ...occurrence, id, isCancelled })));
          }
          for (const { from, to } of windows) {
            const [startTime, endTime] = [new Date(from).toISOString(), new Date(to).toISOString()];
            const meets = expected.filter(({ start, end }) => start < to && end > from);
            const shown = (list: typeof expected) =>
              list.map(({ id, start, end }) => `${new Date(start).toISOString()} ${new Date(end).toISOString()} ${id}`).sort();
            const { conflicts, available } = await freeAt(actor, startTime, endTime);
            expect(conflicts.map((conflict) => `${conflict.startTime} ${conflict.endTime} ${conflict.id}`).sort()).toEqual(
              shown(meets.filter(({ isCancelled }) => !isCancelled)),
            );
            expect(available).toBe(conflicts.length === 0);
            const expanded = await listTestEvents(actor, { startDate: startTime, endDate: endTime, expand: true, limit: 2500 });
            expect(expanded.events.map((item) => `${item.startTime} ${item.endTime} ${item.id}`).sort()).toEqual(shown(meets));
            expect(expanded.events.map((item) => item.startTime)).toEqual(expanded.events.map((item) => item.startTime).sort());
            const listed = await listTestEvents(actor, { startDate: startTime, endDate: endTime });
            expect(listed.events.map(({ id }) => id).sort()).toEqual([...new Set(meets.map(({ id }) => id))].sort());
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('an event of 1970 that recurs is found as one of last week is', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { recurrence: 'daily', startTime: '1970-01-01T09:00:00Z', endTime: '1970-01-01T09:30:00Z' });
  const { conflicts } = await freeAt(actor, '2200-06-01T09:29:00Z', '2200-06-02T09:00:00Z');
  expect(conflicts.map(({ startTime }) => startTime)).toEqual(['2200-06-01T09:00:00.000Z']);
});

test('more conflicts than anybody reads are cut, and said to be', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { recurrence: 'daily', startTime: '1970-01-01T09:00:00Z', endTime: '1970-01-01T09:30:00Z' });
  const { conflicts, hasMore } = await freeAt(actor, '1970-01-01T00:00:00Z', '9000-01-01T00:00:00Z');
  expect([conflicts.length, hasMore, conflicts.at(-1)?.startTime]).toEqual([2500, true, '1976-11-04T09:00:00.000Z']);
});

test('of thousands of events in one day, the earliest are told', async () => {
  const { actor } = await createTestIdentity();
  const day = '2026-11-24T00:00:00Z';
  // The latest first, so that the expected ones come last.
  await pool().query(
    `INSERT INTO calendar_events (id, identity_id, title, start_at, end_at, begins_at, over_at, zone_data)
     SELECT gen_random_uuid(), $1, n::text, at, at + interval '1 hour', at, at + interval '1 hour', ''
     FROM generate_series(6000, 1, -1) n, LATERAL (SELECT $2::timestamptz + n * interval '10 seconds' AS at) times`,
    [actor.identityId, day],
  );
  const { conflicts, hasMore } = await freeAt(actor, day, '2026-11-25T00:00:00Z');
  expect([hasMore, conflicts.map(({ title }) => title)]).toEqual([true, Array.from({ length: 2500 }, (_, n) => String(n + 1))]);
});
