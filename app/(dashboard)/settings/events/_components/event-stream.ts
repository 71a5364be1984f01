import type { EventRecord } from '@/server/features/events/event.schema';

/** Events that came in while the page was open, newest first. */
export interface EventStream {
  shown: readonly EventRecord[];
  /** Events that came in since following was paused. */
  held: readonly EventRecord[];
  isPaused: boolean;
}

export const emptyStream: EventStream = { shown: [], held: [], isPaused: false };

type Action = { kind: 'received'; events: readonly EventRecord[] } | { kind: 'paused' | 'resumed' | 'restarted' };

/** Live events that stay on the page; older ones are in the log. */
export const shownMaximum = 500;

/** @param events oldest first, as they come in */
function withNew(current: readonly EventRecord[], events: readonly EventRecord[]): readonly EventRecord[] {
  return [...events.toReversed(), ...current].slice(0, shownMaximum);
}

export function eventStream(stream: EventStream, action: Action): EventStream {
  switch (action.kind) {
    case 'received':
      return stream.isPaused
        ? { ...stream, held: withNew(stream.held, action.events) }
        : { ...stream, shown: withNew(stream.shown, action.events) };
    case 'paused':
      return { ...stream, isPaused: true };
    case 'resumed':
      return { shown: withNew(stream.shown, stream.held.toReversed()), held: [], isPaused: false };
    case 'restarted':
      // The log is read again, which has them all.
      return { ...emptyStream, isPaused: stream.isPaused };
  }
}

/** Live events and those of the log, each once, newest first. */
export function mergeEvents(live: readonly EventRecord[], logged: readonly EventRecord[]): EventRecord[] {
  const all = [...new Map([...live, ...logged].map((event) => [event.id, event])).values()];
  // Stable: events of the same moment keep their order in the log.
  return all.sort((one, other) => (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0));
}
