import { monthOf, startOfMonth } from './months';
import type { Frequency, Occurrence, Series } from './series';
import { dayLength, instantOf, localTime, startOfDate } from './zones';

/** The years 1 to 9999, which ISO 8601 and PostgreSQL can write with four digits. */
const firstMoment = -62_135_596_800_000;
const lastMoment = 253_402_300_799_999;

/** Clocks never skipped or repeated more than a day, so local and elapsed time differ by less than this over an event. */
const offsetMargin = 49 * 3_600_000;

/** The step between occurrences. */
const steps: Record<Exclude<Frequency, 'none'>, { days: number } | { months: number }> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  biweekly: { days: 14 },
  monthly: { months: 1 },
  yearly: { months: 12 },
};

/** A series prepared for enumeration: occurrence 0 is the event itself, occurrence n is n steps later. */
interface Rule {
  series: Series;
  first: Occurrence;
  /** Local time of occurrence 0; for an all-day event the midnight of its first date. */
  origin: number;
  /** For timed events in elapsed milliseconds, for all-day events in calendar days. */
  duration: number;
  /** Upper bound of occurrence numbers, not necessarily an occurrence itself. */
  highest: number;
}

/**
 * Lazily generates the occurrences that end after `from`, by start. Starting costs the same however far `from` is from the
 * first occurrence. Times are milliseconds since 1970 UTC.
 * Occurrences keep the local time of the first in the series' zone; if clocks skip or repeat that time, RFC 5545, section
 * 3.3.5, applies. A timed event has constant elapsed duration (3.8.5.3), an all-day event a constant number of dates. Months
 * and years without the date are omitted (3.3.10), and so are dates which the zone skipped. None is after the year 9999.
 */
export function* occurrencesAfter(series: Series, from: number): Generator<Occurrence, void, undefined> {
  const rule = ruleOf(series);
  let previous: Occurrence | undefined;
  for (let number = numberBefore(rule, from - rule.duration); number <= rule.highest; number += 1) {
    const occurrence = occurrenceAt(rule, number);
    // A time on a skipped date falls on the next date, which may already have an occurrence; duplicates are dropped.
    if (!occurrence || occurrence.end <= from || occurrence.start === previous?.start) continue;
    yield occurrence;
    previous = occurrence;
  }
}

/** The occurrences that overlap `from` to `to` (exclusive), by start: those that start before `to` and end after `from`. */
export function* occurrencesBetween(series: Series, from: number, to: number): Generator<Occurrence, void, undefined> {
  for (const occurrence of occurrencesAfter(series, from)) {
    if (occurrence.start >= to) return;
    yield occurrence;
  }
}

/** True if `occurrencesBetween` yields any; takes about a microsecond. */
export function meets(series: Series, from: number, to: number): boolean {
  const latest = latestBefore(ruleOf(series), to);
  // Later occurrences end later, so if this one has ended, all others have.
  return latest !== undefined && latest.end > from;
}

/** The first occurrence that starts later than `after`; null if there is none. */
export function nextStart(series: Series, after: number): Occurrence | null {
  const rule = ruleOf(series);
  for (let number = numberBefore(rule, after); number <= rule.highest; number += 1) {
    const occurrence = occurrenceAt(rule, number);
    if (occurrence && occurrence.start > after) return occurrence;
  }
  return null;
}

/** From the start of the first occurrence to the end of the last; `end` is null if the series is unlimited. */
export function spanOf(series: Series): { start: number; end: number | null } {
  const rule = ruleOf(series);
  const { start } = rule.first;
  if (series.frequency !== 'none' && series.until === null) return { start, end: null };
  return { start, end: (latestBefore(rule, Number.POSITIVE_INFINITY) ?? rule.first).end };
}

function ruleOf(series: Series): Rule {
  const { start, timezone } = series;
  const local = localTime(start, timezone);
  const rule = {
    series,
    origin: local,
    duration: Math.max(0, series.end - start),
    highest: 0,
    first: { start, end: series.end },
  };
  if (series.allDay) {
    rule.origin = dateOf(local);
    // An end at midnight excludes the date that begins then.
    const lastDate = dateOf(localTime(Math.max(start, series.end - 1), timezone));
    rule.duration = Math.max(0, lastDate - rule.origin) + dayLength;
    rule.first = wholeDates(rule, rule.origin);
    rule.first = { start: inYears(rule.first.start), end: inYears(rule.first.end) };
  }
  if (series.frequency !== 'none') rule.highest = Math.max(0, numberNear(rule, latestLocal(rule)));
  return rule;
}

/** A local time at or shortly after that of the last occurrence. */
function latestLocal({ series: { until, timezone }, duration }: Rule): number {
  const latest = Math.min(lastMoment - duration, until ?? lastMoment);
  return localTime(inYears(latest), timezone) + offsetMargin;
}

/** Undefined if there is no occurrence of that number: the date does not exist, or the series is over. */
function occurrenceAt(rule: Rule, number: number): Occurrence | undefined {
  if (number === 0) return rule.first;
  const { allDay, timezone, until } = rule.series;
  const local = localAt(rule, number);
  if (local === undefined) return undefined;
  let occurrence: Occurrence;
  if (allDay) {
    occurrence = wholeDates(rule, local);
    if (startOfDate(local + dayLength, timezone) === occurrence.start) return undefined;
  } else {
    const start = instantOf(local, timezone);
    occurrence = { start, end: start + rule.duration };
  }
  if (occurrence.end > lastMoment) return undefined;
  if (until === null) return occurrence;
  const allowed = until % dayLength === 0 ? dateOf(local) <= until : occurrence.start <= until;
  return allowed ? occurrence : undefined;
}

function wholeDates({ series: { timezone }, duration }: Pick<Rule, 'series' | 'duration'>, midnight: number): Occurrence {
  return { start: startOfDate(midnight, timezone), end: startOfDate(midnight + duration, timezone) };
}

/** The local time of occurrence `number`; undefined in a month that lacks the day. */
function localAt({ series: { frequency }, origin }: Rule, number: number): number | undefined {
  if (frequency === 'none') return undefined;
  const step = steps[frequency];
  if ('days' in step) return origin + number * step.days * dayLength;
  const first = monthOf(origin);
  const month = first + number * step.months;
  const local = startOfMonth(month) + (origin - startOfMonth(first));
  return local < startOfMonth(month + 1) ? local : undefined;
}

/**
 * A number n such that occurrences below n are earlier than the local time, and those above n later; negative before the first.
 */
function numberNear({ series: { frequency }, origin }: Pick<Rule, 'series' | 'origin'>, local: number): number {
  if (frequency === 'none') return 0;
  const step = steps[frequency];
  if ('days' in step) return Math.floor((local - origin) / (step.days * dayLength));
  return Math.floor((monthOf(local) - monthOf(origin)) / step.months);
}

/** A number, at least 0, below which all occurrences start at or before `moment`. */
function numberBefore(rule: Rule, moment: number): number {
  return Math.max(0, numberNear(rule, localTime(inYears(moment), rule.series.timezone) - offsetMargin));
}

/** The last occurrence that starts before `moment`. */
function latestBefore(rule: Rule, moment: number): Occurrence | undefined {
  const local = localTime(inYears(moment), rule.series.timezone) + offsetMargin;
  // At most eight years without 29 February are consecutive, so this finds one soon or reaches the first.
  for (let number = Math.min(rule.highest, numberNear(rule, local)); number >= 0; number -= 1) {
    const occurrence = occurrenceAt(rule, number);
    if (occurrence && occurrence.start < moment) return occurrence;
  }
  return undefined;
}

function dateOf(local: number): number {
  return Math.floor(local / dayLength) * dayLength;
}

function inYears(moment: number): number {
  return Math.min(Math.max(moment, firstMoment), lastMoment);
}
