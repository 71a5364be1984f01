import { isUuid } from '@/app/_kit/uuid';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import { instantOf, localTime } from '@/server/platform/ical/zones';
import type { CalendarView } from '../search-params';
import { type EventSpan, spanOf } from './event-span';
import { addDays, dateOfWall, viewerZone, wallOfDate } from './zone-clock';

/** How many days the agenda covers. */
export const agendaDays = 28;

const weekRows = 6;

/** Dates; `to` is exclusive. */
export interface DateRange {
  from: string;
  to: string;
}

/** The first date of a date's week. `firstDay` is 0 for Sunday, as everywhere here. */
function startOfWeek(date: string, firstDay: number): string {
  const weekday = new Date(wallOfDate(date)).getUTCDay();
  return addDays(date, -((weekday - firstDay + 7) % 7));
}

const startOfMonth = (date: string) => `${date.slice(0, 8)}01`;

/** The first day of the month `months` later. */
export function addMonths(date: string, months: number): string {
  return dateOfWall(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1));
}

/** The dates that a view shows. A month includes the ends of its neighbours, six weeks in all. */
export function shownRange(view: CalendarView, date: string, firstDay: number): DateRange {
  switch (view) {
    case 'month': {
      const from = startOfWeek(startOfMonth(date), firstDay);
      return { from, to: addDays(from, weekRows * 7) };
    }
    case 'week': {
      const from = startOfWeek(date, firstDay);
      return { from, to: addDays(from, 7) };
    }
    case 'day':
      return { from: date, to: addDays(date, 1) };
    case 'agenda':
      return { from: date, to: addDays(date, agendaDays) };
  }
}

/** What is needed of an event to find it in a view. */
type PlacedEvent = Pick<EventItem, 'startTime' | 'endTime' | 'allDay' | 'timezone' | 'recurrence'>;

/** The date to show so that an event can be seen: `date`, or where that view lacks it, the date on which it begins. */
export function dateShowing(event: PlacedEvent, view: CalendarView, date: string, firstDay: number, zone = viewerZone()): string {
  const { allDay, start, end } = spanOf(event);
  const dateAt = (moment: number) => dateOfWall(localTime(moment, zone));
  const first = allDay ? start : dateAt(Date.parse(start));
  const last = allDay ? addDays(end, -1) : dateAt(Math.max(Date.parse(start), Date.parse(end) - 1));
  const { from, to } = shownRange(view, date, firstDay);
  const isOver = event.recurrence === 'none' && last < from;
  return first < to && !isOver ? date : first;
}

/** Where the hours of a day usually begin to be shown, in minutes after midnight. */
const workdayBegins = 7 * 60 + 30;

/** The minute after midnight from which the hours of a view are shown: the half hour before the first event, or that of a workday. */
export function firstShownMinute(spans: readonly EventSpan[], { from, to }: DateRange, zone = viewerZone()): number {
  const minutes = spans.flatMap(({ allDay, start }) => {
    if (allDay) return [];
    const wall = localTime(Date.parse(start), zone);
    const date = dateOfWall(wall);
    return from <= date && date < to ? [(wall - wallOfDate(date)) / 60_000] : [];
  });
  const earliest = Math.floor((Math.min(...minutes) - 1) / 30) * 30;
  return Math.max(0, Math.min(workdayBegins, earliest));
}

/** The date one page of the view later or earlier. */
export function nextDate(view: CalendarView, date: string, direction: 1 | -1): string {
  if (view === 'month') return addMonths(date, direction);
  const days = { week: 7, day: 1, agenda: agendaDays };
  return addDays(date, direction * days[view]);
}

/** The title of a view: `November 2026`, `23 – 29 November 2026`. */
export function rangeLabel(view: CalendarView, date: string, firstDay: number, locale: string): string {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  if (view === 'month') return format({ month: 'long', year: 'numeric' }).format(wallOfDate(date));
  if (view === 'day') {
    return format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(wallOfDate(date));
  }
  const { from, to } = shownRange(view, date, firstDay);
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(wallOfDate(from), wallOfDate(addDays(to, -1)));
}

/** The maximum number of events loaded for one view. */
export const eventsMaximum = 2500;

/**
 * The list request of a view. It covers one more day on either side, since whole days are dates of the event's zone and may
 * begin or end up to a day away from the viewer's.
 */
export function listInput({ from, to }: DateRange, agentId: string, zone = viewerZone()) {
  const midnight = (date: string) => new Date(instantOf(wallOfDate(date), zone)).toISOString();
  return {
    startDate: midnight(addDays(from, -1)),
    endDate: midnight(addDays(to, 1)),
    expand: true,
    limit: eventsMaximum,
    ...(isUuid(agentId) ? { agentId } : {}),
  };
}
