import { expect, it } from 'vitest';
import { clockFields, dateOf, englishLocale } from './viewer-format';

it('writes dates in English', () => {
  expect(['en-US', 'en', 'de-DE'].map(englishLocale)).toEqual(['en-US', 'en', 'en-GB']);
});

it('writes the date of a moment in the viewer’s zone or another', () => {
  expect(dateOf(new Date(2026, 10, 21, 9, 30))).toBe('2026-11-21');
  expect(dateOf(new Date('2026-11-21T23:30:00Z'), 'Europe/Berlin')).toBe('2026-11-22');
});

it('writes a time of day in one way per locale', () => {
  const time = new Date(2026, 10, 21, 9, 5);
  for (const locale of ['en-US', 'en-GB', 'en-IN', 'en-CA', 'en-AU', 'en-IE', 'en-ZA', 'en-NZ', 'en-DE']) {
    expect(time.toLocaleTimeString(locale, clockFields(locale))).toBe(time.toLocaleTimeString(locale, { timeStyle: 'short' }));
  }
});
