import { expect, test } from 'vitest';
import type { EventRecord } from '@/server/features/events/event.schema';
import { atPause, emptyStream, eventStream, mergeEvents, shownMaximum } from './event-stream';

const event = (nr: number) =>
  ({ id: String(nr), createdAt: `2026-11-25T10:00:${String(nr).padStart(2, '0')}.000Z` }) as EventRecord;
const ids = (events: readonly EventRecord[]) => events.map(({ id }) => id).join(' ');
const received = (...numbers: number[]) => ({ kind: 'received', events: numbers.map(event) }) as const;

test('new events come on top, and a paused page holds them until it is resumed', () => {
  let stream = eventStream(emptyStream, received(1, 2));
  expect(ids(stream.shown)).toBe('2 1');
  stream = eventStream(stream, { kind: 'paused', after: event(2).createdAt });
  stream = eventStream(stream, received(3));
  stream = eventStream(stream, received(4, 5));
  expect([ids(stream.shown), ids(stream.held)]).toEqual(['2 1', '5 4 3']);
  stream = eventStream(stream, { kind: 'resumed' });
  expect(stream).toEqual({ shown: [5, 4, 3, 2, 1].map(event), held: [], pausedAfter: null });
});

test('only so many stay, and reading the log again starts from the beginning', () => {
  let stream = eventStream(emptyStream, received(...Array.from({ length: shownMaximum + 9 }, (_, nr) => nr)));
  expect(stream.shown).toHaveLength(shownMaximum);
  expect(stream.shown[0]?.id).toBe(String(shownMaximum + 8));
  stream = eventStream({ ...stream, pausedAfter: '' }, { kind: 'restarted' });
  expect(stream).toEqual({ shown: [], held: [], pausedAfter: '' });
});

test('what is in the log and came in live is shown once, newest first', () => {
  expect(ids(mergeEvents([event(4), event(2)], [event(3), event(2), event(1)]))).toBe('4 3 2 1');
});

test('a paused page does not show what the log has since, but counts it', () => {
  const events = mergeEvents([event(4)], [event(4), event(3), event(2)]);
  const { items, held } = atPause(events, event(2).createdAt);
  expect([ids(items), held]).toEqual(['2', 2]);
  expect(atPause(events, null)).toEqual({ items: events, held: 0 });
  expect(atPause(events, '')).toEqual({ items: [], held: 3 });
});
