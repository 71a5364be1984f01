import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import {
  type EventValues,
  eventFormSchema,
  formPath,
  lastWholeDate,
  momentsOf,
  movedEnd,
  newValues,
  toRequest,
  toValues,
} from './event-values';
import { makeEvent } from './testing/event-fixtures';

const draft = {
  startTime: '2026-11-24T09:00:00.000Z',
  endTime: '2026-11-24T10:00:00.000Z',
  allDay: false,
  timezone: 'Europe/Berlin',
};
const values = (changes: Partial<EventValues> = {}): EventValues => ({ ...newValues(draft), title: 'Tyres', ...changes });
const event = (changes: Partial<EventRecord>) => toValues(makeEvent(changes));

describe('dates and times', () => {
  test('are those of the event’s zone', () => {
    expect(newValues(draft)).toMatchObject({
      startDate: '2026-11-24',
      startTime: '10:00',
      endDate: '2026-11-24',
      endTime: '11:00',
    });
    expect(toRequest(values())).toMatchObject({ startTime: draft.startTime, endTime: draft.endTime });
  });

  test('a time that clocks skip is an hour later, one they show twice is the first', () => {
    const gap = values({ startDate: '2026-03-29', startTime: '02:30', endDate: '2026-03-29', endTime: '04:00' });
    expect(toRequest(gap).startTime).toBe('2026-03-29T01:30:00.000Z');
    const twice = values({ startDate: '2026-10-25', startTime: '02:30', endDate: '2026-10-25', endTime: '04:00' });
    expect(toRequest(twice).startTime).toBe('2026-10-25T00:30:00.000Z');
  });

  test('whole days end with the last one, and are sent up to the next midnight of the zone', () => {
    // The clocks go back on the second of the two days.
    const days = values({ allDay: true, startDate: '2026-10-24', endDate: '2026-10-25' });
    expect(toRequest(days)).toMatchObject({ startTime: '2026-10-23T22:00:00.000Z', endTime: '2026-10-25T23:00:00.000Z' });
    const { startTime = '', endTime = '' } = toRequest(days);
    expect(event({ startTime, endTime, allDay: true })).toMatchObject({ startDate: '2026-10-24', endDate: '2026-10-25' });
  });

  test('whole days that are stored with hours are the dates they touch', () => {
    const stored = { startTime: '2026-11-24T08:00:00.000Z', endTime: '2026-11-24T09:00:00.000Z', allDay: true };
    expect(event(stored)).toMatchObject({ startDate: '2026-11-24', endDate: '2026-11-24' });
  });

  test('agree with Temporal in any zone', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ];
    const minute = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, (timezone, at) => {
        const wall = new Date(at * 60_000).toISOString();
        const [startDate, startTime] = [wall.slice(0, 10), wall.slice(11, 16)];
        const { start } = momentsOf(values({ timezone, startDate, startTime }));
        // Apia skipped a whole day, which RFC 5545 cannot express.
        fc.pre(!(timezone === 'Pacific/Apia' && startDate === '2011-12-30'));
        expect(start).toBe(Temporal.PlainDateTime.from(`${startDate}T${startTime}`).toZonedDateTime(timezone).epochMilliseconds);
      }),
    );
  });

  test('what is not filled in is nothing', () => {
    expect(momentsOf(values({ startDate: '' }))).toMatchObject({ start: null });
    expect(toRequest(values({ endTime: '' })).endTime).toBe('');
  });
});

describe('the end follows the beginning', () => {
  test('keeping the length on the clock, over midnight and over the change of clocks', () => {
    expect(movedEnd(values(), { startDate: '2026-11-24', startTime: '23:30' })).toEqual({
      endDate: '2026-11-25',
      endTime: '00:30',
    });
    expect(movedEnd(values(), { startDate: '2026-03-29', startTime: '01:30' })).toEqual({
      endDate: '2026-03-29',
      endTime: '02:30',
    });
  });

  test('by days where there are no hours', () => {
    const days = values({ allDay: true, startDate: '2026-11-24', endDate: '2026-11-26' });
    expect(movedEnd(days, { startDate: '2027-02-27', startTime: '' })).toMatchObject({ endDate: '2027-03-01' });
  });

  test('not while either is unknown, and not where the end comes first', () => {
    expect(movedEnd(values(), { startDate: '', startTime: '10:00' })).toBeNull();
    expect(movedEnd(values({ endTime: '09:00' }), { startDate: '2026-11-25', startTime: '10:00' })).toBeNull();
  });

  test('what ended at midnight ended the day before', () => {
    expect(lastWholeDate(values({ endDate: '2026-11-25', endTime: '00:00' }))).toBe('2026-11-24');
    expect(lastWholeDate(values({ endDate: '2026-11-25', endTime: '00:30' }))).toBe('2026-11-25');
  });
});

describe('the last date of a series', () => {
  test('is a date, stored as one or as a moment', () => {
    expect(event({ recurrence: 'daily', recurrenceEndDate: '2026-12-01T00:00:00.000Z' }).recurrenceEndDate).toBe('2026-12-01');
    expect(event({ recurrence: 'daily', recurrenceEndDate: '2026-12-01T23:30:00.000Z' }).recurrenceEndDate).toBe('2026-12-02');
  });

  test('goes with the series', () => {
    expect(toRequest(values({ recurrence: 'none', recurrenceEndDate: '2026-12-01' })).recurrenceEndDate).toBeNull();
    expect(toRequest(values({ recurrence: 'daily', recurrenceEndDate: '' })).recurrenceEndDate).toBeNull();
  });
});

describe('what the form refuses', () => {
  const problems = (changes: Partial<EventValues>) =>
    Object.fromEntries(
      (eventFormSchema.safeParse(values(changes)).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
    );

  test('nothing of an event that is right', () => {
    expect(problems({})).toEqual({});
  });

  test('an end before the beginning, at the field that is wrong', () => {
    expect(problems({ endTime: '09:00' })).toEqual({ endTime: 'must be after the start time' });
    expect(problems({ endDate: '2026-11-23' })).toEqual({ endDate: 'must not be before the start date' });
    expect(problems({ allDay: true, endDate: '2026-11-23' })).toEqual({ endDate: 'must not be before the start date' });
  });

  test('dates and times that are missing, once each', () => {
    expect(problems({ startDate: '', endTime: '' })).toEqual({ startDate: 'must be a date', endTime: 'must be a time' });
  });

  test('a series that ends before it begins', () => {
    expect(problems({ recurrence: 'daily', recurrenceEndDate: '2026-11-23' })).toEqual({
      recurrenceEndDate: 'must not be before the start date',
    });
  });

  test('what the procedure refuses, where the form shows it', () => {
    const meeting = { provider: 'zoom' as const, url: 'nowhere', password: '' };
    const refused = problems({ title: ' ', meeting, reminders: [{ value: 'x', unit: 'days' }], inviteeText: 'ann' });
    expect(Object.keys(refused).sort()).toEqual(['inviteeText', 'meeting.url', 'reminders.0.value', 'title']);
  });
});

test('the procedure’s paths are the form’s', () => {
  expect(['startTime', 'virtualMeeting.url', 'invitees.3.email', 'eventId'].map(formPath)).toEqual([
    'startDate',
    'meeting.url',
    'invitees.3.email',
    null,
  ]);
});
