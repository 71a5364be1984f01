import { expect, it } from 'vitest';
import { firstDayOf } from './viewer-week';

it('begins weeks with Sunday, Monday or Saturday', () => {
  expect(['en-US', 'de-DE', 'en-GB', 'ar-EG'].map(firstDayOf)).toEqual([0, 1, 1, 6]);
  expect(firstDayOf('not a locale')).toBe(1);
});
