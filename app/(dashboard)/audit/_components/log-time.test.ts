import { expect, it } from 'vitest';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { byDay, clockTime, dayName } from './log-time';

const at = (occurredAt: string) => ({ id: occurredAt, occurredAt }) as AuditEntry;

it('puts entries to the day they were made on, where the viewer is', () => {
  const entries = [at('2026-11-21T11:30:00.000Z'), at('2026-11-20T23:30:00.000Z'), at('2026-11-20T22:30:00.000Z')];
  const dates = (timeZone: string) =>
    byDay(entries, { locale: 'en-GB', timeZone }).map(({ date, entries: ofDay }) => [date, ofDay.length]);
  expect(dates('UTC')).toEqual([
    ['2026-11-21', 1],
    ['2026-11-20', 2],
  ]);
  expect(dates('Europe/Berlin')).toEqual([
    ['2026-11-21', 2],
    ['2026-11-20', 1],
  ]);
  expect(clockTime('2026-11-20T22:30:00.000Z', { locale: 'en-GB', timeZone: 'Europe/Berlin' })).toBe('23:30');
});

it('names the last two days by what they are', () => {
  expect(dayName('2026-03-01', '2026-03-01', 'en-GB')).toMatch(/^Today · Sunday,? 1 March 2026$/);
  expect(dayName('2026-02-28', '2026-03-01', 'en-GB')).toMatch(/^Yesterday · /);
  expect(dayName('2026-02-27', '2026-03-01', 'en-GB')).toMatch(/^Friday,? 27 February 2026$/);
  expect(dayName('2026-03-01', null, 'en-GB')).toMatch(/^Sunday/);
});
