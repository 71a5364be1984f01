import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { isShownTwice, namedZone, offsetAt, transitionsOf, wallClock } from './zone-clock';

const second = 1000;
const hour = 3600 * second;

test('offsets are those of Temporal, at any time and right at a change', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Kolkata');
  const changes = zones.map((zone) => transitionsOf(zone, 1970, 2039).map(({ at }) => ({ zone, at })));
  const nearChange = changes.filter((found) => found.length > 0).chain((found) => fc.constantFrom(...found));
  const anyTime = fc.record({ zone: zones, at: fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2200, 0, 1) }) });
  fc.assert(
    fc.property(fc.oneof(nearChange, anyTime), fc.constantFrom(-second, 0, second), ({ zone, at }, away) => {
      const instant = at + away;
      const expected = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
      expect(offsetAt(instant, zone)).toBe(expected);
      expect(wallClock(instant, zone)).toBe(instant + expected);
    }),
    { numRuns: 300 },
  );
});

test('only the hour that is taken back is shown twice', () => {
  const change = Date.parse('2026-10-25T01:00:00Z');
  const told = [-hour - second, -hour, 0, hour - second, hour].map((away) => isShownTwice(change + away, 'Europe/Berlin'));
  expect(told).toEqual([false, true, true, true, false]);
  expect(isShownTwice(Date.parse('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe(false);
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/BERLIN', 'Europe/Berlin'],
  ['US/Eastern', 'US/Eastern'],
  ['UTC', null],
  ['etc/utc', null],
  ['Zulu', null],
  ['Mars/Olympus', null],
  ['', null],
])('the zone %j is called %j', (zone, name) => {
  expect(namedZone(zone)).toBe(name);
});
