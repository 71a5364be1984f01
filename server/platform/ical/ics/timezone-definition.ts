import { LRUCache } from 'lru-cache';
import type { Transition } from '../zones';
import { contentLine, textLine } from './content-lines';
import { writtenTime } from './local-time';
import { grouped, localOnset, type Observances, observancesOf } from './timezone-rule';
import { offsetAt, startOfYear, transitionsOf } from './zone-clock';

/**
 * Changes without a rule are listed until the end of this year at least. Rules are unlimited, and detected from the years until
 * then. The year is fixed, so that a zone's text does not change from day to day.
 */
const listedUntil = 2048;

const definitions = new LRUCache<string, string>({ max: 2000 });

/** `+0530`; with seconds only for historical offsets that have them (RFC 5545 3.3.14). */
function writtenOffset(offset: number): string {
  const seconds = Math.abs(Math.round(offset / 1000));
  const digits = [Math.trunc(seconds / 3600), Math.trunc(seconds / 60) % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  return `${offset < 0 ? '-' : '+'}${digits}${seconds % 60 === 0 ? '' : String(seconds % 60).padStart(2, '0')}`;
}

interface Section {
  isDaylight: boolean;
  onset: string;
  before: number;
  after: number;
  /** RRULE or RDATE. */
  repetition: string;
}

function writtenSection({ isDaylight, onset, before, after, repetition }: Section): string {
  const name = isDaylight ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}\r\n`,
    contentLine('TZOFFSETFROM', writtenOffset(before)),
    contentLine('TZOFFSETTO', writtenOffset(after)),
    contentLine('DTSTART', onset),
    repetition,
    `END:${name}\r\n`,
  ].join('');
}

/** Daylight time is a change that is reverted within the year; a permanent change is standard time. */
function isDaylight(transition: Transition, all: Transition[]): boolean {
  if (transition.after < transition.before) return false;
  const next = all[all.indexOf(transition) + 1];
  return next !== undefined && next.after < next.before && next.at - transition.at < 366 * 86_400_000;
}

function sectionsOf({ rule, transitions }: Observances, all: Transition[]): string[] {
  const sections = grouped(transitions, (transition) => rule === null && isDaylight(transition, all));
  return [...sections].map(([isSummer, list]) => {
    const first = list[0];
    if (first === undefined) return '';
    // One property per date, including the first: common readers use only RDATE if there is any.
    const dates = list.map((transition) => contentLine('RDATE', writtenTime(localOnset(transition).getTime())));
    return writtenSection({
      isDaylight: rule === null ? isSummer : isDaylight(first, all),
      onset: writtenTime(localOnset(first).getTime()),
      before: first.before,
      after: first.after,
      repetition: rule !== null ? contentLine('RRULE', rule) : dates.length > 1 ? dates.join('') : '',
    });
  });
}

function define(zone: string, year: number): string {
  const lastYear = Math.max(listedUntil, Math.floor(year / 10) * 10 + 28);
  // Includes the year before: its last change is in force when the first year begins.
  const all = transitionsOf(zone, year - 1, lastYear + 1);
  const beginning = startOfYear(year - 1);
  const listed = all.filter((transition) => localOnset(transition).getUTCFullYear() <= lastYear);
  const sections = observancesOf(listed, lastYear).flatMap((observances) => sectionsOf(observances, all));
  const isCovered = (listed[0]?.at ?? Number.POSITIVE_INFINITY) < startOfYear(year) - 2 * 86_400_000;
  if (!isCovered) {
    const offset = offsetAt(beginning, zone);
    const onset = writtenTime(beginning);
    sections.unshift(writtenSection({ isDaylight: false, onset, before: offset, after: offset, repetition: '' }));
  }
  return `BEGIN:VTIMEZONE\r\n${textLine('TZID', zone)}${textLine('X-LIC-LOCATION', zone)}${sections.join('')}END:VTIMEZONE\r\n`;
}

/**
 * The VTIMEZONE of a zone (RFC 5545 3.6.5), correct from the beginning of `year` as far as the runtime's data reach. If the
 * changes follow no rule that iCalendar can express (as with Ramadan), until the end of 2048, or at least two decades after
 * `year`.
 * @param zone As returned by `namedZone()`.
 */
export function timezoneDefinition(zone: string, year: number): string {
  const first = Math.min(Math.max(year, 1), 9900);
  const key = `${first} ${zone}`;
  const known = definitions.get(key);
  if (known !== undefined) return known;
  const definition = define(zone, first);
  definitions.set(key, definition);
  return definition;
}
