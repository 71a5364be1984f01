import type { EventInput } from '@fullcalendar/react';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import type { NewEvent } from './editor/event-panel';
import { colorClasses } from './event-labels';
import { type EventSpan, spanOf } from './event-span';

/** What the grid hands back of an event: its item, or nothing for the one that is just being made. */
export interface GridEventProps {
  item: EventItem | null;
}

/** An occurrence as the grid takes it. */
export function gridEvent(item: EventItem, isOpen: boolean): EventInput {
  const { allDay, start, end } = spanOf(item);
  const cancelled = item.status === 'cancelled';
  const classes = [
    colorClasses[item.color],
    ...(item.status === 'confirmed' ? [] : [`cal-${item.status}`]),
    ...(isOpen ? ['cal-open'] : []),
  ];
  return {
    id: `${item.id} ${item.occurrenceStart ?? ''}`,
    title: item.title,
    allDay,
    start,
    end,
    className: `cal-event ${classes.join(' ')}`,
    // Nobody wants to mail invitees that something which does not happen happens at another time.
    editable: !cancelled,
    extendedProps: { item } satisfies GridEventProps,
  };
}

/** The event that the panel is about to make, where it would stand. */
export function draftEvent({ startTime, endTime, allDay, timezone }: NewEvent): EventInput {
  return {
    id: 'draft',
    title: 'New event',
    ...spanOf({ startTime, endTime, allDay, timezone }),
    className: 'cal-event cal-draft',
    editable: false,
    extendedProps: { item: null } satisfies GridEventProps,
  };
}

/** What the grid tells of an event that was dragged. */
interface DraggedEvent {
  allDay: boolean;
  start: Date | null;
  end: Date | null;
  startStr: string;
  endStr: string;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Where an event is after a drag. One that comes out of the row of whole days, or goes into it, has no end of its own. */
export function spanOfDragged({ allDay, start, end, startStr, endStr }: DraggedEvent): EventSpan {
  if (allDay) {
    const first = startStr.slice(0, 10);
    return { allDay, start: first, end: endStr.slice(0, 10) || new Date(Date.parse(first) + day).toISOString().slice(0, 10) };
  }
  const from = start ?? new Date(startStr);
  return { allDay, start: from.toISOString(), end: (end ?? new Date(from.getTime() + hour)).toISOString() };
}
