import { describe, expect, it } from 'vitest';
import type { EventItem, EventRecord } from '@/server/features/calendar/calendar.schema';
import { isOutdated, itemsAfterMoves, movedMessage, moveFailure } from './event-moves';
import { spanOf } from './event-span';

const item: EventItem = {
  id: '0190d2a4-8a4f-7c3e-9b1d-2f6a5c8e7d10',
  title: 'Wheel truing',
  startTime: '2026-11-24T09:00:00.000Z',
  endTime: '2026-11-24T10:00:00.000Z',
  occurrenceStart: '2026-11-24T09:00:00.000Z',
  timezone: 'Europe/Berlin',
  allDay: false,
  color: 'green',
  status: 'confirmed',
  recurrence: 'none',
  location: '',
  agent: null,
  invitees: [],
  inviteeCount: 0,
};

const hourLater = { allDay: false, start: '2026-11-24T10:00:00.000Z', end: '2026-11-24T11:00:00.000Z' };
const move = { eventId: item.id, from: spanOf(item), to: hourLater };

describe('itemsAfterMoves', () => {
  it('shows an event where it was dropped, and leaves the others alone', () => {
    const other = { ...item, id: '0190d2a4-8a4f-7c3e-9b1d-2f6a5c8e7d11' };
    const [moved, same] = itemsAfterMoves([item, other], [move]);
    expect(moved).toMatchObject({ startTime: hourLater.start, endTime: hourLater.end });
    expect(same).toEqual(other);
  });

  it('takes all occurrences of a series along', () => {
    const series = { ...item, recurrence: 'weekly' } as const;
    const next = { ...series, startTime: '2026-12-01T09:00:00.000Z', endTime: '2026-12-01T10:00:00.000Z' };
    expect(itemsAfterMoves([series, next], [move]).map(({ startTime }) => startTime)).toEqual([
      hourLater.start,
      '2026-12-01T10:00:00.000Z',
    ]);
  });

  it('is as before once a move is taken back', () => {
    const back = { eventId: item.id, from: move.to, to: move.from };
    expect(itemsAfterMoves([item], [move, back])).toEqual([item]);
  });
});

describe('isOutdated', () => {
  const stored = item as unknown as EventRecord;

  it('notices that an event was moved or became something else meanwhile', () => {
    expect(isOutdated(item, stored)).toBe(false);
    expect(isOutdated(item, { ...stored, startTime: '2026-11-24T08:00:00.000Z' })).toBe(true);
    expect(isOutdated(item, { ...stored, recurrence: 'weekly' })).toBe(true);
    expect(isOutdated(item, { ...stored, allDay: true })).toBe(true);
  });

  it('expects an occurrence elsewhere than its series begins', () => {
    const series = { ...item, recurrence: 'weekly' } as const;
    const record = { ...stored, recurrence: 'weekly', startTime: '2026-01-06T09:00:00.000Z' } as const;
    expect(isOutdated(series, record)).toBe(false);
  });
});

it('says what moved, and who was told', () => {
  expect(movedMessage(item, move, 0)).toEqual({ message: 'Event moved', description: 'Wheel truing' });
  expect(movedMessage({ ...item, recurrence: 'daily' }, move, 2)).toEqual({
    message: 'Series moved',
    description: 'Wheel truing · 2 guests notified',
  });
  const longer = { ...move, to: { ...move.from, end: hourLater.end } };
  expect(movedMessage(item, longer, 0).message).toBe('Event changed');
});

it('says why an event is back where it was', () => {
  expect(moveFailure({ code: 'precondition_failed', message: '' })).toContain('changed elsewhere');
  expect(moveFailure({ code: 'unreachable', message: 'The server could not be reached.' })).toBe(
    'Couldn’t move the event. The server could not be reached.',
  );
});
