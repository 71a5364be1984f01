import { describe, expect, test } from 'vitest';
import { chosenTime, isScheduled, laterChoices, laterText, shortLaterText, snoozeChoices, waitsLong } from './later-times';

const friday = new Date(2026, 10, 27, 16, 20);

describe('times that are offered', () => {
  const offered = (now: Date) => laterChoices(now).map(({ label, time }) => [label, laterText(time, 'en-GB')]);

  test('are tomorrow, and Monday', () => {
    expect(offered(friday)).toEqual([
      ['Tomorrow morning', 'Sat 28 Nov, 08:00'],
      ['Tomorrow afternoon', 'Sat 28 Nov, 13:00'],
      ['Monday morning', 'Mon 30 Nov, 08:00'],
    ]);
  });

  test('leave Monday out on a Sunday, when it is tomorrow', () => {
    expect(offered(new Date(2026, 10, 29, 23, 59)).map(([label]) => label)).toEqual(['Tomorrow morning', 'Tomorrow afternoon']);
  });

  test('are a week ahead on a Monday', () => {
    expect(offered(new Date(2026, 10, 30, 0, 5)).at(-1)).toEqual(['Monday morning', 'Mon 7 Dec, 08:00']);
  });
});

test('a short time is a day, or of today a time', () => {
  expect(shortLaterText(new Date(2026, 10, 27, 18), friday, 'en-GB')).toBe('18:00');
  expect(shortLaterText(new Date(2026, 10, 28, 8), friday, 'en-GB')).toBe('Sat 28 Nov');
});

test('a conversation can be snoozed until later today, before the evening', () => {
  const first = (hours: number) => snoozeChoices(new Date(2026, 10, 27, hours, 20))[0];
  expect(first(15)).toMatchObject({ label: 'Later today', time: new Date(2026, 10, 27, 18) });
  expect(first(16)).toMatchObject({ label: 'Tomorrow morning' });
});

test.each([
  ['2026-11-27', '16:21', null],
  ['2026-11-27', '16:20', 'must be in the future'],
  ['2025-11-28', '08:00', 'must be in the future'],
  ['2027-11-26', '08:00', null],
  ['2027-11-28', '08:00', 'must be at most a year ahead'],
  ['', '08:00', 'is required'],
  ['2026-11-28', '', 'is required'],
])('%s at %s: %s', (date, time, problem) => {
  expect(chosenTime(date, time, friday).problem).toBe(problem);
});

test('an email that waits for some seconds is not scheduled', () => {
  const createdAt = '2026-11-27T16:20:00.000Z';
  expect(isScheduled({ createdAt, sendAt: null })).toBe(false);
  expect(isScheduled({ createdAt, sendAt: '2026-11-27T16:20:30.000Z' })).toBe(false);
  expect(isScheduled({ createdAt, sendAt: '2026-11-28T08:00:00.000Z' })).toBe(true);
});

test('an email waits long if it is scheduled, or has not left for a minute', () => {
  const createdAt = '2026-11-27T16:20:00.000Z';
  const [soon, late] = ['2026-11-27T16:20:59.000Z', '2026-11-27T16:21:01.000Z'].map((time) => Date.parse(time));
  expect(waitsLong({ createdAt, sendAt: null }, soon ?? 0)).toBe(false);
  expect(waitsLong({ createdAt, sendAt: '2026-11-28T08:00:00.000Z' }, soon ?? 0)).toBe(true);
  expect(waitsLong({ createdAt, sendAt: null }, late ?? 0)).toBe(true);
});
