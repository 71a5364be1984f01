import fc from 'fast-check';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { sampleAttendee, sampleEvent, sampleStamp as stamp } from '@/server/testing/calendar-samples/event';
import type { Frequency, Series } from '../series';
import type { IcsAttendee, IcsEvent } from './calendar-event';
import { cleanLine, cleanText } from './content-lines';
import { writeFeed, writeInvitation } from './write-calendar';

// Our own output is read by an independent library.

const hour = 3_600_000;

interface Read {
  calendar: ICAL.Component;
  component: ICAL.Component;
  event: ICAL.Event;
  zone: ICAL.Timezone;
}

function read(text: string): Read {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const component = calendar.getFirstSubcomponent('vevent');
  if (component === null) throw new Error('no event');
  const definition = calendar.getFirstSubcomponent('vtimezone');
  const zone = definition === null ? ICAL.Timezone.utcTimezone : new ICAL.Timezone({ component: definition });
  return { calendar, component, event: new ICAL.Event(component), zone };
}

/** By the definition in the text, not by the reader's own data. */
function instantOf(time: ICAL.Time, zone: ICAL.Timezone): number {
  const copy = time.clone();
  if (copy.zone !== ICAL.Timezone.utcTimezone) copy.zone = zone;
  return copy.toUnixTime() * 1000;
}

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'America/Nuuk',
  'Africa/Cairo',
  'UTC',
  'Etc/GMT',
];

const moments = fc
  .integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2045, 0, 1) })
  .map((time) => Math.floor(time / 60_000) * 60_000);

function local(instant: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
}

const steps: Record<Exclude<Frequency, 'none'>, Temporal.DurationLike> = {
  daily: { days: 1 },
  weekly: { weeks: 1 },
  biweekly: { weeks: 2 },
  monthly: { months: 1 },
  yearly: { years: 1 },
};

/** The local starts of a series, by Temporal alone; dates that a month or year lacks are omitted. */
function wallClockStarts({ start, timezone, frequency }: Series, count: number): Temporal.PlainDateTime[] {
  const first = local(start, timezone).toPlainDateTime();
  if (frequency === 'none') return [first];
  const starts: Temporal.PlainDateTime[] = [];
  for (let number = 0; starts.length < count; number++) {
    const [[unit, amount]] = Object.entries(steps[frequency]) as [[string, number]];
    const next = first.add({ [unit]: amount * number });
    if (next.day === first.day || unit === 'days' || unit === 'weeks') starts.push(next);
  }
  return starts;
}

function isOrdinary(time: Temporal.PlainDateTime, zone: string): boolean {
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    time.toZonedDateTime(zone, { disambiguation }),
  );
  return earlier?.epochMilliseconds === later?.epochMilliseconds;
}

test('times come back as the same instants, through the definition of the zone', () => {
  const inputs = fc.tuple(moments, fc.integer({ min: 1, max: 60 * 72 }), fc.constantFrom(...zones));
  fc.assert(
    fc.property(inputs, ([start, minutes, timezone]) => {
      const end = start + minutes * 60_000;
      const { event, zone } = read(
        writeInvitation({ method: 'REQUEST', event: sampleEvent({ series: { start, end, timezone } }), stamp }),
      );
      expect([instantOf(event.startDate, zone), instantOf(event.endDate, zone)]).toEqual([start, end]);
    }),
    { numRuns: 100 },
  );
});

test('series come back with the same occurrences', () => {
  const frequencies = fc.constantFrom<Frequency>('daily', 'weekly', 'biweekly', 'monthly', 'yearly');
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), frequencies, fc.boolean(), (start, timezone, frequency, allDay) => {
      const series = { start, end: start + hour, timezone, frequency, allDay, until: null };
      const expected = wallClockStarts(series, 8);
      const { event, zone } = read(writeInvitation({ method: 'REQUEST', event: sampleEvent({ series }), stamp }));
      const iterator = event.iterator();
      for (const start of expected) {
        const occurrence = iterator.next();
        if (occurrence === null) throw new Error('the series ends too early');
        if (allDay) {
          expect(occurrence.toString()).toBe(start.toPlainDate().toString());
        } else {
          expect(occurrence.toString().replace('Z', '')).toBe(start.toString({ smallestUnit: 'second' }));
          const meant = start.toZonedDateTime(timezone).epochMilliseconds;
          if (isOrdinary(start, timezone)) expect(instantOf(occurrence, zone)).toBe(meant);
        }
      }
    }),
    // A yearly event on 29 February 2032.
    { numRuns: 100, examples: [[Date.UTC(2032, 1, 28, 23), 'Europe/Berlin', 'yearly', false]] },
  );
});

test('a series ends after the date it is to end on', () => {
  const dates = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), fc.boolean(), dates, (start, timezone, allDay, days) => {
      const first = local(start, timezone).toPlainDateTime();
      const last = first.toPlainDate().add({ days });
      const until = last.toZonedDateTime('UTC').epochMilliseconds;
      const series = { start, end: start + hour, timezone, frequency: 'daily', allDay, until } as const;
      const { event, component } = read(writeInvitation({ method: 'REQUEST', event: sampleEvent({ series }), stamp }));
      const rule = component.getFirstPropertyValue('rrule') as ICAL.Recur;
      if (rule.until === null) throw new Error('no end');
      // Neither the reader nor RFC 5545 compares a local time with UTC except through the zone.
      const end = allDay
        ? rule.until.toString()
        : local(rule.until.toUnixTime() * 1000, timezone)
            .toPlainDate()
            .toString();
      expect(end).toBe(last.toString());
      expect(rule.until.isDate).toBe(event.startDate.isDate);
    }),
    { numRuns: 100 },
  );
});

const evil = fc.constantFrom(
  '\r\nATTENDEE:mailto:x@y',
  '\n',
  '\r',
  '\u2028',
  '\\n',
  '\\',
  ';',
  ',',
  ':',
  '"',
  '^n',
  "^'",
  '\u0000',
  '\t',
  '😀',
  'é',
  ' ',
);
const texts = fc
  .array(fc.oneof(evil, fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 20 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const emails = fc.tuple(fc.stringMatching(/^[a-z0-9.+%'_-]{1,20}$/), fc.domain()).map((parts) => parts.join('@'));

/** The reader treats backslashes in parameters as escapes, unlike RFC 5545 3.2. */
const names = texts.map((name) => name.replaceAll('\\', ''));

const attendees: fc.Arbitrary<IcsAttendee> = fc.record({
  email: emails,
  name: fc.option(names),
  response: fc.constantFrom('needs_action', 'accepted', 'declined', 'tentative'),
  isOptional: fc.boolean(),
  isOrganizer: fc.boolean(),
});

const events: fc.Arbitrary<IcsEvent> = fc
  .record({
    title: texts,
    description: texts,
    location: texts,
    sequence: fc.nat({ max: 2 ** 31 - 1 }),
    status: fc.constantFrom('confirmed' as const, 'tentative' as const, 'cancelled' as const),
    organizer: fc.option(fc.record({ email: emails, name: fc.option(texts) })),
    attendees: fc.array(attendees, { maxLength: 5 }),
    meetingPassword: fc.option(texts),
  })
  .map((given) => sampleEvent(given));

function text(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? '');
}

function address(property: ICAL.Property): string {
  return decodeURIComponent(String(property.getFirstValue()).replace(/^mailto:/, ''));
}

test('texts and people come back as they were, cleaned', () => {
  fc.assert(
    fc.property(events, (event) => {
      const { component } = read(writeInvitation({ method: 'REQUEST', event, stamp }));
      expect(text(component, 'uid')).toBe(event.uid);
      expect(component.getFirstPropertyValue('sequence')).toBe(event.sequence);
      expect(text(component, 'summary')).toBe(cleanLine(event.title));
      expect(text(component, 'description')).toBe(cleanText(event.description));
      expect(text(component, 'location')).toBe(cleanText(event.location));
      expect(text(component, 'status')).toBe(event.status.toUpperCase());
      const people = component.getAllProperties('attendee').map((property) => ({
        email: address(property),
        name: cleanText(String(property.getFirstParameter('cn') ?? '')),
        response: property.getFirstParameter('partstat'),
        isAsked: property.getFirstParameter('rsvp') === 'TRUE',
      }));
      const expected = event.attendees.map(({ email, name, response, isOrganizer }) => ({
        email,
        name: cleanText(name ?? ''),
        response: isOrganizer ? 'ACCEPTED' : response.toUpperCase().replace('_', '-'),
        isAsked: !isOrganizer,
      }));
      expect(people).toEqual(expected);
    }),
    { numRuns: 250 },
  );
});

/** Each line starts with one of these, or continues the previous line. */
const writtenLine =
  /^(?: .*|(?:BEGIN|END|PRODID|VERSION|CALSCALE|METHOD|TZID|X-LIC-LOCATION|TZOFFSETFROM|TZOFFSETTO|DTSTART|DTEND|RDATE|RRULE|UID|DTSTAMP|SEQUENCE|CREATED|LAST-MODIFIED|SUMMARY|DESCRIPTION|LOCATION|URL|CONFERENCE|X-GOOGLE-CONFERENCE|STATUS|TRANSP|ORGANIZER|ATTENDEE|X-MICROSOFT-CDO-[A-Z]+)[;:].*)$/s;

function counts(text: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const line of text.split('\r\n')) {
    const name = /^[A-Z-]+/.exec(line)?.[0];
    if (name !== undefined) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

test('nothing that anybody writes becomes a line of its own', () => {
  const hostile = fc.record({
    title: texts,
    description: texts,
    location: texts,
    uid: texts,
    meetingPassword: texts,
    meetingUrl: texts,
    name: texts,
    email: texts,
  });
  fc.assert(
    fc.property(hostile, ({ name, email, meetingUrl, ...given }) => {
      const plain = sampleEvent({
        description: 'd',
        location: 'l',
        meetingUrl: 'https://a.example/',
        attendees: [sampleAttendee()],
      });
      const event = {
        ...plain,
        ...given,
        title: `t${given.title}`,
        uid: `u${given.uid}`,
        meetingUrl: `https://a.example/${meetingUrl}`,
        organizer: { email, name },
        attendees: [sampleAttendee({ email, name })],
        description: `d${given.description}`,
      };
      const written = writeInvitation({ method: 'REQUEST', event, stamp });
      expect(counts(written)).toEqual(counts(writeInvitation({ method: 'REQUEST', event: plain, stamp })));
      const lines = written.split('\r\n');
      expect(lines.pop()).toBe('');
      for (const line of lines) {
        expect(line).toMatch(writtenLine);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(line.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may remain
        expect(line).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/);
      }
      expect(read(written).component.getAllProperties('attendee')).toHaveLength(1);
    }),
    { numRuns: 250 },
  );
});

test('a feed of 5,000 events is written in a moment, and read', () => {
  const feedZones = zones.slice(0, 6);
  const many = Array.from({ length: 5000 }, (_, index) => {
    const start = Date.UTC(2024, 0, 1) + index * 5 * hour;
    const timezone = feedZones[index % feedZones.length] ?? 'UTC';
    const description = `Üben, wiederholen; ${'und noch einmal '.repeat(20)}`;
    return sampleEvent({
      uid: `event-${index}`,
      description,
      attendees: [sampleAttendee()],
      series: { start, end: start + hour, timezone },
    });
  });
  const cpu = process.cpuUsage();
  const feed = writeFeed({ name: 'Desk', events: many, stamp });
  expect(process.cpuUsage(cpu).user / 1000).toBeLessThan(900);
  const calendar = new ICAL.Component(ICAL.parse(feed));
  expect(calendar.getAllSubcomponents('vtimezone')).toHaveLength(feedZones.length);
  const uids = calendar.getAllSubcomponents('vevent').map((component) => component.getFirstPropertyValue('uid'));
  expect(uids).toEqual(many.map(({ uid }) => uid));
  expect(feed).not.toContain('bob@');
});
