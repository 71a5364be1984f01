import { isDeepStrictEqual } from 'node:util';
import { announcedFields } from './calendar.schema';
import type { EventRow } from './event.record';

/** Fields that determine when an event takes place. */
const times = ['startTime', 'endTime', 'timezone', 'allDay', 'recurrence', 'recurrenceEndDate'] as const;

/** Fields that an event's reminders depend on. Its end does not count, or a change of it would skip a reminder that is due. */
const scheduling = ['startTime', 'timezone', 'allDay', 'recurrence', 'recurrenceEndDate', 'reminders', 'status'] as const;

function differs<Field extends keyof EventRow>(before: EventRow, after: EventRow, fields: readonly Field[]): boolean {
  return fields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}

/**
 * Whether a change raises SEQUENCE. RFC 5546, 2.1.4 requires it for times, recurrence and status; other fields that invitees
 * see count, too, because some calendars ignore an update with a known number.
 */
export function affectsInvitees(before: EventRow, after: EventRow): boolean {
  return differs(before, after, announcedFields);
}

/** Whether an event moves to other times, so that earlier responses no longer apply. */
export function isMoved(before: EventRow, after: EventRow): boolean {
  return differs(before, after, times);
}

/** Whether reminders have to be scheduled again. */
export function isRescheduled(before: EventRow, after: EventRow): boolean {
  return differs(before, after, scheduling);
}

/** Invitees who are reminded by mail. */
function remindedOf(event: EventRow): string[] {
  if (event.status === 'cancelled' || !event.sendEmailReminders || event.reminders.length === 0) return [];
  return event.invitees.filter(({ isOrganizer }) => !isOrganizer).map(({ email }) => email);
}

/** Whether invitees are reminded by mail. */
export function remindsInvitees(event: EventRow): boolean {
  return remindedOf(event).length > 0;
}

/** Whether invitees will be mailed other reminders than before. Reminders of the owner do not count. */
export function changesReminders(before: EventRow, after: EventRow): boolean {
  const reminded = remindedOf(after);
  if (reminded.length === 0) return false;
  const known = new Set(remindedOf(before));
  return differs(before, after, [...announcedFields, 'reminders']) || reminded.some((email) => !known.has(email));
}
