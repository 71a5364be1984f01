import { expect, test } from 'vitest';
import { recordsLabel, retentionLabel, sizeLabel } from './data-labels';

test('a count that ended early says so, and so does its size', () => {
  expect([0, 1_204, 100_000, 100_001].map((records) => recordsLabel(records, 'en'))).toEqual([
    '0',
    '1,204',
    '100,000',
    '100,000+',
  ]);
  expect(sizeLabel({ records: 0, bytes: 0 }, 'en')).toBe('');
  expect(sizeLabel({ records: 100_000, bytes: 40_000_000 }, 'en')).toBe('40\u00a0MB');
  expect(sizeLabel({ records: 100_001, bytes: 40_000_000 }, 'en')).toBe('40\u00a0MB+');
});

test('records are kept for a number of days, permanently, or until they are deleted', () => {
  expect([1, 90, 36_500, 0, null].map((days) => retentionLabel(days, 'en'))).toEqual([
    '1 day',
    '90 days',
    '36,500 days',
    'Always',
    'Until deleted',
  ]);
});
