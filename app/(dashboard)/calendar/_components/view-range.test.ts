import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarViews } from '../search-params';
import { dateShowing, firstShownMinute, listInput, nextDate, rangeLabel, shownRange } from './view-range';

const dates = fc
  .integer({ min: Date.parse('2000-01-01'), max: Date.parse('2099-12-31') })
  .map((at) => new Date(at).toISOString().slice(0, 10));

it('shows the date it is asked for, and the next one only after a step', () => {
  fc.assert(
    fc.property(fc.constantFrom(...calendarViews), dates, fc.integer({ min: 0, max: 6 }), (view, date, firstDay) => {
      const { from, to } = shownRange(view, date, firstDay);
      expect(from <= date && date < to).toBe(true);
      const next = nextDate(view, date, 1);
      expect(next > date).toBe(true);
      // Pages adjoin without a gap.
      expect(shownRange(view, next, firstDay).from <= to).toBe(true);
      expect(nextDate(view, date, -1) < date).toBe(true);
    }),
  );
});

it('begins weeks as the locale does', () => {
  expect(shownRange('week', '2026-11-25', 1)).toEqual({ from: '2026-11-23', to: '2026-11-30' });
  expect(shownRange('week', '2026-11-25', 0)).toEqual({ from: '2026-11-22', to: '2026-11-29' });
  expect(shownRange('month', '2026-11-25', 1)).toEqual({ from: '2026-10-26', to: '2026-12-07' });
});

it('steps from the 31st into the month that follows', () => {
  expect(nextDate('month', '2026-01-31', 1)).toBe('2026-02-01');
  expect(nextDate('month', '2026-03-31', -1)).toBe('2026-02-01');
});

it('says what is shown', () => {
  expect(rangeLabel('month', '2026-11-25', 1, 'en-GB')).toBe('November 2026');
  expect(rangeLabel('week', '2026-11-25', 1, 'en-GB')).toMatch(/^23\D+29 Nov 2026$/);
  expect(rangeLabel('day', '2026-11-25', 1, 'en-GB')).toMatch(/25 Nov 2026/);
});

it('asks for a day more on either side, by the viewer’s midnight', () => {
  const range = { from: '2026-11-23', to: '2026-11-30' };
  expect(listInput(range, '', 'Europe/Berlin')).toMatchObject({
    startDate: '2026-11-21T23:00:00.000Z',
    endDate: '2026-11-30T23:00:00.000Z',
  });
});

it('filters by agents only, not by whatever an address says', () => {
  const range = { from: '2026-11-23', to: '2026-11-30' };
  expect(listInput(range, 'nonsense')).not.toHaveProperty('agentId');
  const agentId = '0190d2a4-8a4f-7c3e-9b1d-2f6a5c8e7d10';
  expect(listInput(range, agentId)).toMatchObject({ agentId });
});

/** An event of an hour in Berlin. */
const eventAt = (startTime: string, changes: object = {}) => ({
  startTime,
  endTime: new Date(Date.parse(startTime) + 3_600_000).toISOString(),
  allDay: false,
  timezone: 'Europe/Berlin',
  recurrence: 'none' as const,
  ...changes,
});

describe('the date at which an event can be seen', () => {
  const showing = (event: ReturnType<typeof eventAt>) => dateShowing(event, 'week', '2026-11-25', 1, 'Europe/Berlin');

  it('is the one shown, if the event is in that view', () => {
    expect(showing(eventAt('2026-11-23T09:00:00Z'))).toBe('2026-11-25');
    // From the Sunday before until Monday morning, and until the last moment of that Sunday.
    expect(showing(eventAt('2026-11-22T22:30:00Z'))).toBe('2026-11-25');
    expect(showing(eventAt('2026-11-22T22:00:00Z'))).toBe('2026-11-22');
  });

  it('is that of its beginning otherwise, in the zone of the viewer', () => {
    expect(showing(eventAt('2026-11-29T23:30:00Z'))).toBe('2026-11-30');
    expect(showing(eventAt('2027-03-01T09:00:00Z'))).toBe('2027-03-01');
    const day = { allDay: true, endTime: '2026-12-24T23:00:00Z' };
    expect(showing(eventAt('2026-12-23T23:00:00Z', day))).toBe('2026-12-24');
  });

  it('stays for a series that began before', () => {
    expect(showing(eventAt('2026-10-05T09:00:00Z', { recurrence: 'weekly' }))).toBe('2026-11-25');
    expect(showing(eventAt('2026-12-07T09:00:00Z', { recurrence: 'weekly' }))).toBe('2026-12-07');
  });
});

it('shows the hours from half past seven, or from the half hour before the first event', () => {
  const week = { from: '2026-11-23', to: '2026-11-30' };
  const minuteWith = (...events: { startTime: string; allDay?: boolean }[]) =>
    firstShownMinute(
      events.map(({ startTime, allDay = false }) => ({ allDay, start: startTime, end: startTime })),
      week,
      'Europe/Berlin',
    );
  expect(minuteWith()).toBe(450);
  expect(minuteWith({ startTime: '2026-11-24T09:00:00Z' })).toBe(450);
  expect(minuteWith({ startTime: '2026-11-24T09:00:00Z' }, { startTime: '2026-11-26T05:20:00Z' })).toBe(360);
  // Its upper edge is in view.
  expect(minuteWith({ startTime: '2026-11-24T06:30:00Z' })).toBe(420);
  expect(minuteWith({ startTime: '2026-11-23T23:00:00Z' })).toBe(0);
  // Of other weeks, and whole days.
  expect(minuteWith({ startTime: '2026-11-22T05:20:00Z' }, { startTime: '2026-11-24', allDay: true })).toBe(450);
});
