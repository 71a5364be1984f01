import { expect, it } from 'vitest';
import { draftAt, nextFullHour } from './new-event';

it('proposes the next full hour of the zone', () => {
  const at = (time: string, zone: string) => nextFullHour(Date.parse(time), zone);
  expect(at('2026-11-24T09:12:34Z', 'Europe/Berlin')).toEqual({
    startTime: '2026-11-24T10:00:00.000Z',
    endTime: '2026-11-24T11:00:00.000Z',
    allDay: false,
    timezone: 'Europe/Berlin',
  });
  // 14:42 in India; the next full hour is 15:00 there.
  expect(at('2026-11-24T09:12:34Z', 'Asia/Kolkata').startTime).toBe('2026-11-24T09:30:00.000Z');
});

it('takes whole days from midnight to midnight of the zone', () => {
  expect(draftAt({ allDay: true, start: '2026-11-24', end: '2026-11-26' }, 'Europe/Berlin')).toEqual({
    startTime: '2026-11-23T23:00:00.000Z',
    endTime: '2026-11-25T23:00:00.000Z',
    allDay: true,
    timezone: 'Europe/Berlin',
  });
});
