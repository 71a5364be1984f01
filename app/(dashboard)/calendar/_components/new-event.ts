import { instantOf } from '@/server/platform/ical/zones';
import type { NewEvent } from './editor/event-panel';
import type { EventSpan } from './event-span';
import { wallOfDate } from './zone-clock';

const hour = 3_600_000;

const iso = (moment: number) => new Date(moment).toISOString();

/** What a new event begins with where nothing else is said: an hour from the next full one. */
export function nextFullHour(now: number, timezone: string): NewEvent {
  // Zones are off by halves and quarters of an hour, so the full hour is the zone's.
  const start = fullHourAfter(now, timezone);
  return { startTime: iso(start), endTime: iso(start + hour), allDay: false, timezone };
}

function fullHourAfter(now: number, timezone: string): number {
  const minutes = Number(new Intl.DateTimeFormat('en-GB', { timeZone: timezone, minute: 'numeric' }).format(now));
  const begun = Math.floor(now / 60_000) * 60_000 - minutes * 60_000;
  return begun + hour;
}

/** What a new event begins with where somebody pointed at a time, or at whole days. */
export function draftAt({ allDay, start, end }: EventSpan, timezone: string): NewEvent {
  if (!allDay) return { startTime: start, endTime: end, allDay, timezone };
  const midnight = (date: string) => iso(instantOf(wallOfDate(date), timezone));
  return { startTime: midnight(start), endTime: midnight(end), allDay, timezone };
}
