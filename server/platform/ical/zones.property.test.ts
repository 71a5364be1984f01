import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { instantOf, localTime, startOfDate } from './zones';

const hour = 3_600_000;
const firstMoment = -62_135_596_800_000;
const lastMoment = 253_402_300_799_999;

const oddZones = [
  'Africa/Casablanca',
  'Africa/Monrovia',
  'America/Caracas',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Dublin',
  'Pacific/Apia',
  'UTC',
];
const zone = fc.oneof(fc.constantFrom(...oddZones), fc.constantFrom(...Intl.supportedValuesOf('timeZone')));
const recent = fc.integer({ min: Date.UTC(1880, 0, 1), max: Date.UTC(2100, 0, 1) });
const ever = fc.integer({ min: firstMoment + 48 * hour, max: lastMoment - 48 * hour });

const localByTemporal = (instant: number, name: string) =>
  instant + Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).offsetNanoseconds / 1e6;

const plain = (local: number) => Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime();

/** RFC 5545 reads times like Temporal's disambiguation `compatible`. */
const instantByTemporal = (local: number, name: string) =>
  plain(local).toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds;

const startByTemporal = (local: number, name: string) => plain(local).toPlainDate().toZonedDateTime(name).epochMilliseconds;

it('converts as Temporal does, in any zone and year', () => {
  fc.assert(
    fc.property(zone, fc.oneof(recent, ever), (name, time) => {
      expect(localTime(time, name)).toBe(localByTemporal(time, name));
      expect(instantOf(time, name)).toBe(instantByTemporal(time, name));
      const midnight = Math.floor(time / (24 * hour)) * 24 * hour;
      expect(startOfDate(midnight, name)).toBe(startByTemporal(midnight, name));
    }),
    { numRuns: 4000 },
  );
});

it('converts as Temporal does around changes of the offset', () => {
  fc.assert(
    fc.property(zone, recent, fc.integer({ min: -26 * 60, max: 26 * 60 }), (name, time, minutes) => {
      const change = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(name).getTimeZoneTransition('next');
      if (!change) return;
      for (const instant of [
        change.epochMilliseconds,
        change.epochMilliseconds - 1,
        change.epochMilliseconds + minutes * 60_000,
      ]) {
        expect(localTime(instant, name)).toBe(localByTemporal(instant, name));
        const local = localTime(instant, name);
        for (const near of [local, local - hour, local + hour / 2]) {
          expect(instantOf(near, name)).toBe(instantByTemporal(near, name));
        }
      }
    }),
    { numRuns: 1500 },
  );
});

it('finds all changes of the offset that Temporal finds, and no others', () => {
  for (const name of oddZones) {
    let at = Temporal.Instant.from('1843-06-01T00:00Z').toZonedDateTimeISO(name);
    while (at.year < 2040) {
      const change = at.getTimeZoneTransition('next');
      if (!change) break;
      const moment = change.epochMilliseconds;
      expect(localTime(moment - 1, name) - (moment - 1)).toBe(at.offsetNanoseconds / 1e6);
      expect(localTime(moment, name) - moment).toBe(change.offsetNanoseconds / 1e6);
      at = change;
    }
  }
});

it('repeats the rules of a zone every 400 years from 2100 on', () => {
  const names = Intl.supportedValuesOf('timeZone');
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: Date.UTC(2100, 0, 1), max: lastMoment - 48 * hour }),
      (name, time) => {
        expect(localTime(time, name)).toBe(localByTemporal(time, name));
      },
    ),
    { numRuns: 1000 },
  );
});
