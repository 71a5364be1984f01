import type { Occurrence, Series } from '../../platform/ical/series';
import { localTime } from '../../platform/ical/zones';

/**
 * English labels for the times of an event. Pure, and identical in browsers and on servers: only time zone offsets and names
 * come from `Intl`, because its patterns differ between versions. Throws a RangeError for a time zone that `Intl` does not
 * know.
 */

/** The times to format; for a whole series, its first occurrence. */
export type Span = Pick<Series, 'start' | 'end' | 'timezone' | 'allDay'>;

/** Lead time of a reminder. */
export interface ReminderTime {
  value: number;
  unit: 'minutes' | 'hours' | 'days';
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Zone names come from user input in any spelling, so the cache is bounded. */
const keptFormats = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  if (formats.size >= keptFormats) formats.clear();
  formats.set(key, made);
  return made;
}

function offsetWords(offset: number): string {
  const minutes = Math.abs(Math.round(offset / minute));
  if (minutes === 0) return 'GMT';
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`;
  return `GMT${offset < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest}`;
}

/** `Europe/Berlin, GMT+1`, or both offsets if they differ. */
function zoneLabel(start: number, end: number, timeZone: string): string {
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return 'UTC';
  const offsets = new Set([start, end].map((at) => offsetWords(localTime(at, timeZone) - at)));
  return [timeZone, [...offsets].join(', then ')].join(', ');
}

const name = (wall: number, options: Intl.DateTimeFormatOptions) =>
  formatOf('en-GB', { ...options, timeZone: 'UTC' }).format(wall);
const weekday = (wall: number) => name(wall, { weekday: 'long' });
const month = (wall: number) => name(wall, { month: 'long' });
const dayOfMonth = (wall: number) => new Date(wall).getUTCDate();
const year = (wall: number) => new Date(wall).getUTCFullYear();
const clock = (wall: number) => new Date(wall).toISOString().slice(-13, -8);

/** The format of most English dates; other locales use the patterns of `Intl` unchanged. */
const defaultLocale = 'en-GB';

const dateWords = (wall: number, locale: string) =>
  locale === defaultLocale
    ? `${weekday(wall)}, ${dayOfMonth(wall)} ${month(wall)} ${year(wall)}`
    : formatOf(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(wall);

const timeWords = (wall: number, locale: string) =>
  locale === defaultLocale ? clock(wall) : formatOf(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(wall);

/** The first and the last date of an all-day event. The end is exclusive, so midnight belongs to the previous day. */
function wholeDays({ start, end, timezone }: Span): [first: number, last: number] {
  const first = localTime(start, timezone);
  return [first, Math.max(first, localTime(end - 1, timezone))];
}

const isSameDay = (one: number, other: number) => Math.floor(one / day) === Math.floor(other / day);

/** `24 – 26 November 2026` with weekdays: equal months and years appear once. */
function dateRange(
  first: number,
  last: number,
  date: (wall: number) => string,
  dayName: (wall: number) => string,
  monthName = month,
) {
  if (isSameDay(first, last)) return date(last);
  if (year(first) !== year(last)) return `${date(first)} – ${date(last)}`;
  const sameMonth = month(first) === month(last);
  return `${dayName(first)} ${dayOfMonth(first)}${sameMonth ? '' : ` ${monthName(first)}`} – ${date(last)}`;
}

interface LabelOptions {
  /** Determines the order of the date and the clock's hours; the labels stay English. */
  locale?: string | undefined;
  /** The viewer's zone; defaults to the event's. */
  timezone?: string | undefined;
}

/** Date and time, and separately their zone; null for all-day events, whose dates do not depend on a zone. */
export function whenParts(span: Span, { locale = defaultLocale, timezone = span.timezone }: LabelOptions = {}) {
  const date = (wall: number) => dateWords(wall, locale);
  if (span.allDay) {
    const [first, last] = wholeDays(span);
    const dates =
      locale === defaultLocale
        ? dateRange(first, last, date, (wall) => `${weekday(wall)},`)
        : [...new Set([date(first), date(last)])].join(' – ');
    return { times: `${dates}, all day`, zone: null };
  }
  const [start, end] = [localTime(span.start, timezone), localTime(span.end, timezone)];
  const [from, to] = [timeWords(start, locale), timeWords(end, locale)];
  const times = isSameDay(start, end) ? `${date(start)}, ${from}–${to}` : `${date(start)}, ${from} – ${date(end)}, ${to}`;
  return { times, zone: zoneLabel(span.start, span.end, timezone) };
}

/**
 * When the (first) occurrence is: `Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)`, or `Tuesday, 24 – Thursday,
 * 26 November 2026, all day`.
 */
export function whenLabel(span: Span, options: LabelOptions = {}): string {
  const { times, zone } = whenParts(span, options);
  return zone === null ? times : `${times} (${zone})`;
}

/** The start, short enough for a subject: `Tue 24 Nov 2026, 09:00 (Europe/Berlin)`, `Tue 24 – Thu 26 Nov 2026`. */
export function shortWhenLabel(span: Span): string {
  const dayName = (wall: number) => weekday(wall).slice(0, 3);
  const monthName = (wall: number) => month(wall).slice(0, 3);
  const date = (wall: number) => `${dayName(wall)} ${dayOfMonth(wall)} ${monthName(wall)} ${year(wall)}`;
  if (span.allDay) return dateRange(...wholeDays(span), date, dayName, monthName);
  const start = localTime(span.start, span.timezone);
  return `${date(start)}, ${clock(start)} (${span.timezone})`;
}

/** The first date in parts, for a calendar icon: `{weekday: 'Tue', day: '24', month: 'Nov'}`. */
export function datePartsOf(span: Span): { weekday: string; day: string; month: string } {
  const start = localTime(span.start, span.timezone);
  return { weekday: weekday(start).slice(0, 3), day: String(dayOfMonth(start)), month: month(start).slice(0, 3) };
}

function ordinal(number: number): string {
  const teens = number % 100 >= 11 && number % 100 <= 13;
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

function frequencyWords(frequency: Exclude<Series['frequency'], 'none'>, wall: number): string {
  const date = dayOfMonth(wall);
  switch (frequency) {
    case 'daily':
      return 'Every day';
    case 'weekly':
      return `Every week on ${weekday(wall)}`;
    case 'biweekly':
      return `Every two weeks on ${weekday(wall)}`;
    case 'monthly':
      return `Every month on the ${ordinal(date)}${date > 28 ? ' (skips shorter months)' : ''}`;
    case 'yearly': {
      const text = `${date} ${month(wall)}`;
      return `Every year on ${text}${text === '29 February' ? ' (leap years only)' : ''}`;
    }
  }
}

/** The last possible date of an occurrence: the day before `until` if `until` is earlier than that day's occurrence. */
function lastDate({ start, until, timezone, allDay }: Series & { until: number }): number {
  if (until % day === 0) return until;
  const last = localTime(until, timezone);
  const timeOf = (wall: number) => ((wall % day) + day) % day;
  return !allDay && timeOf(last) < timeOf(localTime(start, timezone)) ? last - day : last;
}

/** The recurrence in the event's zone: `Every week on Tuesday, until 4 March 2027`, `Does not repeat`. */
export function recurrenceLabel(series: Series): string {
  const { start, timezone, frequency, until } = series;
  if (frequency === 'none') return 'Does not repeat';
  const often = frequencyWords(frequency, localTime(start, timezone));
  if (until === null) return often;
  const last = lastDate({ ...series, until });
  return `${often}, until ${dayOfMonth(last)} ${month(last)} ${year(last)}`;
}

const counted = (value: number, unit: ReminderTime['unit']) => `${value} ${value === 1 ? unit.slice(0, -1) : unit}`;

/** `10 minutes before`, `1 day before`, `When it starts`. */
export function reminderLabel({ value, unit }: ReminderTime): string {
  return value === 0 ? 'When it starts' : `${counted(value, unit)} before`;
}

function soonWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / minute);
  if (minutes < 120 && minutes % 60 !== 0) return `in ${counted(minutes, 'minutes')}`;
  const hours = Math.round(milliseconds / hour);
  return hours >= 48 || hours % 24 === 0 ? `in ${counted(Math.round(hours / 24), 'days')}` : `in ${counted(hours, 'hours')}`;
}

/**
 * Time from `now` to an occurrence: `in 10 minutes`, `in 2 hours`, `in 3 days`, `now`; all-day ones are `today` or `tomorrow`.
 * null if it has begun.
 */
export function startsInLabel(occurrence: Occurrence & Pick<Series, 'timezone' | 'allDay'>, now: number): string | null {
  const { start, timezone, allDay } = occurrence;
  if (allDay) {
    const days = Math.floor(localTime(start, timezone) / day) - Math.floor(localTime(now, timezone) / day);
    if (days < 0) return null;
    return ['today', 'tomorrow'][days] ?? `in ${counted(days, 'days')}`;
  }
  if (start - now < -minute / 2) return null;
  return start - now < minute / 2 ? 'now' : soonWords(start - now);
}
