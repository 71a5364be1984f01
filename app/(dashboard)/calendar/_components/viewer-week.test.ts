import { expect, it } from 'vitest';
import { englishLocale, firstDayOf } from './viewer-week';

it('begins weeks with Sunday, Monday or Saturday', () => {
  expect(['en-US', 'de-DE', 'en-GB', 'ar-EG'].map(firstDayOf)).toEqual([0, 1, 1, 6]);
  expect(firstDayOf('not a locale')).toBe(1);
});

it('writes dates in English', () => {
  expect(['en-US', 'en', 'de-DE'].map(englishLocale)).toEqual(['en-US', 'en', 'en-GB']);
});
