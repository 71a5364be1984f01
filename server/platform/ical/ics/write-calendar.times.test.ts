import { expect, test } from 'vitest';
import { sampleEvent, sampleStamp as stamp } from '@/server/testing/calendar-samples/event';
import { writeSingle } from './write-calendar';

function lineOf(text: string, name: string): string | undefined {
  const unfolded = text
    .replaceAll('\r\n ', '')
    .replace(/^.*BEGIN:VEVENT/s, '')
    .split('\r\n');
  return unfolded.find((line) => new RegExp(`^${name}[:;]`).test(line));
}

test.each([
  ['Europe/Berlin', '2026-06-26T00:00:00Z', '20260626T215959Z'],
  ['America/New_York', '2026-06-26T00:00:00Z', '20260627T035959Z'],
  ['Pacific/Auckland', '2026-06-26T00:00:00Z', '20260626T115959Z'],
  ['UTC', '2026-06-26T00:00:00Z', '20260626T235959Z'],
  // The day of a clock change ends in the new offset.
  ['Europe/Berlin', '2026-10-25T00:00:00Z', '20261025T225959Z'],
  ['Europe/Berlin', '2026-03-29T00:00:00Z', '20260329T215959Z'],
  ['Europe/Berlin', '2026-06-26T09:00:00.400Z', '20260626T090000Z'],
])('in %s a series until %s ends at %s', (timezone, until, written) => {
  const event = sampleEvent({ series: { timezone, frequency: 'daily', until: Date.parse(until) } });
  expect(lineOf(writeSingle(event, stamp), 'RRULE')).toBe(`RRULE:FREQ=DAILY;UNTIL=${written}`);
});

test.each([
  ['2026-06-26T00:00:00Z', '20260626'],
  ['2026-06-26T23:30:00Z', '20260627'],
  ['2026-06-26T03:30:00Z', '20260626'],
])('a series of whole days until %s ends on %s', (until, written) => {
  const event = sampleEvent({ series: { allDay: true, frequency: 'monthly', until: Date.parse(until) } });
  expect(lineOf(writeSingle(event, stamp), 'RRULE')).toBe(`RRULE:FREQ=MONTHLY;UNTIL=${written}`);
});

test.each([
  // Midnight to midnight is one day; a single moment is, too.
  ['2026-03-20T00:00:00+01:00', '2026-03-21T00:00:00+01:00', '20260320', '20260321'],
  ['2026-03-20T00:00:00+01:00', '2026-03-20T00:00:00+01:00', '20260320', '20260321'],
  ['2026-03-20T23:59:00+01:00', '2026-03-21T00:01:00+01:00', '20260320', '20260322'],
  ['2026-03-28T00:00:00+01:00', '2026-03-30T00:00:00+02:00', '20260328', '20260330'],
])('whole days from %s to %s', (start, end, first, after) => {
  const text = writeSingle(sampleEvent({ series: { allDay: true, start: Date.parse(start), end: Date.parse(end) } }), stamp);
  expect(lineOf(text, 'DTSTART')).toBe(`DTSTART;VALUE=DATE:${first}`);
  expect(lineOf(text, 'DTEND')).toBe(`DTEND;VALUE=DATE:${after}`);
  expect(text).not.toContain('VTIMEZONE');
});

test('an hour that the clocks show twice is told in UTC', () => {
  const series = { start: Date.parse('2026-10-25T01:30:00Z'), end: Date.parse('2026-10-25T02:30:00Z') };
  const text = writeSingle(sampleEvent({ series }), stamp);
  expect(lineOf(text, 'DTSTART')).toBe('DTSTART:20261025T013000Z');
  expect(text).not.toContain('VTIMEZONE');
});

test('a zone nobody knows leaves the times right', () => {
  const text = writeSingle(sampleEvent({ series: { timezone: 'Mars/Olympus' } }), stamp);
  expect(lineOf(text, 'DTSTART')).toBe('DTSTART:20260320T090000Z');
});

test('an event of less than a second does not end before it begins', () => {
  const start = Date.parse('2026-03-20T09:00:00.100Z');
  const text = writeSingle(sampleEvent({ series: { start, end: start + 5, timezone: 'UTC' } }), stamp);
  expect(lineOf(text, 'DTSTART')).toBe('DTSTART:20260320T090000Z');
  expect(lineOf(text, 'DTEND')).toBe('DTEND:20260320T090001Z');
});
