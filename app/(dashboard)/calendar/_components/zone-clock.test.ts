import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantOf, localTime } from '@/server/platform/ical/zones';
import { addDays } from './zone-clock';

const iso = (at: number) => new Date(at).toISOString();

it('reads and sets the clock of a zone', () => {
  expect(iso(localTime(Date.parse('2026-11-24T09:00:00Z'), 'Europe/Berlin'))).toBe('2026-11-24T10:00:00.000Z');
  expect(iso(instantOf(Date.parse('2026-07-01T10:00:00Z'), 'America/New_York'))).toBe('2026-07-01T14:00:00.000Z');
  expect(iso(instantOf(Date.parse('2026-07-01T10:00:00Z'), 'Asia/Kathmandu'))).toBe('2026-07-01T04:15:00.000Z');
});

it('takes the first of two, and goes on as before over what is skipped', () => {
  // Berlin: 25 October 2026 03:00 becomes 02:00; 29 March 2026 02:00 becomes 03:00.
  expect(iso(instantOf(Date.parse('2026-10-25T02:30:00Z'), 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
  expect(iso(instantOf(Date.parse('2026-03-29T02:30:00Z'), 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
  expect(iso(instantOf(Date.parse('2026-03-29T03:30:00Z'), 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
});

it('comes back to the wall time it set out from wherever the clock shows it', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kolkata'];
  const moments = fc.integer({ min: Date.parse('2012-01-02'), max: Date.parse('2037-12-31') });
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (at, zone) => {
      const wall = localTime(at, zone);
      expect(localTime(instantOf(wall, zone), zone)).toBe(wall);
      expect(instantOf(wall, zone)).toBeLessThanOrEqual(at);
    }),
  );
});

it('counts days over months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});
