import { expect, it } from 'vitest';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import { draftEvent, gridEvent, spanOfDragged } from './grid-events';

const item: EventItem = {
  id: '0190d2a4-8a4f-7c3e-9b1d-2f6a5c8e7d10',
  title: 'Wheel truing',
  startTime: '2026-11-24T09:00:00.000Z',
  endTime: '2026-11-24T10:00:00.000Z',
  occurrenceStart: '2026-11-24T09:00:00.000Z',
  timezone: 'Europe/Berlin',
  allDay: false,
  color: 'green',
  status: 'tentative',
  recurrence: 'none',
  location: '',
  agent: null,
  invitees: [],
  inviteeCount: 0,
};

it('tells occurrences of a series apart', () => {
  const other = { ...item, occurrenceStart: '2026-12-01T09:00:00.000Z' };
  expect(gridEvent(item, false).id).not.toBe(gridEvent(other, false).id);
});

it('draws color and status, and fixes canceled events in place', () => {
  expect(gridEvent(item, true)).toMatchObject({ className: 'cal-event cal-green cal-tentative cal-open', editable: true });
  expect(gridEvent({ ...item, status: 'cancelled' }, false)).toMatchObject({ editable: false });
});

it('shows a draft of whole days on its dates', () => {
  const draft = {
    startTime: '2026-11-23T23:00:00.000Z',
    endTime: '2026-11-24T23:00:00.000Z',
    allDay: true,
    timezone: 'Europe/Berlin',
  };
  expect(draftEvent(draft)).toMatchObject({ allDay: true, start: '2026-11-24', end: '2026-11-25' });
});

it('gives an hour, or a day, to what was dragged between times and whole days', () => {
  const start = new Date('2026-11-24T09:00:00Z');
  const timed = { allDay: false, start, end: null, startStr: '2026-11-24T10:00:00+01:00', endStr: '' };
  expect(spanOfDragged(timed)).toEqual({ allDay: false, start: start.toISOString(), end: '2026-11-24T10:00:00.000Z' });
  const whole = { allDay: true, start, end: null, startStr: '2026-11-24', endStr: '' };
  expect(spanOfDragged(whole)).toEqual({ allDay: true, start: '2026-11-24', end: '2026-11-25' });
});
