import { isDeepStrictEqual } from 'node:util';
import { announcedFields } from './calendar.schema';
import type { EventRow } from './event.record';

/** What says when an event is. */
const times = ['startTime', 'endTime', 'timezone', 'allDay', 'recurrence', 'recurrenceEndDate'] as const;

/** What of an event its reminders depend on: all but when it ends, or a reminder that is due would be passed over for that. */
const scheduling = ['startTime', 'timezone', 'allDay', 'recurrence', 'recurrenceEndDate', 'reminders', 'status'] as const;

function differs<Field extends keyof EventRow>(before: EventRow, after: EventRow, fields: readonly Field[]): boolean {
  return fields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}

/**
 * Whether a change raises SEQUENCE. RFC 5546, 2.1.4 asks for it where times, recurrence or status change; what else invitees see counts
 * too, since some calendars pass over an update with the number they know.
 */
export function isOfConcern(before: EventRow, after: EventRow): boolean {
  return differs(before, after, announcedFields);
}

/** Whether an event takes place at other times than before, so that an answer to what was says nothing of what is. */
export function isMoved(before: EventRow, after: EventRow): boolean {
  return differs(before, after, times);
}

/** Whether reminders have to be counted anew. */
export function isRescheduled(before: EventRow, after: EventRow): boolean {
  return differs(before, after, scheduling);
}
