import { describe, expect, it } from 'vitest';
import { isSameSpan, spanOf, timesAfterMove } from './event-span';

const timed = {
  startTime: '2026-11-24T09:00:00.000Z',
  endTime: '2026-11-24T10:00:00.000Z',
  timezone: 'Europe/Berlin',
  allDay: false,
  recurrence: 'none',
} as const;

/** 24 to 26 November, as the API lists whole days. */
const wholeDays = {
  ...timed,
  startTime: '2026-11-23T23:00:00.000Z',
  endTime: '2026-11-26T23:00:00.000Z',
  allDay: true,
} as const;

describe('spanOf', () => {
  it('keeps the moments of a timed event', () => {
    expect(spanOf(timed)).toEqual({ allDay: false, start: timed.startTime, end: timed.endTime });
  });

  it('has whole days on the dates of the event’s own zone', () => {
    expect(spanOf(wholeDays)).toEqual({ allDay: true, start: '2026-11-24', end: '2026-11-27' });
    expect(spanOf({ ...wholeDays, timezone: 'UTC' })).toEqual({ allDay: true, start: '2026-11-23', end: '2026-11-27' });
  });

  it('counts every date that is touched', () => {
    expect(spanOf({ ...timed, allDay: true })).toEqual({ allDay: true, start: '2026-11-24', end: '2026-11-25' });
  });
});

describe('timesAfterMove', () => {
  it('puts a single event where it was dropped', () => {
    const to = { allDay: false, start: '2026-11-25T14:00:00.000Z', end: '2026-11-25T15:30:00.000Z' };
    expect(timesAfterMove(timed, spanOf(timed), to)).toEqual({ allDay: false, startTime: to.start, endTime: to.end });
  });

  it('moves a series by the clock of its zone, also from winter into summer', () => {
    // 10:00 in Berlin each week since 20 October, in summer time; the occurrence of 24 November moves to Wednesday, 11:00.
    const series = {
      ...timed,
      recurrence: 'weekly',
      startTime: '2026-10-20T08:00:00.000Z',
      endTime: '2026-10-20T09:00:00.000Z',
    } as const;
    const to = { allDay: false, start: '2026-11-25T10:00:00.000Z', end: '2026-11-25T12:00:00.000Z' };
    expect(timesAfterMove(series, spanOf(timed), to)).toEqual({
      allDay: false,
      startTime: '2026-10-21T09:00:00.000Z',
      endTime: '2026-10-21T11:00:00.000Z',
    });
  });

  it('moves and stretches whole days by dates, over a change of the clocks', () => {
    const to = { allDay: true, start: '2027-03-27', end: '2027-03-30' };
    expect(timesAfterMove(wholeDays, spanOf(wholeDays), to)).toEqual({
      allDay: true,
      startTime: '2027-03-26T23:00:00.000Z',
      endTime: '2027-03-29T22:00:00.000Z',
    });
  });

  it('makes whole days of a series on its own dates, and back', () => {
    const series = {
      ...timed,
      recurrence: 'daily',
      startTime: '2026-11-01T09:00:00.000Z',
      endTime: '2026-11-01T10:00:00.000Z',
    } as const;
    const days = { allDay: true, start: '2026-11-25', end: '2026-11-26' };
    const after = timesAfterMove(series, spanOf(timed), days);
    expect(after).toEqual({ allDay: true, startTime: '2026-11-01T23:00:00.000Z', endTime: '2026-11-02T23:00:00.000Z' });
    const back = timesAfterMove({ ...series, ...after }, days, spanOf(timed));
    expect(back).toEqual({ allDay: false, startTime: series.startTime, endTime: series.endTime });
  });
});

it('knows a span by its moments, however they are written', () => {
  const { start, end } = spanOf(timed);
  expect(isSameSpan(spanOf(timed), { allDay: false, start: start.replace('.000', ''), end })).toBe(true);
  expect(isSameSpan(spanOf(timed), { allDay: false, start, end: '2026-11-24T11:00:00.000Z' })).toBe(false);
  expect(isSameSpan(spanOf(timed), spanOf(wholeDays))).toBe(false);
});
