import type { EventRecord } from '@/server/features/events/event.schema';

/** Events that came in while the page was open, newest first. */
export interface EventStream {
  shown: readonly EventRecord[];
  /** Events that came in since following was paused. */
  held: readonly EventRecord[];
  /** While following is paused, `createdAt` of the newest event on the page then; '' for none. Else null. */
  pausedAfter: string | null;
}

export const emptyStream: EventStream = { shown: [], held: [], pausedAfter: null };

type Action =
  | { kind: 'received'; events: readonly EventRecord[] }
  | { kind: 'paused'; after: string }
  | { kind: 'resumed' | 'restarted' };

/** Live events that stay on the page; older ones are in the log. */
export const shownMaximum = 500;

/** @param events oldest first, as they come in */
function withNew(current: readonly EventRecord[], events: readonly EventRecord[]): readonly EventRecord[] {
  return [...events.toReversed(), ...current].slice(0, shownMaximum);
}

export function eventStream(stream: EventStream, action: Action): EventStream {
  switch (action.kind) {
    case 'received':
      return stream.pausedAfter !== null
        ? { ...stream, held: withNew(stream.held, action.events) }
        : { ...stream, shown: withNew(stream.shown, action.events) };
    case 'paused':
      return { ...stream, pausedAfter: action.after };
    case 'resumed':
      return { shown: withNew(stream.shown, stream.held.toReversed()), held: [], pausedAfter: null };
    case 'restarted':
      // The log is read again, which has them all.
      return { ...emptyStream, pausedAfter: stream.pausedAfter };
  }
}

/** Live events and those of the log, each once, newest first. */
export function mergeEvents(live: readonly EventRecord[], logged: readonly EventRecord[]): EventRecord[] {
  const all = [...new Map([...live, ...logged].map((event) => [event.id, event])).values()];
  // Stable: events of the same moment keep their order in the log.
  return all.sort((one, other) => (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0));
}

/**
 * What a paused page shows, and the number of newer events. The log counts as well: it is read again when the page loses its
 * connection, and one that is still being read has what happened since.
 */
export function atPause(
  events: readonly EventRecord[],
  pausedAfter: string | null,
): { items: readonly EventRecord[]; held: number } {
  const items = pausedAfter === null ? events : events.filter(({ createdAt }) => createdAt <= pausedAfter);
  return { items, held: events.length - items.length };
}
