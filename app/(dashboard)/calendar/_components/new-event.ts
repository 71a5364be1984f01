import { instantOf } from '@/server/platform/ical/zones';
import type { NewEvent } from './editor/event-panel';
import type { EventSpan } from './event-span';
import { wallOfDate } from './zone-clock';

const hour = 3_600_000;

const iso = (moment: number) => new Date(moment).toISOString();

/** The default time of a new event: one hour from the next full one. */
export function nextFullHour(now: number, timezone: string): NewEvent {
  // Zones can differ by half or quarter hours, so this is the next full hour in the zone.
  const start = fullHourAfter(now, timezone);
  return { startTime: iso(start), endTime: iso(start + hour), allDay: false, timezone };
}

function fullHourAfter(now: number, timezone: string): number {
  const minutes = Number(new Intl.DateTimeFormat('en-GB', { timeZone: timezone, minute: 'numeric' }).format(now));
  const begun = Math.floor(now / 60_000) * 60_000 - minutes * 60_000;
  return begun + hour;
}

/** The time of a new event where the user clicked or selected a time or whole days. */
export function draftAt({ allDay, start, end }: EventSpan, timezone: string): NewEvent {
  if (!allDay) return { startTime: start, endTime: end, allDay, timezone };
  const midnight = (date: string) => iso(instantOf(wallOfDate(date), timezone));
  return { startTime: midnight(start), endTime: midnight(end), allDay, timezone };
}
