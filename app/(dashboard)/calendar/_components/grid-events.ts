import type { EventInput } from '@fullcalendar/react';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import type { NewEvent } from './editor/event-panel';
import { colorClasses } from './event-labels';
import { type EventSpan, spanOf } from './event-span';

/** The grid's data of an event: its item, or nothing for the one being created. */
export interface GridEventProps {
  item: EventItem | null;
}

/** An occurrence in the grid's format. */
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
    // A cancelled event can't be moved: mailing its invitees a new time would make no sense.
    editable: !cancelled,
    extendedProps: { item } satisfies GridEventProps,
  };
}

/** The event that the panel is about to create, at its time. */
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

/** The grid's data of a dragged event. */
interface DraggedEvent {
  allDay: boolean;
  start: Date | null;
  end: Date | null;
  startStr: string;
  endStr: string;
}

const hour = 3_600_000;
const day = 24 * hour;

/** The time of an event after a drag. One dragged into or out of the whole-day row has no end of its own. */
export function spanOfDragged({ allDay, start, end, startStr, endStr }: DraggedEvent): EventSpan {
  if (allDay) {
    const first = startStr.slice(0, 10);
    return { allDay, start: first, end: endStr.slice(0, 10) || new Date(Date.parse(first) + day).toISOString().slice(0, 10) };
  }
  const from = start ?? new Date(startStr);
  return { allDay, start: from.toISOString(), end: (end ?? new Date(from.getTime() + hour)).toISOString() };
}
