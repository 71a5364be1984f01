import type { Frequency, Series } from '../series';
import { contentLine } from './content-lines';
import { writtenDate, writtenInstant, writtenTime } from './local-time';
import { isShownTwice, namedZone, offsetAt, wallClock } from './zone-clock';

const day = 86_400_000;

const rules: Record<Exclude<Frequency, 'none'>, string> = {
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY',
  biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  monthly: 'FREQ=MONTHLY',
  yearly: 'FREQ=YEARLY',
};

export interface EventTimes {
  /** DTSTART, DTEND and, for recurring events, RRULE. */
  lines: string;
  /** The VTIMEZONE that the lines need: the zone, and its first year. */
  definition: { zone: string; year: number } | null;
}

/** The last second of a local date in a zone; `date` in milliseconds as if UTC. */
function endOfLocalDate(date: number, zone: string | null): number {
  const midnight = date + day;
  // The evening's offset may differ from the next day's.
  const guess = midnight - offsetAt(midnight, zone);
  return midnight - 1000 - offsetAt(guess - 1000, zone);
}

function isLeapDay(time: number): boolean {
  return writtenDate(time).endsWith('0229');
}

/** RRULE. UNTIL has the type of DTSTART, and is in UTC if that has a time of day (RFC 5545 3.3.10). */
function ruleLine({ start, frequency, until, allDay }: Series, zone: string | null): string {
  if (frequency === 'none') return '';
  // Some readers move 29 February to 1 March in other years, unless the rule names the date.
  const isOnLeapDays = frequency === 'yearly' && isLeapDay(wallClock(start, zone));
  const rule = isOnLeapDays ? `${rules.yearly};BYMONTH=2;BYMONTHDAY=29` : rules[frequency];
  if (until === null) return contentLine('RRULE', rule);
  const isWholeDate = until % day === 0;
  if (allDay) return contentLine('RRULE', `${rule};UNTIL=${writtenDate(isWholeDate ? until : wallClock(until, zone))}`);
  return contentLine('RRULE', `${rule};UNTIL=${writtenInstant(isWholeDate ? endOfLocalDate(until, zone) : until)}`);
}

function wholeDays(series: Series, zone: string | null): EventTimes {
  const first = wallClock(series.start, zone);
  const last = wallClock(Math.max(series.end - 1, series.start), zone);
  const lines =
    contentLine('DTSTART', writtenDate(first), { VALUE: 'DATE' }) +
    contentLine('DTEND', writtenDate(last + day), { VALUE: 'DATE' }) +
    ruleLine(series, zone);
  return { lines, definition: null };
}

/**
 * An event's times (RFC 5545 3.6.1): whole days as dates with an exclusive end, others in the local time of their zone, or in
 * UTC. An unknown zone counts as UTC, so that at least the first occurrence is right.
 */
export function eventTimes(series: Series): EventTimes {
  const zone = namedZone(series.timezone);
  if (series.allDay) return wholeDays(series, zone);
  // iCalendar has a resolution of seconds, and DTEND must be later than DTSTART.
  const start = Math.floor(series.start / 1000) * 1000;
  const end = Math.max(Math.floor(series.end / 1000) * 1000, start + 1000);
  const isUnclear = (instant: number) => zone !== null && isShownTwice(instant, zone);
  if (zone === null || (series.frequency === 'none' && (isUnclear(start) || isUnclear(end)))) {
    const lines =
      contentLine('DTSTART', writtenInstant(start)) + contentLine('DTEND', writtenInstant(end)) + ruleLine(series, zone);
    return { lines, definition: null };
  }
  const lines =
    contentLine('DTSTART', writtenTime(wallClock(start, zone)), { TZID: zone }) +
    contentLine('DTEND', writtenTime(wallClock(end, zone)), { TZID: zone }) +
    ruleLine(series, zone);
  return { lines, definition: { zone, year: new Date(start - day).getUTCFullYear() } };
}
