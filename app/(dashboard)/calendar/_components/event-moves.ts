import type { ErrorFacts } from '@/app/_kit/error-facts';
import type { EventItem, EventRecord } from '@/server/features/calendar/calendar.schema';
import { type EventSpan, isSameSpan, spanOf, timesAfterMove } from './event-span';

/** A drag of an event, or of one occurrence of it. */
export interface EventMove {
  eventId: string;
  from: EventSpan;
  to: EventSpan;
}

/** The items with pending moves applied. All occurrences of a series move together. */
export function itemsAfterMoves(items: readonly EventItem[], moves: readonly EventMove[]): EventItem[] {
  return items.map((item) => {
    let moved = item;
    for (const { eventId, from, to } of moves) {
      if (eventId === item.id) moved = { ...moved, ...timesAfterMove(moved, from, to) };
    }
    return moved;
  });
}

/** Whether an event has changed since it was shown, so that the move would not be what the user meant. */
export function isOutdated(shown: EventItem, event: EventRecord): boolean {
  if (shown.recurrence !== event.recurrence || shown.timezone !== event.timezone || shown.allDay !== event.allDay) return true;
  return event.recurrence === 'none' && !isSameSpan(spanOf(shown), spanOf(event));
}

/** The toast after a move; `mailed` is the number of mailed invitees. If one end stayed, the event was resized. */
export function movedMessage(
  { title, recurrence }: Pick<EventRecord, 'title' | 'recurrence'>,
  { from, to }: EventMove,
  mailed: number,
) {
  const isStretched = from.allDay === to.allDay && (from.start === to.start || from.end === to.end);
  const what = recurrence === 'none' ? 'Event' : 'Series';
  const mailedNote = mailed === 0 ? '' : ` · ${mailed === 1 ? '1 guest' : `${mailed} guests`} notified`;
  return { message: `${what} ${isStretched ? 'changed' : 'moved'}`, description: `${title}${mailedNote}` };
}

/** Why an event is back at its previous time. */
export function moveFailure({ code, message }: Pick<ErrorFacts, 'code' | 'message'>): string {
  if (code === 'precondition_failed') return 'This event was changed elsewhere, so it wasn’t moved.';
  return `Couldn’t move the event. ${message}`;
}
