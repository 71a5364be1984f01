import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { timezoneDefinition } from './timezone-definition';
import { namedZone } from './zone-clock';

const hour = 3_600_000;
const day = 24 * hour;

/** How an independent reader maps a local time of the zone. */
function readBy(definition: string): (local: Temporal.PlainDateTime) => number {
  const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(definition)));
  return ({ year, month, day, hour, minute, second }) => {
    const time = new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, zone);
    return time.toUnixTime() * 1000;
  };
}

/** Times around possible clock changes: days apart, and hours around each change. */
function probes(zone: string, from: number, to: number, step: number): Temporal.PlainDateTime[] {
  const instants: number[] = [];
  for (let instant = from; instant < to; instant += step) instants.push(instant);
  let change = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  while (change !== null && change.epochMilliseconds < to) {
    for (let away = -4; away <= 4; away++) instants.push(change.epochMilliseconds + away * hour + hour / 4);
    change = change.getTimeZoneTransition('next');
  }
  return instants.map((instant) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime());
}

/** Local times that the reader and Temporal map to different instants. Repeated times may be either. */
function misread(zone: string, definition: string, locals: Temporal.PlainDateTime[]): string[] {
  const read = readBy(definition);
  return locals
    .filter((local) => {
      const meant = (['earlier', 'later'] as const).map(
        (disambiguation) => local.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
      );
      return !meant.includes(read(local));
    })
    .map((local) => `${zone} ${local}`);
}

const thisYear = Date.UTC(2026, 0, 1);

test('every zone is read as it is meant, this year and the next', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => namedZone(zone) !== null);
  expect(zones.length).toBeGreaterThan(300);
  const wrong = zones.flatMap((zone) =>
    misread(zone, timezoneDefinition(zone, 2026), probes(zone, thisYear, Date.UTC(2028, 0, 1), 90 * day)),
  );
  expect(wrong).toEqual([]);
});

const remarkable = [
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/Istanbul',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Nuuk',
  'America/Caracas',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Almaty',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
];

test.each(remarkable)('%s is right from 1990 to 2048, whatever year it is told from', (zone) => {
  for (const year of [1990, 2023]) {
    const definition = timezoneDefinition(zone, year);
    expect(misread(zone, definition, probes(zone, Date.UTC(year, 0, 1), Date.UTC(2048, 11, 1), 200 * day))).toEqual([]);
  }
});

test.each(['Europe/Berlin', 'America/New_York', 'America/Nuuk', 'Australia/Sydney', 'America/Santiago'])(
  '%s goes on by rules after the years that were looked at',
  (zone) => {
    const definition = timezoneDefinition(zone, 2026);
    expect(definition.match(/^BEGIN:(?:DAYLIGHT|STANDARD)\r$/gm)).toHaveLength(2);
    expect(definition.match(/^RRULE:/gm)).toHaveLength(2);
    expect(misread(zone, definition, probes(zone, Date.UTC(2060, 0, 1), Date.UTC(2070, 0, 1), 100 * day))).toEqual([]);
  },
);

test('changes that no rule describes are listed one by one', () => {
  // Daylight time there ends on the night after the last Thursday of October, which can be in November.
  const definition = timezoneDefinition('Africa/Cairo', 2026).replaceAll('\r\n ', '');
  expect(definition).not.toContain('RRULE');
  expect(definition).toMatch(/^RDATE:20301101T000000\r$/m);
});

test('a zone that moved for good has no summer time left', () => {
  const definition = timezoneDefinition('Asia/Almaty', 2024);
  expect(definition).toContain('TZOFFSETFROM:+0600\r\nTZOFFSETTO:+0500\r\nDTSTART:20240301T000000');
  expect(timezoneDefinition('Europe/Istanbul', 2016)).toMatch(/BEGIN:DAYLIGHT\r\n[\s\S]*DTSTART:20160327T030000/);
  expect(timezoneDefinition('Asia/Almaty', 2026)).not.toMatch(/DAYLIGHT|RDATE|RRULE/);
});

test.each([
  ['Asia/Kolkata', 'TZOFFSETTO:+0530'],
  ['Pacific/Marquesas', 'TZOFFSETTO:-0930'],
])('%s has one offset', (zone, line) => {
  const definition = timezoneDefinition(zone, 2026);
  expect(definition).toContain(line);
  expect(definition.match(/TZOFFSETTO/g)).toHaveLength(1);
});

test('years outside of what anybody plans still have a definition', () => {
  for (const year of [-5, 0, 1, 99, 1850, 2500, 9999, 12_000]) {
    expect(timezoneDefinition('Europe/Berlin', year)).toMatch(/^BEGIN:VTIMEZONE\r\n[\s\S]+TZOFFSETTO[\s\S]+END:VTIMEZONE\r\n$/);
  }
});
