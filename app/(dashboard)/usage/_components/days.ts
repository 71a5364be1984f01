import type { Consumption, Metric } from './figures';

/** A UTC day of the chart. */
export interface DayRow {
  /** As the server names it, e.g. "2026-11-21". */
  day: string;
  value: number;
}

/** The chart's bars: what one metric was on each day. */
export function toDayRows(days: readonly (Consumption & { day: string })[], metric: Metric): DayRow[] {
  return days.map((day) => ({ day: day.day, value: day[metric] }));
}

/** The dashboard speaks English, so dates follow the viewer's locale only as far as it is an English one. */
function dateLocale(locale: string): string {
  return locale.startsWith('en') ? locale : 'en-GB';
}

/** A UTC day as the viewer writes it. It is the same day everywhere: usage is counted by UTC, whatever the viewer's zone. */
export function formatDay(day: string, locale: string, length: 'short' | 'long'): string {
  const options: Intl.DateTimeFormatOptions =
    length === 'short' ? { day: 'numeric', month: 'short' } : { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(dateLocale(locale), { ...options, timeZone: 'UTC' });
}

/** "November 2026", of a UTC month's first moment. */
export function formatMonth(start: string, locale: string): string {
  return new Date(start).toLocaleDateString(dateLocale(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' });
}
