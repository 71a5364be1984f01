import type { EventItem } from '@/server/features/calendar/calendar.schema';
import { dayLength, instantOf, localTime } from '@/server/platform/ical/zones';
import { addDays, dateOfWall, wallOfDate } from './zone-clock';

/**
 * The time of an event in the calendar. Whole days are dates (`2026-11-24`, the end exclusive) and the same for every viewer,
 * so that a holiday does not begin the evening before. Anything else is moments in ISO 8601, shown in each viewer's zone.
 */
export interface EventSpan {
  allDay: boolean;
  start: string;
  end: string;
}

/** An event's times as in the API: moments in ISO 8601. */
export type EventTimes = Pick<EventItem, 'startTime' | 'endTime' | 'allDay'>;

type TimedEvent = EventTimes & Pick<EventItem, 'timezone'>;

/** The time of an event or occurrence. Whole days are all dates of its zone that it touches. */
export function spanOf({ startTime, endTime, allDay, timezone }: TimedEvent): EventSpan {
  if (!allDay) return { allDay, start: startTime, end: endTime };
  const start = dateOfWall(localTime(Date.parse(startTime), timezone));
  const last = dateOfWall(localTime(Date.parse(endTime) - 1, timezone));
  return { allDay, start, end: addDays(last < start ? start : last, 1) };
}

export function isSameSpan(one: EventSpan, other: EventSpan): boolean {
  const sameMoment = (a: string, b: string) => Date.parse(a) === Date.parse(b);
  return one.allDay === other.allDay && sameMoment(one.start, other.start) && sameMoment(one.end, other.end);
}

function wallStart(span: EventSpan, zone: string): number {
  return span.allDay ? wallOfDate(span.start) : localTime(Date.parse(span.start), zone);
}

const iso = (moment: number) => new Date(moment).toISOString();

const midnightBefore = (wall: number) => Math.floor(wall / dayLength) * dayLength;

/**
 * The new times of an event after it, or one occurrence of it, was dragged. A series moves as a whole: its wall time in its own
 * zone shifts by as much as the occurrence's did, and it gets the occurrence's new length.
 */
export function timesAfterMove(event: TimedEvent & Pick<EventItem, 'recurrence'>, from: EventSpan, to: EventSpan): EventTimes {
  const { timezone } = event;
  const isSeries = event.recurrence !== 'none';
  const first = localTime(Date.parse(event.startTime), timezone);
  const moved = (event.allDay ? midnightBefore(first) : first) + wallStart(to, timezone) - wallStart(from, timezone);
  if (to.allDay) {
    // The date on which it begins, whatever its time on that date was.
    const start = isSeries ? midnightBefore(moved) : wallOfDate(to.start);
    const end = start + wallOfDate(to.end) - wallOfDate(to.start);
    return { allDay: true, startTime: iso(instantOf(start, timezone)), endTime: iso(instantOf(end, timezone)) };
  }
  const start = isSeries ? instantOf(moved, timezone) : Date.parse(to.start);
  return { allDay: false, startTime: iso(start), endTime: iso(start + Date.parse(to.end) - Date.parse(to.start)) };
}
